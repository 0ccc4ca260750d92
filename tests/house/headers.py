#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every header for plug-in authors compiles by itself, as pedantic C11 and as C++17, without a warning.

Arguments: the C compiler's words, then "--", then the C++ compiler's.
"""

import subprocess
import sys

from sources import ROOT, sources

INCLUDES = [f"-I{ROOT / 'plugins' / folder}" for folder in ("include", "runtime")]
FLAGS = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


def compile_alone(compiler, language, standard, header):
    """The compiler's words on a file that holds nothing but this include; empty where there are none."""
    # A second include shows that the guard guards; the helpers are static, so that unused ones are no news.
    text = f'#include "{header}"\n#include "{header}"\n'
    command = [*compiler, f"-std={standard}", *FLAGS, *INCLUDES, "-x", language, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def main():
    split = sys.argv.index("--")
    c, cpp = sys.argv[1:split], sys.argv[split + 1:]
    headers = [path for path in sources(".h") if path.is_relative_to(ROOT / "plugins")]
    faults = []
    for path in headers:
        name = f"sinew/{path.name}"
        faults += [compile_alone(c, "c", "c11", name), compile_alone(cpp, "c++", "c++17", name)]
    print(*filter(None, faults), sep="\n")
    print(f"{len(headers)} headers looked at")
    return 1 if any(faults) or not headers else 0


sys.exit(main())
