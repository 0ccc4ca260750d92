#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed headers can be read by Rust's bindgen, as other languages read them: it finds every struct with the size that the snapshot of
the ABI has. Skips where bindgen is not installed.

Arguments: meson, the build folder, the prefix, the header's folder."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
SNAPSHOT = Path(__file__).parents[1] / "house" / "abi.snapshot"


def must(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def bindings(include, folder):
    header = folder / "all.h"
    header.write_text("#include <sinew/sinew.h>\n#include <sinew/helper_joints.h>\n#include <sinew/group_falloffs.h>\n")
    text = must("bindgen", header, "--allowlist-type", "snw_.*", "--allowlist-var", "SNW_.*", "--", f"-I{include}", "-std=c11")
    return re.sub(r"\s+", "", text)  # bindgen lays its output out with rustfmt, where that is installed


def main():
    meson, build, prefix, includedir = sys.argv[1:]
    if not shutil.which("bindgen"):
        print("skipped: bindgen is not installed")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        root = Path(name)
        must(meson, "install", "--no-rebuild", "--tags", "devel", "--destdir", root, "-C", build)
        text = bindings(root / Path(prefix).relative_to("/") / includedir, root)
    found = {struct: int(size) for struct, size in
             re.findall(r"size_of::<(snw_\w+)>\(\),(\d+)usize", text)}
    known = {struct: int(size) for struct, size in re.findall(r"^struct (\w+) (\d+)$", SNAPSHOT.read_text(), flags=re.MULTILINE)}
    wrong = {struct: (found.get(struct), size) for struct, size in known.items() if found.get(struct) != size}
    assert not wrong, f"found and known sizes differ: {wrong}"
    assert "pubconstSNW_SERVICE_TASK:" in text and "pubconstsnw_status_code_SNW_ERROR_DATA:" in text, "constants are missing"
    assert "_bindgen_ty" not in text, "an enum has no name"
    print(f"{len(known)} structs have their sizes")
    return 0


sys.exit(main())
