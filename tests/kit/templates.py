#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `sinew plugin new` writes builds in an empty folder from what is installed, as C11 and as C++17; with meson and its test; and by
`sinew plugin build`, which installs it. With $SINEW_EVERY_CHECK `plugin build` makes all kinds, otherwise two; meson builds a third.

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
BUILT = KINDS if "SINEW_EVERY_CHECK" in os.environ else ("blend", "black-box")  # which others below need
# The one line of the guide, behind the compiler.
FLAGS = "-O2 -shared -fPIC -fvisibility=hidden"
STRICT = ["-Wall", "-Wextra", "-Werror"]
MOST_LINES = 120
# Of processor time for `plugin build`, where no sanitizer slows it: a person who waits for it is not stopped by what else runs here.
MOST_SECONDS = 5


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


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def exports(path):
    return [line.split()[-1] for line in must("nm", "-D", "--defined-only", path).splitlines() if "__odr_asan" not in line]


# Stands in place of functions of the C library: writes down which files were flushed, and presses Ctrl-C before the program has a file for the
# compiler (with EARLY) or when a checked file is about to take its place.
STANDS_IN = r"""#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
int rename(const char *from, const char *to) {
	const char *name = strrchr(to, '/');
	if (name && strcmp(name, "/my-blend.so") == 0) {
		kill(getpid(), SIGINT);
	}
	return (int)syscall(SYS_renameat2, -100, from, -100, to, 0);
}
static int stop_and_make(const char *function, char *path) {
	int (*make)(char *) = (int (*)(char *))dlsym(RTLD_NEXT, function);
	if (getenv("EARLY") && strstr(path, "plugin.so")) {
		kill(getpid(), SIGINT);
	}
	return make(path);
}
int mkstemp(char *path) {
	return stop_and_make("mkstemp", path);
}
int mkstemp64(char *path) {
	return stop_and_make("mkstemp64", path);
}
"""
# A compiler whose linker puts a new file in the place of the one that it was given.
REPLACES = 'for out; do :; done; {} "$@" && cp "$out" "$out.new" && mv "$out.new" "$out"'


def watched(folder, env, compiler):
    """The environment for a build of which what it flushes is written to `flushed` in the folder, and that Ctrl-C reaches too late."""
    (folder / "stands-in.c").write_text(STANDS_IN.replace("LOG", str(folder / "flushed")))
    must(*compiler.split(), "-shared", "-fPIC", folder / "stands-in.c", "-o", folder / "stands-in.so")
    (folder / "replaces.sh").write_text(f"#!/bin/sh\n{REPLACES.format(compiler)}\n")
    (folder / "replaces.sh").chmod(0o700)
    return {**env, "CC": str(folder / "replaces.sh"), "LD_PRELOAD": str(folder / "stands-in.so"),
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


def stopped_in_a_check(sinew, source, env, is_loaded):
    """Builds a plug-in that says that it waits, in a check, and does so for ever. Ctrl-C reaches the program and its processes."""
    with subprocess.Popen([sinew, "plugin", "build", source], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as program:
        said = program.stderr.readline()
        while said and "it waits" not in said:
            said = program.stderr.readline()
        # Other plug-ins are installed, but what is printed is not held back for them.
        line = program.stdout.readline() if is_loaded else "load"
        while line and "load" not in line:
            line = program.stdout.readline()
        assert line
        os.killpg(program.pid, signal.SIGINT)
        said, checks = program.stderr.read(), program.stdout.read()
        program.wait(timeout=100)
    assert program.returncode == 1 and said.endswith(": stopped; nothing was written\n") and "FAILED" not in checks, (checks, said)


def what_is_installed_stays(sinew, source, env, installed, watched_env):
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
    # Or before it is started, or while a check runs, which gets the signal too. A static constructor that does not return is a check too.
    said = refused(sinew, source, {**watched_env, "EARLY": "1"}, cc="echo compiled >&2")
    assert said.endswith(": stopped; nothing was written\n") and "compiled" not in said, said
    waits = "fputs(\"it waits\\n\", stderr); for (;;) pause();"
    fit_begins = "character = input->character;"
    for at, replacement in {fit_begins: f"{fit_begins}\n\t{waits}",
                            "SNW_DEFORMER(": f"__attribute__((constructor)) static void wait_for_ever(void) {{ {waits} }}\nSNW_DEFORMER(",
                            "const double *in": f"{waits}\n\tconst double *in"}.items():
        assert at in text, at
        source.write_text("#include <stdio.h>\n#include <unistd.h>\n" + text.replace(at, replacement))
        stopped_in_a_check(sinew, source, env, "constructor" not in replacement)
    source.write_text(text)
    assert before == {path: path.read_bytes() for path in installed.iterdir()}


def new_says_what_it_has_written(sinew, folder):
    def write_nothing():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    failed = subprocess.run([sinew, "plugin", "new", "full", "--kind", "blend"], cwd=folder, capture_output=True, text=True, check=False,
                            timeout=100, preexec_fn=write_nothing, restore_signals=False)
    assert failed.returncode == 1 and "full.c: could not be written" in failed.stderr and not failed.stdout, failed


def says_what_comes_next(sinew, folder, env):
    """A line that is the command to go on with, as it is but for the project."""
    must(sinew, "sample", "small-arm", "-o", folder / "P.sinew", env=env)
    source = (folder / "my-black-box" / "my-black-box.c").read_text()
    (folder / "binds.c").write_text(source.replace(".traits = 0", ".traits = SNW_BINDS").replace("my-black-box", "binds"))
    for path, wanted in {"binds.c": "sinew stack P.sinew add binds", "my-black-box/my-black-box.c": "sinew fit my-black-box P.sinew"}.items():
        said = must(sinew, "plugin", "build", path, cwd=folder, env=env).splitlines()[-1]
        assert said == f"next: {wanted}", said
        must("sh", "-c", wanted, cwd=folder, env=env)
    said = must(sinew, "plugin", "build", "my-blend/my-blend.c", "-o", "next.so", cwd=folder, env=env).splitlines()[-1]
    found = f"SINEW_PLUGIN_PATH='{folder / 'next.so'}'"
    assert said == f"next: {found} sinew measure P.sinew --method my-blend", said
    must("sh", "-c", f"{found}:$SINEW_PLUGIN_PATH sinew measure P.sinew --method my-blend", cwd=folder, env=env)


def main():
    os.umask(0o077)
    sinew, meson, build, prefix, libdir = sys.argv[1:6]
    sinew, build, split = Path(sinew).resolve(), Path(build).resolve(), sys.argv.index("--")
    is_sanitized = b"__asan_init" in sinew.read_bytes()
    compilers = {"c11": [*sys.argv[6:split], "-pedantic"], "c++17": [*sys.argv[split + 1:], "-Wno-missing-field-initializers", "-x", "c++"]}
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        folder = Path(name)
        env = {**os.environ, "XDG_DATA_HOME": f"{name}/", "PKG_CONFIG_PATH": str(build / "meson-uninstalled"),
               "PATH": f"{sinew.parent}:{os.environ['PATH']}"}
        installed = folder / "sinew" / "plugins"
        words = installed_words(meson, build, folder / "root", prefix, libdir)
        watched_env = watched(folder, env, env.get("CC") or "cc")
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
            if kind not in BUILT:
                continue
            begun, used = time.monotonic(), processor_seconds()
            # It is installed under the deformer's name, whatever the source's.
            shutil.copy(inside / f"my-{kind}.c", inside / "main.c")
            row = json.loads(must(sinew, "plugin", "build", inside / "main.c", "--json", env=watched_env if kind == "blend" else env))
            seconds, used = time.monotonic() - begun, processor_seconds() - used
            assert used < MOST_SECONDS or is_sanitized, f"{kind}: {used} s of processor time"
            assert [d["short_name"] for d in row["loaded"]] == [f"my-{kind}"] and len(row["checks"]) >= 10, row
            assert Path(row["path"]) == installed / f"my-{kind}.so" and Path(row["path"]).stat().st_mode & 0o777 == 0o700, row
            if kind == "blend":
                assert str(Path(row["path"]).stat().st_ino) in (folder / "flushed").read_text().split(), "it was not flushed"
            if kind == "blend":  # meson runs that of the corrective, below; the others are alike
                must("./test.sh", row["path"], cwd=inside, env=env)
            print(f"{kind}: {lines} lines, built, validated and installed in {seconds:.1f} s")
        what_is_installed_stays(sinew, folder / "my-black-box" / "my-black-box.c", env, installed, watched_env)
        # A folder that everybody may write to is not searched.
        installed.chmod(0o777)
        assert "its folder is rejected" in refused(sinew, folder / "my-black-box" / "my-black-box.c", env)
        installed.chmod(0o700)
        new_says_what_it_has_written(sinew, folder)
        # With meson, which runs its test, without what was installed for this user.
        env["XDG_DATA_HOME"] = str(folder / "nothing")
        says_what_comes_next(sinew, folder, env)
        must(meson, "setup", folder / "built", cwd=folder / "my-corrective", env=env)
        must(meson, "test", "-C", folder / "built", env=env)


main()
