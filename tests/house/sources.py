# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own source files, for the checks in this folder."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("plugins", "deformers", "host", "ui", "tests")


def sources(*endings):
    """Files with these endings that belong to the project: tracked, or new and not ignored; without git, all."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *FOLDERS],
                             capture_output=True, text=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        paths = [ROOT / line for line in listing.stdout.splitlines()]
    else:
        paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    return sorted(path for path in paths if path.suffix in endings and path.is_file())
