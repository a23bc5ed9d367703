"""Full disks: a folder that is a small file system of its own, where the system lets us make one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_WIDE = 65_536
"""Kilobytes of a file system that is not full."""


@dataclass(frozen=True)
class Disk:
    """A folder, and whether it is a file system of its own."""

    place: Path
    own: bool

    @classmethod
    @contextmanager
    def at(cls, place: Path, *, small: bool) -> Iterator[Disk]:
        """Make an empty folder, on a file system of its own if that is asked for and permitted; it goes with it."""
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        disk = cls(place, small and _mounted(place, f"size={_WIDE}k"))
        try:
            yield disk
        finally:
            if disk.own:
                subprocess.run(["umount", "-l", str(place)], check=False)

    def leave(self, kilobytes: int) -> int:
        """Leave no more room than this; return how much there is, -1 where the file system cannot be made small."""
        if not self.own:
            return -1
        used = os.statvfs(self.place)
        taken = (used.f_blocks - used.f_bfree) * used.f_frsize // 1024
        return kilobytes if _mounted(self.place, f"remount,size={taken + kilobytes}k") else -1

    def widen(self) -> None:
        """Make room again."""
        if self.own:
            _mounted(self.place, f"remount,size={_WIDE}k")


def _mounted(place: Path, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False
