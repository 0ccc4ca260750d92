#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names stay in their rooms: what a header of the kit declares, and what the kit's library exports, begins with snk_ or SNK_; and no
name that begins with snw_ or SNW_ is defined in the headers of two floors. docs/kit.md lists every header of the kit once.

Arguments: nm, and the kit's library.
"""

import re
import subprocess
import sys

from sources import ROOT, sources

KIT = ROOT / "plugins" / "kit"
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
TOKEN = re.compile(r"[A-Za-z_]\w*|[{}()\[\];,=*]")
WORDS = {"const", "static", "inline", "extern", "unsigned", "signed", "void", "int", "char", "double", "float", "long", "short",
         "typedef", "struct", "enum", "union", "sizeof", "return", "__attribute__"}


def closing(tokens, at):
    """Where the bracket at `at` is closed."""
    pairs = {"{": "}", "(": ")", "[": "]"}
    opened, closed, depth = tokens[at], pairs[tokens[at]], 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] == opened) - (tokens[i] == closed)
        if depth == 0:
            return i
    return len(tokens) - 1


def enumerators(tokens):
    """The names of an enumeration's body."""
    return [name for before, name in zip(["{"] + tokens, tokens) if before in "{," and re.match(r"[A-Za-z_]", name)]


def declared_by(statement):
    """Names that one statement at file scope declares; `statement` has its bodies as lists."""
    names = []
    words = [token for token in statement if isinstance(token, str)]
    for before, token, after in zip([None] + statement, statement, statement[1:] + [None]):
        if isinstance(after, list) and before in ("struct", "union", "enum"):
            names.append(token)
        if isinstance(token, list) and "enum" in words:
            names += enumerators(token)
    has_body = any(isinstance(token, list) for token in statement)
    if words[:1] == ["typedef"]:
        function = re.search(r"(\w+) \(", " ".join(words))
        name = function[1] if function and function[1] not in WORDS else next(
            (word for word in reversed(words) if re.match(r"[A-Za-z_]", word)), None)
        is_forward = not has_body and words[1] in ("struct", "union", "enum") and len(words) == 4
        return names + ([] if is_forward or name is None else [name])
    for before, token, after in zip([None] + words, words, words[1:]):
        if after == "(" and re.match(r"[A-Za-z_]", token) and token not in WORDS and before not in (None, "("):
            return names + [token]
    return names


def statements(text):
    """The statements at file scope, comments, texts and directives left out."""
    text = DIRECTIVE.sub("", COMMENT_OR_TEXT.sub(lambda match: "0" if match[0][0] in "\"'" else " ", text))
    text = re.sub(r"extern\s+0\s*\{", "", text)
    tokens = TOKEN.findall(text)
    statement, at = [], 0
    while at < len(tokens):
        if tokens[at] == "{":
            end = closing(tokens, at)
            body = tokens[at + 1:end]
            statement.append(body)
            at = end + 1
            if any(token == "(" for token in statement) and "=" not in statement:
                yield statement
                statement = []
        elif tokens[at] == ";":
            if statement:
                yield statement
            statement, at = [], at + 1
        elif tokens[at] == "}":
            at += 1
        else:
            statement.append(tokens[at])
            at += 1


def defined_in(path):
    """Names of types, enumerators, functions and macros that a header defines or declares."""
    text = path.read_text(encoding="utf-8")
    guards = set(re.findall(r"#\s*ifndef\s+(\w+_H)\b", text))
    names = set(MACRO.findall(COMMENT_OR_TEXT.sub(" ", text))) - guards
    for statement in statements(text):
        names |= set(declared_by(statement))
    return names


def exported(nm, library):
    """The global symbols that a static library defines."""
    lines = subprocess.run([nm, "--defined-only", "--extern-only", library], capture_output=True, text=True, check=True).stdout
    return {words[2] for words in map(str.split, lines.splitlines()) if len(words) == 3}


def unlisted():
    """Headers of the kit that its page does not list once, and those that it lists and the kit lacks."""
    folder = KIT / "include" / "sinew" / "kit"
    headers = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.h"))
    rows = [line for line in (ROOT / "docs" / "kit.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    listed = [name for row in rows for name in re.findall(r"`([\w/-]+\.h)`", row) if not name.startswith("sinew/")]
    return [f"docs/kit.md lists {name} {listed.count(name)} times" for name in sorted({*headers, *listed})
            if name not in headers or listed.count(name) != 1]


def main():
    faults, floors = unlisted(), {}
    headers = [path for path in sources(".h") if path.relative_to(ROOT).parts[0] in ("plugins", "deformers", "host", "ui")]
    for path in headers:
        names = defined_in(path)
        where = path.relative_to(ROOT)
        if path.is_relative_to(KIT):
            faults += [f"{where}: {name} does not begin with snk_" for name in sorted(names) if name[:4].lower() != "snk_"]
        for name in names:
            if name[:4].lower() == "snw_":
                floors.setdefault(name, set()).add(where.parts[0])
    faults += [f"{name} is defined in {' and '.join(sorted(found))}" for name, found in sorted(floors.items()) if len(found) > 1]
    symbols = exported(*sys.argv[1:3])
    faults += [f"the kit's library exports {name}" for name in sorted(symbols)
               if not name.startswith("snk_") and not name.startswith(("__asan", "__odr_asan", "__ubsan", "DW.ref."))]
    print(*faults, sep="\n")
    print(f"{len(headers)} headers and {len(symbols)} symbols looked at, {len(floors)} names")
    return 1 if faults or not symbols or not floors else 0


sys.exit(main())
