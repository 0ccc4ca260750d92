#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reference for plug-in authors from the headers beside it: each comment as text, what it declares as code, an index of names.

    reference.py OUT.md
"""

import re
import sys
from pathlib import Path

PLUGINS = Path(__file__).parent
# In the order in which the guide reads them.
INTERFACE = ("base", "view", "deformer", "program", "host", "parameter", "field", "helper_joints", "group_falloffs")
HELPERS = ("include/sinew/algebra.h", "runtime/sinew/plugin.h", "runtime/sinew/pool.h", "runtime/sinew/put.h", "runtime/sinew/bytes.h",
           "runtime/sinew/report.h", "runtime/sinew/skin.h", "runtime/sinew/surface.h")
# Of no use to a reader: what keeps a header from being read twice, and what C++ needs.
NOISE = re.compile(r"#ifdef __cplusplus\n(extern \"C\" \{|\})\n#endif\n|^#(ifndef|define) SINEW_\w+_H\n|^#endif\n\Z", re.MULTILINE)


def words_of(comment):
    """A comment's text: paragraphs, lists and indented examples as they are."""
    lines = [re.sub(r"^\s*(/\*|\*/|\*)? ?", "", line).removesuffix("*/").rstrip() for line in comment.strip().splitlines()]
    text = "\n".join(lines).strip()
    # Markdown would take a star as emphasis; examples are indented and stay as they are.
    kept = []
    for line in text.splitlines():
        term = re.match(r"  ? ?(\w+) {2,}(\S.*)", line)
        if term:
            line = f"- `{term.group(1)}`: {term.group(2)}"
        if not line.startswith("    "):
            parts = line.split("`")
            parts[::2] = [re.sub(r"([*<>])", r"\\\1", part) for part in parts[::2]]
            line = "`".join(parts)
        kept.append(line)
    return "\n".join(kept)


def split(text):
    """A header's opening comment and its items: (comment, code). An item ends at a blank line outside of braces."""
    text = text.split("*/", 1)
    opening = words_of(re.sub(r"^/\* SPDX-License-Identifier: MIT\n \* ?\n \*", "/*", text[0] + "*/"))
    body = NOISE.sub("", text[1])
    body = re.sub(r"^#include .*\n", "", body, flags=re.MULTILINE)
    items = []
    for block in re.split(r"\n\s*\n(?=[^\s}])", body):
        block = block.strip("\n")
        if not block.strip() or block.strip() == "#endif":
            continue
        comment = re.match(r"\s*(/\*.*?\*/)\n", block, flags=re.DOTALL)
        code = block[comment.end():] if comment else block
        items.append((words_of(comment.group(1)) if comment else "", code.rstrip()))
    return opening, items


def without_bodies(code):
    """Inline functions as declarations."""
    return re.sub(r"^((?:SNW_REPORT_FORMAT\(.*?\)\s)?static (?:inline )?[^\n;={]*?\([^{;]*?\)) \{\n.*?^\}$", r"\1;", code, flags=re.DOTALL | re.MULTILINE)


def names_of(code):
    """What an item declares."""
    found = re.findall(r"^typedef (?:struct|enum) (\w+)", code, flags=re.MULTILINE)
    found += re.findall(r"^(?:struct|enum) (\w+) \{", code, flags=re.MULTILINE)
    found += re.findall(r"^#define (SNW_\w+)", code, flags=re.MULTILINE)
    found += re.findall(r"^(?:\w+ )*static (?:inline )?[\w \*]*?(\w+)\(", code, flags=re.MULTILINE)
    found += re.findall(r"^typedef [^;{]*?(?:\*|\s)(snw_\w+)\)?(?:\([^;]*\))?;", code, flags=re.MULTILINE)
    found += re.findall(r"^\t(SNW_\w+) = 1u << ", code, flags=re.MULTILINE)
    return list(dict.fromkeys(found))


def section(path, index):
    """One header."""
    opening, items = split(path.read_text(encoding="utf-8"))
    anchor = f"sinew{path.name.replace('.', '')}"
    lines = [f"## sinew/{path.name}", "", opening, ""]
    for comment, code in items:
        code = without_bodies(code)
        for name in names_of(code):
            index.setdefault(name, anchor)
        lines += [comment, ""] if comment else []
        lines += ["```c", code, "```", ""]
    return lines


def page():
    index, lines = {}, []
    for name in INTERFACE:
        lines += section(PLUGINS / "include" / "sinew" / f"{name}.h", index)
    lines += ["# The helpers", "", "Headers only, optional, not part of the binary interface.", ""]
    for name in HELPERS:
        lines += section(PLUGINS / name, index)
    top = ["# Reference of Sinew's plug-in ABI: its headers as one page, after an index of their names", "",
           "Begin with the [guide](plugin-guide.md).", ""]
    rows = [f"[`{name}`](#{anchor})" for name, anchor in sorted(index.items(), key=lambda row: row[0].lower())]
    return "\n".join([*top, " · ".join(rows), "", *lines]).rstrip() + "\n"


Path(sys.argv[1]).write_text(page(), encoding="utf-8")
