# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that the program writes, read."""

import re
from html.parser import HTMLParser

VOID = {"meta", "img", "input"}


class Page(HTMLParser):
    """The page as a tree of nothing but what is asked: cells by table, pictures, scripts that have an id, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.images, self.loads, self.heads, self.scripts = [], [], [], [], [], {}
        self.script = None  # the id of the one that is read
        self.feed(text)
        assert self.open == [], f"elements that are not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)
        self.loads += [value for name, value in attributes.items() if name in ("src", "href", "action", "data")]
        self.script = attributes.get("id") if tag == "script" else None
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and "tbody" in self.open:
            self.tables[-1].append([])
        elif tag == "td":
            self.tables[-1][-1].append(attributes.get("data-v", ""))
        elif tag == "img":
            self.images.append(attributes["src"])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()
        self.script = None

    def handle_data(self, text):
        if self.script:
            self.scripts[self.script] = self.scripts.get(self.script, "") + text
        elif self.open and self.open[-1] == "td" and self.tables[-1][-1][-1] == "":
            self.tables[-1][-1][-1] = text
        elif self.open and self.open[-1] == "h2":
            self.heads.append(text)


def names_no_address(text):
    """Whether nothing in the page is elsewhere."""
    return not re.search(r"https?://|url\(|@import|<link", text)
