#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `sinew plugin new` writes builds in an empty folder from what is installed, as C11 and as C++17; with meson and its test; and by
`sinew plugin build`, which installs it.

Arguments: the program, meson, the build folder, the prefix, the library's folder, the C compiler's words, "--", the C++ compiler's."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KINDS = ("blend", "corrective", "black-box", "sequence")
# The one line of the guide, behind the compiler.
FLAGS = "-O2 -shared -fPIC -fvisibility=hidden"
STRICT = ["-Wall", "-Wextra", "-Werror"]
MOST_LINES = 120


def must(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=100, **more)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def installed_words(meson, build, root, prefix, libdir):
    """What pkg-config says of the headers and the kit, installed below `root`."""
    must(meson, "install", "--no-rebuild", "--tags", "devel", "--destdir", root, "-C", build)
    prefix = root / Path(prefix).relative_to("/")
    env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / libdir / "pkgconfig")}
    return must("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "sinew", env=env).split()


def exports(path):
    return [line.split()[-1] for line in must("nm", "-D", "--defined-only", path).splitlines() if "__odr_asan" not in line]


def main():
    sinew, meson, build, prefix, libdir = sys.argv[1:6]
    sinew, build, split = Path(sinew).resolve(), Path(build).resolve(), sys.argv.index("--")
    compilers = {"c11": [*sys.argv[6:split], "-pedantic"], "c++17": [*sys.argv[split + 1:], "-Wno-missing-field-initializers", "-x", "c++"]}
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        folder = Path(name)
        env = {**os.environ, "XDG_DATA_HOME": name, "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
               "PATH": f"{sinew.parent}:{os.environ['PATH']}"}
        words = installed_words(meson, build, folder / "root", prefix, libdir)
        for kind in KINDS:
            must(sinew, "plugin", "new", f"my-{kind}", "--kind", kind, cwd=folder)
            inside = folder / f"my-{kind}"
            lines = sum(len(path.read_text().splitlines()) for path in inside.iterdir())
            assert lines <= MOST_LINES, f"{kind}: {lines} lines"
            for standard, compiler in compilers.items():
                out = folder / f"{kind}-{standard}.so"
                must(*compiler, f"-std={standard}", *STRICT, *FLAGS.split(), f"my-{kind}.c", "-x", "none", "-o", out, *words, cwd=inside)
                # C++ adds weak functions of its library.
                assert "sinew_entry" in exports(out) and (standard != "c11" or len(exports(out)) == 1), exports(out)
            begun = time.monotonic()
            row = json.loads(must(sinew, "plugin", "build", inside / f"my-{kind}.c", "--json", env=env))
            seconds = time.monotonic() - begun
            assert [d["short_name"] for d in row["loaded"]] == [f"my-{kind}"] and len(row["checks"]) >= 10, row
            assert Path(row["path"]) == folder / "sinew" / "plugins" / f"my-{kind}.so"
            print(f"{kind}: {lines} lines, built, validated and installed in {seconds:.1f} s")
        # What does not pass is not installed.
        source = folder / "my-black-box" / "my-black-box.c"
        source.write_text(source.read_text().replace("out[1] = in[1]", "out[1] = NAN"))
        failed = subprocess.run([sinew, "plugin", "build", source], env=env, capture_output=True, text=True, check=False)
        assert failed.returncode == 1 and "checks failed" in failed.stderr, failed.stderr
        for path in (folder / "sinew" / "plugins").iterdir():
            assert path.suffix == ".so", path
        must(sinew, "validate", folder / "sinew" / "plugins" / "my-black-box.so")
        # With meson, which runs its test, without what was installed for this user.
        env["XDG_DATA_HOME"] = str(folder / "nothing")
        must(meson, "setup", folder / "built", cwd=folder / "my-corrective", env=env)
        must(meson, "test", "-C", folder / "built", env=env)


main()
