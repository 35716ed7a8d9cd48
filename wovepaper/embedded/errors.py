"""What goes wrong with the embedded servers, as sentences for the person at the terminal."""

from __future__ import annotations

import errno
from pathlib import Path


class EmbeddedServerError(RuntimeError):
    """An embedded server cannot start or go on; the message is one sentence that says what to do."""


def describe_full_disk(folder: Path, detail: str = "") -> str:
    """The sentence for a disk without room for ``folder``; ``detail`` stands in parentheses."""
    how = f" ({detail})" if detail else ""
    return f"The disk that holds {folder} is full{how}: free some space, or set VAR_DIR to a folder on another disk."


def tells_of_full_disk(error: BaseException | None) -> bool:
    """Whether the file system, or PostgreSQL (its error class 53100, ``disk_full``), had no room, at first or after."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return True
        if getattr(error, "sqlstate", None) == "53100":
            return True
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False


def describe_os_error(error: OSError, folder: Path) -> str:
    """One sentence for an error of the file system while ``folder`` was written to."""
    if tells_of_full_disk(error):
        return describe_full_disk(folder)
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return f"{folder} cannot be written to ({error.strerror}): make it writable, or set VAR_DIR to another folder."
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return f"{folder} is not a folder: set VAR_DIR to a folder this user may write to."
    return f"{folder} cannot be used: {error.strerror or error}."
