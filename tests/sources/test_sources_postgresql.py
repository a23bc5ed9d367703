"""PostgreSQL: a real server, started here on loopback; its types, and that no password is ever repeated."""

from __future__ import annotations

import datetime as dt
import math
import sys
import traceback
from urllib.parse import quote

import polars as pl
import pytest
from tests.postgresql import PASSWORD, USER, free_port, port, url

from tacit.errors import SourceError
from tacit.sources import read

driver = pytest.importorskip("adbc_driver_postgresql.dbapi")
__all__ = ["port", "url"]  # fixtures


@pytest.fixture(scope="module")
def clinic(url) -> str:
    with driver.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("create type mood as enum ('sad', 'ok', 'très bien')")
        cursor.execute(
            "create table p(id int primary key, pay numeric(12, 2), mood mood, zip char(5), born date, ok boolean)"
        )
        cursor.execute(
            "insert into p select i, i / 10.0, case when i % 2 = 0 then 'sad' else 'très bien' end::mood, "
            "lpad(i::text, 5, '0'), date '2000-01-01' + i, i % 3 = 0 from generate_series(1, 5000) i"
        )
        connection.commit()
    return url


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_table(clinic, scheme):
    url = clinic.replace("postgresql:", f"{scheme}:")
    frame = read(url, query="select * from p order by id -- all of them")
    assert dict(frame.schema) == {
        "id": pl.Int32,
        "pay": pl.Float64,
        "mood": pl.String,
        "zip": pl.String,
        "born": pl.Date,
        "ok": pl.Boolean,
    }
    assert frame.height == 5000
    assert frame.row(0) == (1, 0.1, "très bien", "00001", dt.date(2000, 1, 2), False)
    assert frame["pay"].to_list() == [i / 10 for i in range(1, 5001)]


@pytest.mark.parametrize(
    ("sql", "dtype", "value"),
    [
        ("1::smallint", pl.Int16, 1),
        ("2::bigint", pl.Int64, 2),
        ("1.5::real", pl.Float32, 1.5),
        ("1.5::double precision", pl.Float64, 1.5),
        ("123456789.125::numeric", pl.Float64, 123456789.125),
        ("0.1::numeric", pl.Float64, 0.1),
        ("-1e-30::numeric", pl.Float64, -1e-30),
        ("12345678901234567890::numeric", pl.Float64, 12345678901234567890.0),
        ("null::numeric", pl.Float64, None),
        ("'Infinity'::numeric", pl.Float64, math.inf),
        ("true", pl.Boolean, True),
        ("'é'::text", pl.String, "é"),
        ("''::text", pl.String, ""),
        ("null::text", pl.String, None),
        ("date '2024-02-29'", pl.Date, dt.date(2024, 2, 29)),
        ("timestamp '2024-02-29 10:00:00.5'", pl.Datetime("us"), dt.datetime(2024, 2, 29, 10, 0, 0, 500_000)),
        ("time '10:00'", pl.Time, dt.time(10)),
        ("'00000000-0000-0000-0000-000000000005'::uuid", pl.String, "00000000-0000-0000-0000-000000000005"),
        ("""'{"a": 1}'::json""", pl.String, '{"a": 1}'),
        ("""'{"a": 1}'::jsonb""", pl.String, '{"a": 1}'),
        ("'<a/>'::xml", pl.String, "<a/>"),
        ("array['x', 'y']", pl.List(pl.String), ["x", "y"]),
        ("array[1.5::numeric]", pl.List(pl.Float64), [1.5]),
        ("null", pl.String, None),
    ],
)
def test_a_type(url, sql, dtype, value):
    column = read(url, query=f"select {sql} as v").to_series()
    assert column.dtype == dtype
    assert column.to_list() == [value]


def test_not_a_number(url):
    column = read(url, query="select v from (values ('NaN'::numeric), (1), (null)) t(v)").to_series()
    assert column.is_nan().to_list() == [True, False, None]


def test_moment_with_zone_is_utc(url):
    column = read(url, query="select timestamptz '2024-01-01 10:00+02' as v").to_series()
    assert column.dtype == pl.Datetime("us", "UTC")
    assert column.dt.hour().to_list() == [8]


def test_no_rows(clinic):
    frame = read(clinic, query="select * from p where false")
    assert frame.height == 0
    assert frame.schema["pay"] == pl.Float64


class TestBad:
    def fails(self, url: str, query: str | None, *parts: str, secrets: tuple[str, ...] = ()) -> None:
        with pytest.raises(SourceError) as caught:
            read(url, query=query)
        error = caught.value
        assert error.hint
        assert "\n" not in str(error)
        for part in parts:
            assert part in str(error)
        # Neither in the message, nor in what a log would show of the exception and those behind it.
        shown = "".join(traceback.format_exception_only(error)) + repr(error) + repr(error.args)
        for hidden in (PASSWORD, quote(PASSWORD, safe=""), quote(PASSWORD), "s3cr3t", *secrets):
            assert hidden not in shown
        assert error.__cause__ is None
        assert error.__context__ is None

    @pytest.mark.parametrize("query", [None, "", "  \n"])
    def test_no_query(self, url, query):
        self.fails(url, query, "no query")

    @pytest.mark.parametrize(
        ("query", "says"),
        [
            ("selec 1", 'syntax error at or near "selec"'),
            ("select * from nobody", 'relation "nobody" does not exist'),
            ("select 1 / 0", "division by zero"),
            ("select 1; select 2", "multiple commands"),
            ("create table made(a int)", "read-only"),
            ("-- nothing", ""),
        ],
    )
    def test_bad_query(self, url, query, says):
        self.fails(url, query, says)

    def test_nothing_is_written(self, clinic):
        self.fails(clinic, "delete from p returning id", "read-only")
        self.fails(clinic, "with gone as (delete from p returning id) select * from gone", "read-only")
        assert read(clinic, query="select count(*) as n from p").rows() == [(5000,)]

    @pytest.mark.parametrize("sql", ["inet '10.0.0.1'", "point(1, 2)", "interval '1 month'", "'5'::money", "b'101'"])
    def test_types_that_only_postgresql_understands(self, url, sql):
        self.fails(url, f"select 1 as ok, {sql} as bad", "'bad'")

    def test_two_columns_of_one_name(self, url):
        self.fails(url, "select 1 as a, 2 as a", "two columns 'a'")

    def test_wrong_password(self, url):
        self.fails(
            url.replace("s3cr3t", "hushhush"), "select 1", "password authentication failed", secrets=("hushhush",)
        )
        self.fails(f"{url}?password=hushhush", "select 1", "authentication failed", secrets=("hushhush",))
        self.fails(f"{url}?password=hush%20hush", "select 1", secrets=("hush hush", "hush%20hush"))

    def test_password_that_is_also_the_user(self, port):
        self.fails(f"postgresql://{USER}:{USER}@127.0.0.1:{port}/postgres", "select 1", secrets=(USER,))

    def test_no_such_database(self, url):
        self.fails(url.replace("/postgres", "/nowhere"), "select 1", 'database "nowhere" does not exist')

    def test_refused(self, url, port):
        closed = free_port()
        self.fails(url.replace(str(port), str(closed)), "select 1", f"127.0.0.1:{closed}", "Connection refused")

    def test_no_such_host(self, url):
        self.fails(url.replace("127.0.0.1", "no.such.host.invalid"), "select 1", "no.such.host.invalid")

    @pytest.mark.parametrize(
        "url",
        [
            "postgresql://user:hush@hush@127.0.0.1:1/db",
            "postgresql://user:hush/hush@127.0.0.1:1/db",
            "postgresql://user:hush%ZZ@127.0.0.1:1/db",
            "postgresql:/user:hush@127.0.0.1/db",
            "postgres:user:hush@127.0.0.1/db",
            "postgresql+psycopg://user:hush@127.0.0.1/db",
            "mysql://user:hush@127.0.0.1/db",
            "postgresql://user:hush@[127.0.0.1/db",
            "postgresql://user:hush@127.0.0.1:port/db",
            "postgresql://user:hush@127.0.0.1:1/db?bogus=1",
        ],
    )
    def test_malformed_url(self, url):
        self.fails(url, "select 1", secrets=("hush",))

    def test_driver_missing(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
        self.fails(
            "postgresql://user:hush@127.0.0.1/db", "select 1", "pip install 'tacit[database]'", secrets=("hush",)
        )
