"""What the docstring of every method, guarantee and adversary must say, and where it must lead.

A reader who knows one class finds her way in all: the sections have the same names and the same order. A promise names
the heading of the documentation that proves it, or that says what is not proved.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tacit.adversaries import Adversary

PROMISING = ("Against", "Promise", "Parameters", "Cost", "Examples", "References")
"""The sections of a method or a guarantee, in their order."""
ATTACKING = ("Knows", "Infers", "Parameters", "Cost", "Examples", "References")
"""The sections of an adversary, in their order; examples where they are short."""
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", flags=re.M)
_LINK = re.compile(r"docs/([\w./-]+\.md)#([\w-]+)")
_DOCS = Path(__file__).resolve().parents[3] / "docs"


def check_docstring_has_its_sections(instance: Any) -> None:
    """The docstring says against whom, what is promised, what it costs and whose idea it is, in a fixed order."""
    cls = type(instance)
    expected = ATTACKING if isinstance(instance, Adversary) else PROMISING
    optional = {"Examples"} if isinstance(instance, Adversary) else set()
    if not cls.model_fields:
        optional |= {"Parameters"}
    present = sections(cls)
    missing = [name for name in expected if name not in present and name not in optional]
    assert not missing, f"{cls.__name__}: the docstring has no section {', '.join(missing)}"
    order = [name for name in present if name in expected]
    assert order == [name for name in expected if name in present], f"{cls.__name__}: the order of sections is {order}"
    empty = [name for name in order if not present[name].strip()]
    assert not empty, f"{cls.__name__}: the section {', '.join(empty)} is empty"


def check_docstring_names_its_parameters(instance: Any) -> None:
    """Every parameter that the class itself declares stands in the section `Parameters`."""
    cls = type(instance)
    own = [field.alias or key for key, field in cls.model_fields.items() if key in vars(cls).get("__annotations__", {})]
    text = sections(cls).get("Parameters", "")
    missing = [name for name in own if not re.search(rf"^(.*, )?{name}(,.*)?$", text, flags=re.M)]
    assert not missing, f"{cls.__name__}: the docstring does not say what {', '.join(missing)} is"


def check_promise_links_to_its_proof(instance: Any) -> None:
    """`Promise` names a heading of the documentation, `docs/threats/page.md#heading`, and the heading exists."""
    cls = type(instance)
    if not cls.__module__.startswith("tacit."):
        return  # a class of somebody else may keep its proof where it likes
    links = _LINK.findall(sections(cls).get("Promise", ""))
    assert links, f"{cls.__name__}: the section Promise links to no heading of docs/"
    for page, anchor in links if _DOCS.is_dir() else ():  # an installed package comes without its pages
        assert (_DOCS / page).is_file(), f"{cls.__name__}: there is no page docs/{page}"
        assert anchor in anchors((_DOCS / page).read_text("utf-8")), f"{cls.__name__}: docs/{page} has no #{anchor}"


def sections(cls: type) -> dict[str, str]:
    """Return the sections of a class's own docstring, in their order.

    Examples
    --------
    >>> class Lock:
    ...     '''It closes.
    ...
    ...     Cost
    ...     ----
    ...     One key.
    ...     '''
    >>> sections(Lock)
    {'Cost': 'One key.'}
    """
    text = inspect.cleandoc(cls.__doc__ or "")
    pieces = _HEADING.split(text)
    return {name: body.strip() for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}


def anchors(page: str) -> set[str]:
    """Return the anchors that a page of Markdown has, as the site and most forges write them.

    Examples
    --------
    >>> sorted(anchors("# A *bold* heading" + chr(10) + "## Of `k`, and e"))
    ['a-bold-heading', 'of-k-and-e']
    """
    prose = re.sub(r"^```.*?^```", "", page, flags=re.S | re.M)
    headings = re.findall(r"^#+ (.*)$", prose, flags=re.M)
    plain = [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in plain}


CHECKS: list[Callable[[Any], None]] = [check_docstring_has_its_sections, check_docstring_names_its_parameters]
PROMISE_CHECKS: list[Callable[[Any], None]] = [*CHECKS, check_promise_links_to_its_proof]
