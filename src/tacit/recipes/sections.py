"""The sections of a recipe, each a checked value."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator


def _a_path(given: str) -> str:
    if not given.strip() or "\0" in given:
        raise ValueError("it is not a path")
    return given


ProfileName = Literal[
    "ema-0070",
    "health-canada",
    "iso-27559",
    "hipaa-expert",
    "hipaa-safe-harbor",
    "cms",
    "eurostat-puf",
    "eurostat-suf",
    "wp216",
]
"""The profiles of thresholds; a test compares them with those that reports know."""

WhatIfMissing = Literal["refuse", "value", "withhold"]
Place = Annotated[str, AfterValidator(_a_path)]
"""The path of a file or folder, relative to the recipe."""


class RecipeSection(BaseModel):
    """A frozen part of a recipe; a key it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class TableSection(RecipeSection):
    """Where the table comes from."""

    source: Place | None = Field(None, description="a file or, for batches, a folder; relative to the recipe")
    url_env: str | None = Field(None, description="the environment variable that holds a database's URL")
    query: str | None = Field(None, description="the query, for a database")

    @model_validator(mode="after")
    def _one_of(self) -> TableSection:
        if (self.source is None) == (self.url_env is None):
            raise ValueError("give either `source` (a file) or `url_env` with `query` (a database)")
        if self.url_env is not None and self.query is None:
            raise ValueError("a database needs a `query`")
        if self.source is not None and "://" in self.source:
            raise ValueError(
                "a database's URL may hold a password: put it in an environment variable and name that in `url_env`"
            )
        return self


class ReadSection(RecipeSection):
    """How a file is read."""

    nulls: list[str] = Field(default_factory=lambda: [""], description="texts that mean null")
    separator: str | None = Field(None, description="the separator of a csv; guessed by default")
    encoding: str | None = Field(None, description='the encoding of a csv, such as "windows-1252"; guessed by default')
    decimal: Literal[",", "."] | None = Field(None, description="the sign before decimals; guessed by default")
    round: int | dict[str, int] | Literal["auto"] | None = Field(
        None, description='to how many decimals numbers are rounded: a number, one per column, or "auto"'
    )
    sheet: str | int | None = Field(None, description="the sheet of a spreadsheet, by name or by number from 1")
    items_separator: str = Field(";", min_length=1, description="what separates the items of a set")


class RolesSection(RecipeSection):
    """What each column is to the people in the table."""

    identifiers: list[str] = Field(default_factory=list, description="columns that name a person; they never leave")
    person: str | None = Field(
        None, description="the column that says whose row a row is, where a person may have several; it never leaves"
    )
    quasi_identifiers: list[str] = Field(default_factory=list, description="columns that an outsider may know")
    sensitive: list[str] = Field(default_factory=list, description="columns that a person would not tell")
    items: list[str] | dict[str, list[str]] = Field(
        default_factory=list, description="columns of sets, or a name with its binary columns"
    )
    others: Literal["withhold", "publish"] = Field("withhold", description="what happens to all other columns")
    missing: WhatIfMissing | dict[str, WhatIfMissing] = Field(
        "refuse", description="what happens where a sensitive value is missing, for the table or per column"
    )
    allow: list[str] = Field(
        default_factory=list, description="columns that may be published although they look like names or free text"
    )


class BatchesSection(RecipeSection):
    """How a table is cut into batches, each published by itself."""

    column: str = Field(description="the column whose values are the batches, such as the day")


class OutputSection(RecipeSection):
    """Where the release goes."""

    folder: Place = Field("out", description="the public folder, relative to the recipe")
    format: Literal["parquet", "csv", "arrow", "xlsx", "stata", "spss"] = Field(
        "parquet", description="the format of the published files"
    )
    private: Place | None = Field(None, description="the private folder; by default the public one with .private")
    url_env: str | None = Field(
        None, description="the environment variable that holds the URL of a database, which gets the frames as tables"
    )
    tables: dict[str, str] = Field(default_factory=dict, description="frame to name of its table, in a database")

    @model_validator(mode="after")
    def _tables_of_a_database(self) -> OutputSection:
        if self.tables and self.url_env is None:
            raise ValueError("`tables` names tables of a database: name the variable with its URL in `url_env`")
        return self


class ReportingSection(RecipeSection):
    """What is written about the release besides it."""

    profile: ProfileName | None = Field(
        None, description="a profile of thresholds, shown as met or not met; see docs/reporting.md"
    )
    baseline: bool | None = Field(
        None, description="whether people left out of a second release are attacked too; by default the profile says"
    )
    outside: Place | None = Field(None, description="a table that somebody else has, for linkability")
    population: Place | None = Field(None, description="the people that the table was drawn from")
    weights: str | None = Field(None, description="the column with the sampling weight of each row")
    certificate: bool = Field(True, description="whether both reports are also written as a certificate, a PDF")
    models: list[str] = Field(
        default_factory=list,
        description='columns that models are to predict, "sensitive" for all sensitive ones; takes some seconds each',
    )


class EngineSection(RecipeSection):
    """Where the job runs."""

    name: Literal["auto", "local", "streaming", "spark"] = Field(
        "auto", description='"local" (in memory), "streaming" (larger than memory), "spark" (a cluster), or "auto"'
    )
    master: str | None = Field(None, description="where a new session of Spark runs, such as yarn")
    settings: dict[str, str | int | float | bool] = Field(
        default_factory=dict, description="settings of a new session of Spark"
    )
    scratch: Place | None = Field(
        None, description="the folder for temporary files; for Spark one that driver and workers share"
    )
    fragment_rows: int | None = Field(None, ge=1000, description="the most rows of a fragment; by default what fits")
    allow_plain: bool = Field(False, description="for tests: let Spark send and store rows unencrypted")


class LedgerSection(RecipeSection):
    """Where releases of the same table are remembered."""

    path: Place = Field(description="the ledger, a private file, relative to the recipe")
    all_new: bool = Field(False, strict=True, description="nobody in the table was in an earlier release of the ledger")


class RecipeSections(RecipeSection):
    """All of a job. Replayable, and without data or secrets."""

    include: Place | list[Place] | None = Field(None, description="recipes whose sections are used where this has none")
    table: TableSection
    read: ReadSection = Field(default_factory=ReadSection)
    roles: RolesSection = Field(default_factory=RolesSection)
    kinds: dict[str, str | list[Any]] = Field(
        default_factory=dict, description='column to "numeric", "categorical", "date", or the order of its values'
    )
    hierarchies: dict[str, str | dict[str, Any]] = Field(
        default_factory=dict, description="column to a file in ARX's format, or a rule such as { interval = 5 }"
    )
    steps: list[dict[str, Any]] = Field(min_length=1, description="the methods, in order")
    batches: BatchesSection | None = None
    ledger: LedgerSection | None = None
    changing: dict[str, list[str]] = Field(
        default_factory=dict, description="sensitive column to its values that come and go, for a table that changes"
    )
    engine: EngineSection = Field(default_factory=EngineSection)
    output: OutputSection = Field(default_factory=OutputSection)
    report: ReportingSection = Field(default_factory=ReportingSection)
