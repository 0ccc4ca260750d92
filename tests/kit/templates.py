#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `sinew plugin new` writes builds in an empty folder from what is installed, as C11 and as C++17; with meson and its test; and by
`sinew plugin build`, which installs it.

Arguments: the program, meson, the build folder, the prefix, the library's folder, the C compiler's words, "--", the C++ compiler's."""

import json
import os
import resource
import shutil
import signal
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


# Stands in place of fsync and writes down which files were flushed.
FLUSHES = r"""#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int fsync(int file) {
	struct stat info;
	FILE *log = fstat(file, &info) == 0 ? fopen("LOG", "a") : NULL;
	if (log) {
		fprintf(log, "%ju\n", (__UINTMAX_TYPE__)info.st_ino);
		fclose(log);
	}
	return (int)syscall(SYS_fsync, file);
}
"""
# A compiler whose linker puts a new file in the place of the one that it was given.
REPLACES = 'for out; do :; done; {} "$@" && cp "$out" "$out.new" && mv "$out.new" "$out"'


def watched(folder, env, compiler):
    """The environment for a build of which what it flushes is written to `flushed` in the folder."""
    (folder / "flushes.c").write_text(FLUSHES.replace("LOG", str(folder / "flushed")))
    must(*compiler.split(), "-shared", "-fPIC", folder / "flushes.c", "-o", folder / "flushes.so")
    (folder / "replaces.sh").write_text(f"#!/bin/sh\n{REPLACES.format(compiler)}\n")
    (folder / "replaces.sh").chmod(0o700)
    return {**env, "CC": str(folder / "replaces.sh"), "LD_PRELOAD": str(folder / "flushes.so"),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}


def refused(sinew, source, env, *more, cc=None):
    """Builds a plug-in, which must fail; gives what is said. `cc`: a shell script that is run instead of the compiler."""
    if cc:
        script = source.parent / "compiler.sh"
        script.write_text(f"#!/bin/sh\n{cc}\n")
        script.chmod(0o700)
        env = {**env, "CC": str(script)}
    failed = subprocess.run([sinew, "plugin", "build", source, *more], env=env, capture_output=True, text=True, check=False, timeout=100)
    assert failed.returncode == 1, failed
    return failed.stderr


def what_is_installed_stays(sinew, source, env, installed):
    """Whatever a build does not end with: what was installed is untouched, and nothing is beside it."""
    text, before = source.read_text(), {path: path.read_bytes() for path in installed.iterdir()}
    compiler = env.get("CC") or "cc"
    source.write_text(text.replace("out[1] = in[1]", "out[1] = NAN"))
    assert "checks failed" in refused(sinew, source, env)
    # Another short name with the same id, and another id with the same short name.
    source.write_text(text.replace('.short_name = "my-black-box"', '.short_name = "other"'))
    said = refused(sinew, source, env)
    assert f"the id 'com.example.my-black-box' is taken by {installed / 'my-black-box.so'}; remove" in said, said
    source.write_text(text.replace('.id = "com.example.', '.id = "org.example.'))
    said = refused(sinew, source, env)
    assert "my-black-box.so is another plug-in, with the id 'com.example.my-black-box'" in said, said
    source.write_text(text)
    # Ctrl-C reaches the compiler and the program. It may be pressed when the compiler is done.
    assert "stopped; nothing was written" in refused(sinew, source, env, cc="kill -INT $PPID; kill -INT $$")
    assert "ended by signal 9" in refused(sinew, source, env, cc="kill -KILL $$")
    assert "stopped; nothing was written" in refused(sinew, source, env, cc=f'{compiler} "$@"; kill -INT $PPID')
    # Or between the checks: a fit takes its time, and there are several.
    source.write_text(text.replace("(void)input;", "(void)input;\n\tfor (volatile long i = 0; i < 200000000; i++) {\n\t}"))
    with subprocess.Popen([sinew, "plugin", "build", source], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        while "load" not in program.stdout.readline():
            pass
        program.send_signal(signal.SIGINT)
        checks, said = program.communicate(timeout=100)
    assert program.returncode == 1 and "stopped" in said and "values" not in checks, (checks, said)
    source.write_text(text)
    assert before == {path: path.read_bytes() for path in installed.iterdir()}


def new_says_what_it_has_written(sinew, folder):
    def write_nothing():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    failed = subprocess.run([sinew, "plugin", "new", "full", "--kind", "blend"], cwd=folder, capture_output=True, text=True, check=False,
                            timeout=100, preexec_fn=write_nothing, restore_signals=False)
    assert failed.returncode == 1 and "full.c: could not be written" in failed.stderr and not failed.stdout, failed


def main():
    os.umask(0o077)
    sinew, meson, build, prefix, libdir = sys.argv[1:6]
    sinew, build, split = Path(sinew).resolve(), Path(build).resolve(), sys.argv.index("--")
    compilers = {"c11": [*sys.argv[6:split], "-pedantic"], "c++17": [*sys.argv[split + 1:], "-Wno-missing-field-initializers", "-x", "c++"]}
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        folder = Path(name)
        env = {**os.environ, "XDG_DATA_HOME": f"{name}/", "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
               "PATH": f"{sinew.parent}:{os.environ['PATH']}"}
        installed = folder / "sinew" / "plugins"
        words = installed_words(meson, build, folder / "root", prefix, libdir)
        for kind in KINDS:
            must(sinew, "plugin", "new", f"my-{kind}", "--kind", kind, cwd=folder)
            inside = folder / f"my-{kind}"
            for path in inside.iterdir():
                assert path.stat().st_mode & 0o777 == (0o700 if path.suffix == ".sh" else 0o600), path
            lines = sum(len(path.read_text().splitlines()) for path in inside.iterdir())
            assert lines <= MOST_LINES, f"{kind}: {lines} lines"
            for standard, compiler in compilers.items():
                out = folder / f"{kind}-{standard}.so"
                must(*compiler, f"-std={standard}", *STRICT, *FLAGS.split(), f"my-{kind}.c", "-x", "none", "-o", out, *words, cwd=inside)
                # C++ adds weak functions of its library.
                assert "sinew_entry" in exports(out) and (standard != "c11" or len(exports(out)) == 1), exports(out)
            begun = time.monotonic()
            # It is installed under the deformer's name, whatever the source's.
            shutil.copy(inside / f"my-{kind}.c", inside / "main.c")
            build_env = watched(folder, env, env.get("CC") or "cc") if kind == "blend" else env
            row = json.loads(must(sinew, "plugin", "build", inside / "main.c", "--json", env=build_env))
            seconds = time.monotonic() - begun
            assert [d["short_name"] for d in row["loaded"]] == [f"my-{kind}"] and len(row["checks"]) >= 10, row
            assert Path(row["path"]) == installed / f"my-{kind}.so" and Path(row["path"]).stat().st_mode & 0o777 == 0o700, row
            if kind == "blend":
                assert str(Path(row["path"]).stat().st_ino) in (folder / "flushed").read_text().split(), "it was not flushed"
            print(f"{kind}: {lines} lines, built, validated and installed in {seconds:.1f} s")
        what_is_installed_stays(sinew, folder / "my-black-box" / "my-black-box.c", env, installed)
        # A folder that everybody may write to is not searched.
        installed.chmod(0o777)
        assert "its folder is rejected" in refused(sinew, folder / "my-black-box" / "my-black-box.c", env)
        installed.chmod(0o700)
        new_says_what_it_has_written(sinew, folder)
        # With meson, which runs its test, without what was installed for this user.
        env["XDG_DATA_HOME"] = str(folder / "nothing")
        must(meson, "setup", folder / "built", cwd=folder / "my-corrective", env=env)
        must(meson, "test", "-C", folder / "built", env=env)


main()
