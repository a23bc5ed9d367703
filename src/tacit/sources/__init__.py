"""Where tables come from: a file, a database, a data frame. Whatever it is, a `polars.DataFrame` comes out.

A source is read, never written. What comes out has plain types only: text, integers, floats, booleans, dates,
moments, and lists of these. Dictionary types become the text they stand for, exact decimals become floats, and a
type whose values mean nothing outside the system they came from is an error that names the column. So is what
would change a table silently: two columns of one name, a line with a field too few. Codes keep their leading zeros.
"""

from tacit.sources.databases import read_database
from tacit.sources.files import read_file
from tacit.sources.frames import as_frame
from tacit.sources.pandas_types import without_own_types
from tacit.sources.reading import read, read_source
from tacit.sources.rounding import Decimals
from tacit.sources.understood import Reading

__all__ = ["Decimals", "Reading", "as_frame", "read", "read_database", "read_file", "read_source", "without_own_types"]
