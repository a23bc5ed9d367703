"""Readers that are installed only where they are wanted."""

from __future__ import annotations

import importlib
from typing import Any

from tacit.errors import SourceError


def extra(module: str, *, what: str, extra_name: str | None = "files") -> Any:
    """Import a module of an extra, or say in one sentence what to install.

    Examples
    --------
    >>> extra("no_such_reader", what="This file")
    Traceback (most recent call last):
    tacit.errors.SourceError: This file needs the package 'no_such_reader'. pip install 'tacit[files]'
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        pass
    wanted = module if extra_name is None else f"'tacit[{extra_name}]'"
    raise SourceError(f"{what} needs the package {module!r}.", hint=f"pip install {wanted}")
