"""Types that a cluster has: schemas of Arrow as Spark writes them, and names of columns in a query."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def quoted(name: str) -> str:
    """Write the name of a column as a query takes it."""
    return f"`{name.replace('`', '``')}`"


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that Spark reads for one of Arrow: neither views nor dictionaries, nor large ones."""
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view":
        return pa.string()
    if pa.types.is_dictionary(kind):
        return plain_type(kind.value_type)
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(plain_type(kind.value_type))
    if pa.types.is_unsigned_integer(kind):
        return pa.int64()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return pa.binary() if pa.types.is_large_binary(kind) or str(kind) == "binary_view" else kind


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema in the types that Spark has."""
    return pa.schema([pa.field(f.name, plain_type(f.type)) for f in schema])


def spark_schema(schema: pa.Schema) -> Any:
    """Return a schema of Arrow as one of Spark."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(plain_schema(schema))


def arrow_schema(frame: Any) -> pa.Schema:
    """Return the schema of a data frame of Spark as one of Arrow."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(frame.schema)
