#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/debian: the packages are built, lintian finds no error in them, and on a bare system, with nothing but them and what
they depend on, the README's five minutes run.

Arguments: the program, of which nothing is used, and a folder of packages if they are built already."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from harness import Skip, run
from sources import ROOT

# Of the top folder: what is no source.
LEFT_OUT = ("build*", "out", "node_modules", ".git", "debian", "shared")
INSTALL = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q", "--no-install-recommends"]


def command(*words, cwd=None, statuses=(0,)):
    """What it prints."""
    env = {**{name: value for name, value in os.environ.items() if name != "DISPLAY"}, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(list(map(str, words)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, env=env, errors="replace")
    assert done.returncode in statuses, f"{shlex.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-3000:]}"
    return done.stdout


def expect_tools():
    if os.getuid() != 0:
        raise Skip("only root can make a bare system and enter it")
    for tool in ("debootstrap", "dpkg-buildpackage", "dh", "lintian", "unshare", "Xvfb"):
        if not shutil.which(tool):
            raise Skip(f"no {tool}")
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, check=False).returncode:
        raise Skip("unshare is not allowed here")


def build(folder):
    """The packages, from a copy of the sources."""
    tree = folder / "sinew"
    tree.mkdir()
    for path in ROOT.iterdir():
        if not any(path.match(pattern) for pattern in LEFT_OUT):
            command("cp", "-r", path, tree)
    shutil.copytree(ROOT / "packaging" / "debian", tree / "debian")
    lacking = subprocess.run(["dpkg-checkbuilddeps"], cwd=tree, capture_output=True, text=True, check=False)
    if lacking.returncode:
        raise Skip(lacking.stderr.strip())
    said = command("dpkg-buildpackage", "-us", "-uc", "-b", cwd=tree)
    warnings = re.findall(r"^\S+\.(?:c|cpp|h):\d+:\d+: warning: .*$", said, re.MULTILINE)  # the compiler's; tools of Debian have theirs
    assert not warnings, warnings
    return folder


def mirror():
    """Where this system has its packages from."""
    sites = command("apt-get", "indextargets", "--format", "$(SITE)", "Origin: Debian", "Codename: bookworm",
                    "Created-By: Packages").split()
    if not sites:
        raise Skip("no sources of Debian 12")
    return sites[0]


class Bare:
    """A bare system in a folder, with apt as it is set up here. /proc is mounted for each command alone."""

    def __init__(self, root):
        self.root = root
        command("debootstrap", "--variant=minbase", "bookworm", root, mirror())
        for path in Path("/etc/apt/apt.conf.d").iterdir():
            if path.read_text(errors="replace").startswith("Acquire"):
                shutil.copy(path, root / "etc/apt/apt.conf.d")
        shutil.copy("/etc/resolv.conf", root / "etc")
        (root / "home/work").mkdir()
        self.run("apt-get", "update", "-q")

    def words(self, *words):
        """What runs a command in there, with a display where there is one."""
        inside = f'cd /home/work && exec env -i PATH={os.defpath} HOME=/home/work ${{DISPLAY:+DISPLAY=$DISPLAY}} "$@"'
        return ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc", "chroot", self.root, "sh", "-c",
                inside, "sh", *words]

    def run(self, *words):
        return command(*self.words(*words))

    def show(self, *words):
        """A window under an X server of the system outside: it stays open until it is closed."""
        server = ROOT / "tests" / "x_server.py"
        said = command(sys.executable, server, *self.words("timeout", "-k", "60", "20", *words), statuses=(124,))
        assert not said.strip(), said

    def install(self, packages):
        for package in packages:
            shutil.copy(package, self.root / "home/work")
        self.run(*INSTALL, *(f"./{package.name}" for package in packages))


def readme_lines():
    """The commands of the README's five minutes."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## Five minutes\n")[1].split("\n## ")[0]
    return [shlex.split(line, comments=True) for line in text.splitlines() if line.startswith("    sinew ")]


def five_minutes(bare):
    """As the page has them; the plug-in alone needs a compiler."""
    work = bare.root / "home/work"
    count = 0
    for words in readme_lines():
        if words[1:3] == ["plugin", "build"]:
            bare.run(*INSTALL, "gcc", "libc6-dev")
        if words[1] == "view":
            bare.show(*words)
        else:
            bare.run(*words)
        count += 1
    made = ("hero.sinew", "sheet.png", "hero-skinned.glb", "tube.sinew", "tube.glb", "mine/mine.c")
    assert count > 15 and not [name for name in made if not (work / name).stat().st_size], count


def packages_install_on_a_bare_system_and_run_the_five_minutes(folder):
    expect_tools()
    built = Path(sys.argv[2]) if len(sys.argv) > 2 else build(folder)
    packages = [path for path in sorted(built.glob("*.deb")) if "dbgsym" not in path.name]
    assert len(packages) == 2, packages
    # A first package closes a bug of Debian that asks for it. There is none.
    without = ["--suppress-tags", "initial-upload-closes-no-bugs"]
    print(command("lintian", "--allow-root", "--fail-on", "error", *without, *packages), end="")
    listed = command("dpkg-deb", "--contents", packages[1])
    for path in ("man/man1/sinew-weights.1.gz", "zsh/vendor-completions/_sinew", "bash-completion/completions/sinew",
                 "applications/sinew.desktop", "doc/sinew/copyright"):
        assert f"./usr/share/{path}\n" in listed, path
    bare = Bare(folder / "bare")
    bare.install(packages)
    version = re.search(r'version: "?\'?([\d.]+)', (ROOT / "meson.build").read_text()).group(1)
    assert bare.run("sinew", "--version").startswith(f"sinew {version}\n")
    five_minutes(bare)


run([packages_install_on_a_bare_system_and_run_the_five_minutes])
