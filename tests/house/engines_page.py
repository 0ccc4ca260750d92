#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of docs/engines.md has the limits of the table in the code, `--for` lists the same engines, and each world has a part
about playing correctives."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def limits_of_code():
    """Of each engine: influences, joints and targets (None: any)."""
    code = (ROOT / "host" / "export" / "formats.c").read_text(encoding="utf-8")
    known = {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", code.split("enum {")[1].split("}")[0])}
    known["UINT32_MAX"] = None
    rows = re.findall(r'^\t\{"(\w+)", "[^"]+", (\d+), (\w+), (\w+), (?:true|false), (?:true|false)\},$', code, re.MULTILINE)
    number = lambda text: int(text) if text.isdigit() else known[text]
    return {name: (int(influences), number(joints), number(targets)) for name, influences, joints, targets in rows}


def limits_of_page():
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| ([\d,]+|any) \| ([\d,]+|any) \|", page, re.MULTILINE)
    number = lambda text: None if text == "any" else int(text.replace(",", ""))
    return {name: (int(influences), number(joints), number(targets)) for name, influences, joints, targets in rows}


def parts_missing():
    """Every world has its part, and one that was not run says so."""
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8").split("## Playing correctives\n")[1].split("\n## ")[0]
    parts = dict(part.split("\n", 1) for part in page.split("\n### ")[1:])
    for world in ("three.js", "Babylon.js", "Blender", "Godot", "Unity", "Unreal", "Maya"):
        text = next((text for title, text in parts.items() if world in title), "")
        if not text or world in ("Godot", "Unity", "Unreal", "Maya") and "run**" not in text:
            yield f"{world}: docs/engines.md has no part that says how its correctives play, and whether it was run"


def main():
    code, page = limits_of_code(), limits_of_page()
    assert len(code) >= 8, f"the table of the code is not read: {code}"
    option = (ROOT / "host" / "export" / "export.h").read_text(encoding="utf-8")
    listed = re.search(r'#define SNW_ENGINE_NAMES "([^"]+)"', option).group(1).split("|")
    wrong = [f"{name}: docs/engines.md has {page.get(name)}, the code {code.get(name)}"
             for name in sorted(code.keys() | page.keys()) if code.get(name) != page.get(name)]
    wrong += parts_missing()
    if listed != list(code):
        wrong.append(f"--for lists {listed}, the code {list(code)}")
    print("\n".join(wrong) or f"{len(code)} engines are alike")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
