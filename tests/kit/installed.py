#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is installed is enough: an author's program sees the installed headers and libsinew-kit.a alone, compiles as C11 and as C++17
without a warning, and runs. All installed headers of the kit compile (that each does so alone, tests/house/headers.py shows). The pages are
installed with the pictures and files that they show.

Arguments: meson, the build folder, the prefix, the folders of the library, of the headers and of data, the value of b_sanitize, the C
compiler's words, "--", the C++ compiler's.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <sinew/kit/numerics/nnls.h>
#include <sinew/kit/numerics/eigen.h>

int main(void) {
	const double quarter_turn[9] = {0, -2, 0, 2, 0, 0, 0, 0, 2};
	double rotation[9];
	snk_nearest_rotation(quarter_turn, rotation);
	const double gram[4] = {1, 0, 0, 3};
	snk_nnls_problem problem = {2, gram, NULL};
	snk_nnls_solution solution;
	snk_nnls_solve(&problem, 0, NULL, &solution);
	if (fabs(rotation[3] - 1) > 1e-12 || solution.count != 2 || fabs(solution.weights[0] - 0.75) > 1e-9) {
		printf("the kit gives %g and %g, not 1 and 0.75\\n", rotation[3], solution.weights[0]);
		return 1;
	}
	return 0;
}
"""
FLAGS = ["-pedantic", "-Wall", "-Wextra", "-Werror"]


def fail(done):
    """The words of a command that failed, else nothing."""
    return (done.stdout + done.stderr) if done.returncode else ""


def run(*command, text=None):
    return subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, check=False)


def check(compiler, language, standard, sanitize, include, library, scratch):
    """Faults of one language."""
    flags = [*compiler, f"-std={standard}", *FLAGS, f"-I{include}"]
    headers = sorted((include / "sinew" / "kit").rglob("*.h"))
    text = "".join(f"#include <{header.relative_to(include)}>\n" for header in headers)
    faults = [fail(run(*flags, "-fsyntax-only", "-x", language, "-", text=text))]
    program = scratch / f"author-{standard}"
    extra = [] if sanitize == "none" else [f"-fsanitize={sanitize}"]
    done = run(*flags, *extra, "-x", language, "-", "-x", "none", f"-L{library}", "-lsinew-kit", "-lm", "-o", program, text=PROGRAM)
    faults.append(fail(done) or fail(run(program)))
    return faults


def check_pages(folder):
    """Faults of the installed pages: links to files that are not there."""
    pages = sorted([*folder.glob("*.md"), *(folder / "docs").glob("*.md")])
    names = {path.name for path in pages}
    faults = [f"{name} is not installed" for name in ("README.md", "plugin-guide.md", "plugin-reference.md", "kit.md") if name not in names]
    for page in pages:
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in link and not (page.parent / link).exists():
                faults.append(f"{page.relative_to(folder)} refers to {link}, which is not installed")
    if not (folder / "plugins" / "examples" / "centers" / "centers.c").exists():
        faults.append("the examples are not installed")
    return faults


def main():
    meson, build, prefix, libdir, includedir, datadir, sanitize = sys.argv[1:8]
    split = sys.argv.index("--")
    c, cpp = sys.argv[8:split], sys.argv[split + 1:]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        done = run(meson, "install", "--no-rebuild", "--tags", "devel,doc", "--destdir", scratch, "-C", build)
        root = scratch / Path(prefix).relative_to("/")
        include, library = root / includedir, root / libdir
        count = len(list((include / "sinew" / "kit").rglob("*.h")))
        faults = [fail(done), *check(c, "c", "c11", sanitize, include, library, scratch),
                  *check(cpp, "c++", "c++17", sanitize, include, library, scratch),
                  *check_pages(root / datadir / "doc" / "sinew")]
    print(*filter(None, faults), sep="\n")
    print(f"{count} installed headers looked at")
    return 1 if any(faults) or count < 10 else 0


sys.exit(main())
