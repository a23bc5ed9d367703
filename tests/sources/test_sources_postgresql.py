"""PostgreSQL: a real server, started here on loopback; its types, and that no password is ever repeated."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest

from tacit.errors import SourceError
from tacit.sources import read

driver = pytest.importorskip("adbc_driver_postgresql.dbapi")

PASSWORD = "s3cr3t/pass@wörd?%"  # noqa: S105
USER = "tester"


def find(program: str) -> str | None:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    return shutil.which(program) or (str(installed[-1]) if installed else None)


def server_user() -> dict[str, object]:
    """Choose who runs the server: not root, which it refuses."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    pytest.skip("there is no user to run a PostgreSQL server as")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    initdb, pg_ctl = find("initdb"), find("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("there is no PostgreSQL server here")
    user = server_user()
    # Not pytest's own folder: only its owner may enter that.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        (folder / "password").write_text(PASSWORD + "\n")
        if user:
            for path in (folder, folder / "password"):
                os.chown(path, int(str(user["user"])), int(str(user["group"])))
        data, port = folder / "data", free_port()

        def run(*command: str) -> None:
            done = subprocess.run(
                command,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                **user,
            )
            assert done.returncode == 0, done.stderr

        run(initdb, "-D", str(data), "-U", USER, "-A", "scram-sha-256", "--pwfile=password", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        log = str(folder / "log")
        try:
            # Its output to a file, or the server would keep the pipe open and `run` would wait for it.
            run("/bin/sh", "-c", f'"{pg_ctl}" -D "{data}" -w -l "{log}" -o "{options}" start >/dev/null 2>&1')
            yield port
        finally:
            with contextlib.suppress(AssertionError):
                run(pg_ctl, "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def url(port) -> str:
    return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/postgres"


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
