"""A disk that keeps a list of what was asked of it, and can lose its power.

SQLite writes through an apsw VFS that notes each write, truncation, sync and deletion
in order. `Disk.after(k, dice)` is what stable storage may hold if the power went at the
k-th of them: all that was synced, and of the rest any part, each write whole, torn at a
sector, or not at all, in any order of files.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

import apsw

SECTOR = 512
"""What a disk writes whole or not at all (bytes)."""

Kind = Literal["write", "truncate", "sync", "delete"]


@dataclass(frozen=True, slots=True)
class Op:
    """One thing that was asked of the disk."""

    kind: Kind
    name: str
    """The file's."""
    at: int = 0
    """Where it writes, or the new size."""
    body: bytes = b""
    folder: bool = False
    """The folder's list of names is synced as well."""


@dataclass(eq=False)
class Disk:
    """Everything that was asked, in order."""

    name: str
    ops: list[Op] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._vfs = _Vfs(self)

    def open(self, path: Path) -> apsw.Connection:
        """Open a database on this disk."""
        return _Connection(str(path), vfs=self.name)

    def syncs(self, before: int) -> int:
        """How often it was asked to sync until then."""
        return sum(op.kind == "sync" for op in self.ops[:before])

    def after(self, k: int, dice: Random) -> dict[str, bytes]:
        """Files as they may be if the power goes right before the k-th operation."""
        files: dict[str, bytearray] = {}
        pending: dict[str, list[Op]] = {}
        deleted: dict[str, bytearray] = {}
        for op in self.ops[:k]:
            if op.kind == "sync":
                for each in pending.pop(op.name, ()):
                    _apply(files, each)
            elif op.kind == "delete":
                _lose_or_keep(files, pending.pop(op.name, []), dice)
                deleted[op.name] = files.pop(op.name, bytearray())
            else:
                pending.setdefault(op.name, []).append(op)
            if op.folder:
                deleted.clear()
        for name in sorted(pending):
            _lose_or_keep(files, pending[name], dice)
        for name, body in deleted.items():
            # A name is gone for certain only after its folder was synced.
            if name not in files and dice.random() < 0.5:
                files[name] = body
        return {name: bytes(body) for name, body in files.items()}


def _lose_or_keep(files: dict[str, bytearray], ops: list[Op], dice: Random) -> None:
    """Let any part of what was not synced reach the disk."""
    luck = dice.choice((0.1, 0.5, 0.9))  # a cache that was nearly empty, or nearly full
    for op in ops:
        if dice.random() < luck:
            _apply(files, _torn(op, dice) if dice.random() < 0.2 else op)


def _torn(op: Op, dice: Random) -> Op:
    """A part of a write: from a sector's edge to a sector's edge."""
    if op.kind != "write":
        return op
    edges = [*range(0, len(op.body), SECTOR), len(op.body)]
    first, last = sorted((dice.choice(edges), dice.choice(edges)))
    return Op("write", op.name, op.at + first, op.body[first:last])


def _apply(files: dict[str, bytearray], op: Op) -> None:
    body = files.setdefault(op.name, bytearray())
    if op.kind == "truncate":
        del body[op.at :]
    else:
        body.extend(bytes(max(0, op.at - len(body))))
        body[op.at : op.at + len(op.body)] = op.body


class _Connection(apsw.Connection):
    def executescript(self, statements: str) -> None:
        """Run them to their end, as `sqlite3` does."""
        self.execute(statements).fetchall()


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "_File":
        return _File(self.disk, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:
        self.disk.ops.append(Op("delete", os.path.basename(name), folder=sync_folder))
        super().xDelete(name, sync_folder)


class _File(apsw.VFSFile):
    def __init__(
        self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "temp"
        self.ops, self.name = disk.ops, os.path.basename(path)
        # SQLite's own layer syncs the folder with the first sync of a new journal.
        self.is_new_journal = path.endswith(("-journal", "-wal"))
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.ops.append(Op("write", self.name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self.ops.append(Op("truncate", self.name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        self.ops.append(Op("sync", self.name, folder=self.is_new_journal))
        self.is_new_journal = False
        super().xSync(flags)


def points(first: int, last: int, count: int, dice: Random) -> Iterator[int]:
    """So many moments for the power to go, spread evenly over the whole run."""
    for n in range(count):
        yield (
            first
            + (n * (last - first)) // count
            + dice.randrange(max(1, (last - first) // count))
        )
