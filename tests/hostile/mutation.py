"""Changes to real files: of bytes, of text, of JSON values, of recipes."""

from __future__ import annotations

import json
import re
import zlib
from copy import deepcopy
from random import Random
from typing import Any

WORDS = (
    b'"', b'""', b"\n", b"\r", b"\r\n", b",", b";", b"\t", b"|", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe",
    b"=1+1", b"*",
    b"NaN", b"inf", b"-inf", b"1e999", b"99999999999999999999", b"0001-01-01", b"9999-99-99", b"\x1b[31m", b"\x0b",
    b"\xef\xbf\xbe", b"\xe2\x80\xae", b"../", b"null", b"true", b"{", b"}", b"[", b"]", b" ", b"-", b"0", b"1",
    b"a" * 300,
    b"PAR1", b"ARROW1", b"PK\x03\x04", b"\x1f\x8b",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, -(2**63), 10**30, 0.5, 1e308, -0.0, 1e-320, "", " ", "odd",
    "3", "true",
    "a" * 500, "\0", "\x1b[31m", "\u202e", "../x", "/", ".", "table", "group", "count", [], {}, [[]], [None], {"": 0},
    {"name": "k-anonymity", "k": 2}, [1, 2, 3], ["age"], [["age", "zip"]], "not published", "k-anonymity", "csv",
)  # fmt: skip


def changed_bytes(content: bytes, rng: Random) -> bytes:
    """Change a few bytes: set, flip, insert, remove, repeat, cut."""
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(made) + 1)
        way = rng.randrange(9)
        if way == 0:
            made[at : at + 1] = bytes([rng.randrange(256)])
        elif way == 1 and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            made[at:at] = rng.choice(WORDS)
        elif way == 3:
            del made[at : at + rng.choice((1, 1, 2, 8, 100))]
        elif way == 4:
            made[at:at] = made[at : at + rng.choice((1, 10, 100))]
        elif way == 5:
            width = rng.choice((1, 2, 4, 8))
            value = rng.choice((0, 1, 256**width - 1, 256**width // 2, 256**width // 2 - 1, rng.randrange(256**width)))
            made[at : at + width] = value.to_bytes(width, "little")
        elif way == 6:
            made[at : at + rng.choice((1, 4))] = rng.choice(WORDS)
        elif way == 7 and rng.random() < 0.3:
            del made[at:]
        else:
            to = rng.randrange(len(made) + 1)
            made[to:to] = made[at : at + rng.choice((1, 5, 50))]
    return bytes(made)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values inside a JSON value."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*path, key) for key, _ in below] + [p for key, part in below for p in places(part, (*path, key))]


def odd_value(rng: Random) -> Any:
    """A value of JSON that is out of place; one of its own, since it may be changed further."""
    return deepcopy(rng.choice(VALUES))


def changed_json(value: Any, rng: Random) -> Any:
    """Take a value away, put another in its place, or move one."""
    made = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        found = places(made)
        if not found:
            return odd_value(rng)
        path = rng.choice(found)
        owner = made
        for key in path[:-1]:
            owner = owner[key]
        way = rng.randrange(5)
        if way == 0:
            del owner[path[-1]]
        elif way == 1 and isinstance(owner, dict):
            owner[rng.choice(("odd", "", "name", "\x1b", path[-1] + "x"))] = odd_value(rng)
        elif way == 2:
            other = rng.choice(found)
            taken = made
            try:
                for key in other:
                    taken = taken[key]
                owner[path[-1]] = json.loads(json.dumps(taken))
            except (LookupError, TypeError):
                owner[path[-1]] = odd_value(rng)
        elif way == 3 and isinstance(owner[path[-1]], int | float) and not isinstance(owner[path[-1]], bool):
            owner[path[-1]] = owner[path[-1]] + rng.choice((-1, 1, 0.5, 1000))
        else:
            owner[path[-1]] = odd_value(rng)
    return made


def changed_certificate(content: bytes, rng: Random) -> bytes:
    """Change what is attached to a certificate, and fit the length that is said of it, or not."""
    found = re.search(rb"/Length (\d+)/Type/EmbeddedFile", content)
    begun = content.find(b"stream\n", found.end()) + 7 if found else -1
    if found is None or begun < 7:
        return changed_bytes(content, rng)
    end = begun + int(found[1])
    about = json.loads(zlib.decompress(content[begun:end]))
    way = rng.random()
    made = json.dumps(changed_json(about, rng)).encode() if way < 0.7 else rng.choice(_ATTACHED)
    packed = zlib.compress(made) if way < 0.95 else changed_bytes(made, rng)
    said = len(packed) if rng.random() < 0.9 else rng.choice((0, 1, len(packed) * 9, 999_999_999))
    head = content[: found.start(1)] + b"%d" % said + content[found.end(1) : begun]
    return head + packed + content[end:]


_ATTACHED = (
    b"", b"[]", b"null", b"[" * 100_000, b'{"tacit_certificate": 1}', b'{"tacit_certificate": true, "folders": {}}',
    b'{"tacit_certificate": 1, "folders": {"the public folder": {"../x": "a", "\\u0000": "b", "": "c"}}}',
    b'{"tacit_certificate": 1, "folders": {"the public folder": {"%s": "a"}}}' % (b"a" * 5000),
    b"{\"tacit_certificate\": 1e999}", b" " * 5_000_000,
)  # fmt: skip


def changed_text(text: str, rng: Random) -> str:
    """Change a recipe: lines, words, values."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(lines))
        way = rng.randrange(6)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(at, rng.choice(lines))
        elif way == 2 and "=" in lines[at]:
            key = lines[at].partition("=")[0]
            lines[at] = f"{key}= {toml(rng.choice(VALUES))}"
        elif way == 3:
            lines[at] = changed_bytes(lines[at].encode(), rng).decode("utf-8", "replace")
        elif way == 4:
            lines.insert(at, rng.choice(SECTIONS))
        else:
            words = lines[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(lines).split(" ")[0]
            lines[at] = " ".join(words)
        if not lines:
            return ""
    return "\n".join(lines)


SECTIONS = (
    '[ledger]\npath = "out/c.ledger"', '[ledger]\npath = "out.private/c.ledger"', '[ledger]\npath = "c.ledger"',
    '[batches]\ncolumn = "zip"', '[batches]\ncolumn = "sex"', '[read]\nseparator = ";"', '[read]\nnulls = ["NA", "p1"]',
    '[kinds]\nage = "categorical"', '[kinds]\nsex = ["F", "M"]', '[kinds]\nage = "date"',
    "[hierarchies]\nage = { interval = 5 }",
    "[hierarchies]\nzip = { prefix = 3 }", '[hierarchies]\nsex = "sex.csv"', 'include = "/dev/zero"',
    'include = "other.toml"',
    '[output]\nfolder = "."', '[output]\nfolder = "/"', '[output]\nprivate = "out/x"', "[[steps]]",
    'method = "art"\nr = 2',
    'method = "mask"\nk = 2\nl = 2\nprotected = [["flu"]]', 'method = "injector"\nl = 2', 'others = "publish"',
    'method = "angel"\nl = 2\nmarginals = [["age"]]',
)  # fmt: skip


def toml(value: Any) -> str:
    """Write a value as TOML, as far as it can be."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    return "nan" if value is None else json.dumps(value)
