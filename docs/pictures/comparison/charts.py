#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the charts and some error maps out of a page of `sinew compare`: charts.py PAGE.html PREFIX METHOD…

PREFIX-points.svg, PREFIX-poses.svg and PREFIX-cost.svg are its charts; PREFIX-METHOD.png the error maps of the methods ("ground truth" is
one)."""
import base64
import re
import sys
from pathlib import Path

page, prefix, *methods = sys.argv[1:]
text = Path(page).read_text(encoding="utf-8")
style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
colours = re.findall(r":root\{[^}]*\}", style)
rules = (f"{colours[0]}@media(prefers-color-scheme:dark){{{colours[1]}}}svg{{background:var(--panel)}}"
         "text{fill:var(--ink);font:13px system-ui,sans-serif}.quiet{fill:var(--quiet)}")
for name, chart in zip(("points", "poses", "cost"), re.findall(r"<svg.*?</svg>", text, re.S)):
    chart = chart.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(">", f"><style>{rules}</style>", 1)
    Path(f"{prefix}-{name}.svg").write_text(chart + "\n", encoding="utf-8")
for name, picture in re.findall(r'<figcaption>([^<]*)</figcaption><img alt="" src="data:image/png;base64,([^"]*)"', text):
    if name in methods:
        Path(f"{prefix}-{name.replace(' ', '-').replace('+', '-')}.png").write_bytes(base64.b64decode(picture))
