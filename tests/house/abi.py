#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the plug-in ABI with abi.snapshot: sizes and offsets of structs, values of enumerations, ids of services, units that the host
knows, and the symbols that each shipped plug-in exports. So a change of the ABI shows as a change of that file.

Arguments: the C compiler's command, then "--", then the plug-ins. With SINEW_ACCEPT=1 the snapshot is written again."""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT

SNAPSHOT = Path(__file__).with_name("abi.snapshot")
INCLUDE = ROOT / "plugins" / "include"
# Not part of the binary interface.
HELPERS = ("algebra.h",)
# A pointer to one struct, although its name is a plural.
PLURAL_OF_ONE = "(?:displacements|values|rest_normals|previous)"


def header_text():
    """All ABI headers, without comments and with preprocessor lines kept."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((INCLUDE / "sinew").glob("*.h")) if path.name not in HELPERS]
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(texts), flags=re.DOTALL)


def member_names(body):
    """The names of a struct's members: of function pointers what stands in (*name), of others the last word."""
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.search(r"\(\s*(?:SNW_CALL\s*)?\*\s*(\w+)\s*\)", declaration)
        if pointer:
            yield pointer.group(1)
        else:
            for declarator in declaration.split(","):
                yield re.search(r"(\w+)\s*(\[[^\]]*\]\s*)*$", declarator).group(1)


def structs_of(text):
    """Each struct's name, members and whether it is frozen."""
    found = re.findall(r"^(?:typedef )?struct (\w+) \{(.*?)^\}([^;]*);", text, flags=re.DOTALL | re.MULTILINE)
    return [(name, body, "SNW_FROZEN" in tail) for name, body, tail in found]


def rule_faults(text):
    """Where the headers break the rule of growth that base.h states."""
    structs = structs_of(text)
    names = {name for name, _, _ in structs}
    frozen = {name for name, _, is_frozen in structs if is_frozen}
    for name, body, is_frozen in structs:
        has_size = re.match(r"\s*uint32_t size;", body) is not None
        if is_frozen == has_size:
            yield f"{name}: {'a frozen struct has a size' if is_frozen else 'it has no size and is not SNW_FROZEN'}"
    for name in sorted(names - frozen):
        for line in text.splitlines():
            # One star is a pointer to one struct; an array of them takes two.
            if re.search(rf"^\t(?:const )?(?:struct )?{name} \w", line):
                yield f"{name}: it may grow, but is embedded: {line.strip()}"
            if re.search(rf"\b{name} \*\w+s\b", line) and not re.search(rf"\b{name} \*{PLURAL_OF_ONE}\b", line):
                yield f"{name}: it may grow, but an array holds it by value: {line.strip()}"


def program_of(text):
    """A C program that prints the layout."""
    lines = []
    for name, body, _ in sorted(structs_of(text)):
        lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
        lines += [f'printf("  {member} %zu\\n", offsetof({name}, {member}));' for member in member_names(body)]
    constants = []
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", text, flags=re.DOTALL):
        body = re.sub(r"^\s*#.*$", "", body, flags=re.MULTILINE)
        constants += re.findall(r"(SNW_\w+)\s*=", body)
    lines += [f'printf("{name} %lld\\n", (long long){name});' for name in sorted(constants)]
    lines.append('#define ROW(name, value, words) printf("SNW_" #name " %d\\n", (value));')
    lines.append("SNW_STATUS_TABLE(ROW)")
    lines += [f'printf("{name} %s\\n", {name});' for name in sorted(re.findall(r"#define (SNW_(?:SERVICE|UNIT)_\w+)", text))]
    lines += [f'printf("{name} %d\\n", {name});' for name in ("SNW_ABI_MAJOR", "SNW_ABI_MINOR")]
    body = "\n".join(lines)
    return f'#include <stdio.h>\n#include "sinew/sinew.h"\n#include "sinew/helper_joints.h"\n#include "sinew/group_falloffs.h"\nint main(void) {{\n{body}\nreturn 0;\n}}\n'


def layout(compiler):
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "layout.c", Path(folder) / "layout"
        source.write_text(program_of(header_text()), encoding="utf-8")
        subprocess.run([*compiler, "-std=c11", f"-I{INCLUDE}", str(source), "-o", str(program)], check=True)
        return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


def exports(plugin):
    """The symbols that a shared object offers; what a sanitizer adds is not its own."""
    listing = subprocess.run(["nm", "-D", "--defined-only", plugin], check=True, capture_output=True, text=True).stdout
    names = (line.split()[-1] for line in listing.splitlines())
    return " ".join(sorted(name for name in names if not name.startswith(("__odr_asan", "__asan", "__ubsan"))))


def main():
    split = sys.argv.index("--")
    compiler, plugins = sys.argv[1:split], sys.argv[split + 1:]
    faults = list(rule_faults(header_text()))
    if faults:
        print(*faults, sep="\n")
        print("The rule of growth in plugins/include/sinew/base.h is broken.")
        return 1
    found = layout(compiler)
    found += "".join(f"exports {Path(p).name}: {exports(p)}\n" for p in sorted(plugins))
    if os.environ.get("SINEW_ACCEPT") == "1":
        SNAPSHOT.write_text(found, encoding="utf-8")
        print(f"{SNAPSHOT.name} is written anew: look at the change before you commit it")
        return 0
    known = SNAPSHOT.read_text(encoding="utf-8")
    if found == known:
        print(f"{len(found.splitlines())} lines agree")
        return 0
    print(*difflib.unified_diff(known.splitlines(), found.splitlines(), "abi.snapshot", "as built", lineterm=""), sep="\n")
    print("The ABI is not what tests/house/abi.snapshot says. If the change is meant, accept it")
    print("with: SINEW_ACCEPT=1 meson test -C BUILD abi")
    return 1


sys.exit(main())
