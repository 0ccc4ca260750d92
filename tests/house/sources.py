# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own source files, for the checks in this folder."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("plugins", "deformers", "host", "ui", "tests")


def sources(*endings):
    """The files with these endings. Builds go elsewhere, so whatever lies in these folders is the project's; no git is asked,
    since a machine that tests an unpacked copy need not have it."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in paths if path.suffix in endings and path.is_file())
