"""Workspace: the recipe of one studio, the table it is about, and the jobs that were started with it.

There is one of it, whatever number of tabs look at it: a tab that is closed or loaded again loses nothing. Parts of it
are counted when they change, so that a tab sees by a number whether it has something to show.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.errors import ParameterError, SourceError, TacitError
from tacit.jobs.at_hand import AloneLook, TableAtHand, TableLook
from tacit.jobs.attendant import Attendant, QuestionFailed
from tacit.jobs.background import Running, start
from tacit.jobs.built_in import BUILT_IN, write_built_in
from tacit.studio.draft import Draft, History
from tacit.studio.folders import Folders
from tacit.studio.kept import KeptDraft, KeptDrafts, state_folder
from tacit.studio.opening import first_draft, new_draft, source_of
from tacit.studio.results import Results


@dataclass
class Doing:
    """Something that takes a while inside the process that holds the table: its stage, the share done, its end."""

    stage: str = ""
    share: float = 0.0
    error: str | None = None
    busy: bool = False


@dataclass(eq=False)
class Workspace:
    """What all tabs of a studio share.

    Attributes
    ----------
    folders
        Where files may be opened.
    private
        A folder for this studio alone, which goes when it ends.
    changes
        How often each part changed: "draft", "look", "shown", "alone", "threats", "answers", "job", "results",
        "opening", "kept".
    answers, attack, blurred
        What was answered in the interview about threats, who attacks whom, and the column whose hierarchy is shown.
    shown
        Whether cells of identifiers and sensitive columns are shown.
    drafts
        Recipes that were neither saved nor published yet, of this studio and of earlier ones.
    """

    folders: Folders
    private: Path
    history: History | None = None
    look: TableLook | None = None
    alone: AloneLook | None = None
    inspection: tuple[dict[str, Any], dict[str, Any]] | None = None
    opening: Doing = field(default_factory=Doing)
    counting: Doing = field(default_factory=Doing)
    inspecting: Doing = field(default_factory=Doing)
    results: Results = field(default_factory=Results)
    job: Running | None = None
    shown: bool = False
    answers: dict[str, str] = field(default_factory=dict)
    attack: dict[str, str] = field(default_factory=lambda: {"adversary": "linkage-adversary", "row": ""})
    blurred: str = ""
    changes: Counter[str] = field(default_factory=Counter)
    drafts: KeptDrafts = field(default_factory=lambda: KeptDrafts(state_folder()))
    _kept_name: str = ""
    _kept: Draft | None = None
    _settled: Draft | None = None
    _attendant: Attendant | None = None
    _opening_attendant: Attendant | None = None
    _when_done: Callable[[Running], None] | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _alone_of: str = ""
    _inspected: str = ""

    @property
    def draft(self) -> Draft | None:
        """The present recipe; None before a table is open."""
        return None if self.history is None else self.history.draft

    def changed(self, *parts: str) -> None:
        """Note that parts changed."""
        self.changes.update(parts)

    def edit(self, draft: Draft) -> None:
        """Go on with another recipe."""
        if self.history is not None and self.history.edit(draft):
            self.changed("draft")

    def undo(self) -> None:
        """Go back to the recipe before."""
        if self.history is not None and self.history.undo():
            self.changed("draft")

    def redo(self) -> None:
        """Go forward to the recipe that was undone."""
        if self.history is not None and self.history.redo():
            self.changed("draft")

    async def open(self, place: str) -> None:
        """Open a table, a recipe or a built-in table; how it goes is in `opening`."""
        await self._opened(lambda: self._open(place))

    async def open_database(self, variable: str, query: str) -> None:
        """Open what a database answers; its URL stays in an environment variable."""
        await self._opened(lambda: self._open_database(variable, query))

    async def resume(self, kept: KeptDraft) -> None:
        """Go on with a recipe that was left unfinished."""
        await self._opened(lambda: self._read(kept.draft, resumed=kept.name))

    def unfinished(self) -> list[KeptDraft]:
        """Return the recipes that were left unfinished, but for the present one."""
        return [each for each in self.drafts.all() if each.name != self._kept_name]

    def discard(self, kept: KeptDraft) -> None:
        """Give a recipe up that was left unfinished."""
        self.drafts.forget(kept.name)
        self.changed("kept")

    def settle(self) -> None:
        """Note that the present recipe is in its file, so that it need not be kept elsewhere."""
        self._settled, self._kept = self.draft, None
        self.keep()

    def keep(self) -> None:
        """Keep the recipe where it outlives this studio, if it changed since it was last kept, saved or opened."""
        draft = self.draft
        if draft is None or draft is self._kept:
            return
        self._kept, failed = draft, self.drafts.failure
        if draft == self._settled:
            self.drafts.forget(self._kept_name)
        else:
            self.drafts.keep(self._kept_name, draft)
        if self.drafts.failure != failed:
            self.changed("kept")

    async def read_again(self, draft: Draft) -> None:
        """Read the same table with other options."""
        await self._opened(lambda: self._read(draft, keep=True))

    async def _opened(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Open one thing at a time, and say why it cannot be opened."""
        if self.opening.busy:
            return
        self.opening = Doing("opening", busy=True)
        self.changed("opening")
        try:
            await work()
        except TacitError as error:
            self.opening = Doing(error=str(error))
        finally:
            self.opening.busy = False
            self.changed("opening")

    async def _open(self, place: str) -> None:
        if place in BUILT_IN and not Path(place).exists():
            self._tell_opening("making up people", 0.0)
            place = str(await asyncio.to_thread(write_built_in, place, Path.cwd() / "tacit-studio"))
        await self._read(new_draft(place, self.folders))

    async def _open_database(self, variable: str, query: str) -> None:
        if not variable.strip() or not query.strip():
            raise ParameterError("A database needs the name of a variable and a query.")
        await self._read(Draft(Path.cwd() / "database.toml", {"table": {"url_env": variable, "query": query}}))

    async def _read(self, draft: Draft, *, keep: bool = False, resumed: str = "") -> None:
        """Read the table in a process of its own; what was open before stays open if that fails."""
        source, query = source_of(draft, self.folders)
        attendant = Attendant(TableAtHand)
        self._opening_attendant = attendant
        try:
            look = await asyncio.to_thread(
                attendant.ask, "open", source, query, draft.section("read"), progress=self._tell_opening
            )
        except BaseException:
            await asyncio.to_thread(attendant.end)
            raise
        if self._attendant is not None:
            await asyncio.to_thread(self._attendant.end)
        self._attendant, self.look, self.shown = attendant, look, False
        self.alone, self.inspection, self._alone_of, self._inspected = None, None, "", ""
        if keep:
            self.edit(draft)
        else:
            self.keep()  # the recipe of the table before
            first = draft if resumed else first_draft(draft, look)
            self.history, self.results = History([first]), Results()
            self._kept_name, self._kept = resumed or secrets.token_hex(8), first
            self._settled = None if resumed else first
        self.changed("look", "draft", "results", "alone", "threats", "kept")

    def stop_opening(self) -> None:
        """Stop reading; the table that was open before stays."""
        if self.opening.busy and self._opening_attendant is not None:
            self._opening_attendant.end()

    def _tell_opening(self, stage: str, share: float) -> None:
        self.opening.stage, self.opening.share = stage, share
        self.changed("opening")

    async def ask(self, question: str, *given: Any, doing: Doing | None = None, part: str = "") -> Any:
        """Ask the process that holds the table."""
        if self._attendant is None:
            raise SourceError("No table is open.", hint="Open one first.")

        def tell(stage: str, share: float) -> None:
            if doing is not None:
                doing.stage, doing.share = stage, share
                self.changed(part)

        return await asyncio.to_thread(self._attendant.ask, question, *given, progress=tell)

    def roles(self) -> dict[str, Any]:
        """Return roles and kinds as the process that holds the table takes them."""
        if self.draft is None:
            return {}
        roles = {k: v for k, v in self.draft.section("roles").items() if k not in {"missing", "allow"}}
        return roles | {"kinds": self.draft.section("kinds")}

    def count_alone(self) -> None:
        """Count who is alone with the present quasi-identifiers, once for each choice of them."""
        self._soon(self._keep_up("alone", "alone", self.counting))

    def inspect(self) -> None:
        """Ask what threatens the table with the present roles, once for each choice of them."""
        self._soon(self._keep_up("inspection", "threats", self.inspecting))

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something that goes on when the tab that asked for it is closed or shows another screen."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep_up(self, question: str, part: str, doing: Doing) -> None:
        key = f"_{'alone_of' if part == 'alone' else 'inspected'}"
        while not doing.busy and self.look is not None and getattr(self, key) != repr(self.roles()):
            asked = self.roles()
            doing.busy, doing.error, doing.stage, doing.share = True, None, "", 0.0
            self.changed(part)
            try:
                setattr(self, question, await self.ask(question, asked, doing=doing, part=part))
            except TacitError as error:
                setattr(self, question, None)
                doing.error = str(error)
                if isinstance(error, QuestionFailed) and error.failure.kind == "Ended":
                    return
            finally:
                doing.busy = False
                setattr(self, key, repr(asked))
                self.changed(part)

    def start(self, name: str, job: Callable[..., Any], *given: Any, then: Callable[[Running], None]) -> None:
        """Start a job in a process of its own; one at a time."""
        if self.job is not None and self.job.state == "running":
            raise ParameterError(f"{self.job.name} is running.", hint="Stop it, or wait until it has ended.")
        self.job, self._when_done = start(job, *given, name=name), then
        self.changed("job")

    def tick(self) -> None:
        """Hear what the job told, and keep the recipe; called several times a second, whether a tab is open or not."""
        self.keep()
        if self.job is None or self.job.state != "running":
            return
        if self.job.poll():
            self.changed("job")
        if self.job.state != "running" and self._when_done is not None:
            done, self._when_done = self._when_done, None
            done(self.job)
            self.changed("results", "job")

    def close(self) -> None:
        """Keep the recipe, and end every process that was started."""
        self.keep()
        if self.job is not None and self.job.state == "running":
            self.job.process.kill()
        for attendant in (self._attendant, self._opening_attendant):
            if attendant is not None and attendant.process.is_alive():
                attendant.end()
