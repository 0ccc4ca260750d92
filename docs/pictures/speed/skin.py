#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws skin.svg from `sinew bench skin --json` on standard input."""
import json
import sys

rows = [row for row in json.load(sys.stdin)["rows"] if row["threads"] == 1 and row["blend"]]
rows = [row for row in rows if row["ratio"] > 0] + [row for row in rows if row["ratio"] == 0 and row["shapes"] == 0]
most = max(row["points_a_second"] for row in rows)
height = 18 * len(rows) + 34
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" font-family="sans-serif" font-size="11">')
print('<rect width="100%" height="100%" fill="#fff"/><text x="8" y="18">Million points a second, one thread</text>')
for i, row in enumerate(rows):
    y = 30 + 18 * i
    width = 340 * row["points_a_second"] / most
    colour = "#2a6f97" if row["evaluator"] == "fast" else "#999"
    normals = "" if row["normals"] == "none" else f', normals: {row["normals"]}'
    name = f'{row["evaluator"]} {row["blend"]} {row["influences"]}, {row["order"]} {row["kernels"]}{normals}'
    ratio = f' ({row["ratio"]:.2f}×)' if row["ratio"] > 0 else ""
    print(f'<text x="8" y="{y + 12}">{name}</text><rect x="340" y="{y}" width="{width:.1f}" height="14" fill="{colour}"/>')
    print(f'<text x="{344 + width:.0f}" y="{y + 12}">{row["points_a_second"] / 1e6:.0f}{ratio}</text>')
print("</svg>")
