#!/usr/bin/env python3
"""Counts functions, those that are called once, and the longest ones.

usage: functions.py [ROOT] [--list once|long]

A function counts as called once if its name stands at one place beside its definition and declarations, in engine/ and app/. Left out: names with
several definitions, virtual ones and overrides, operators, constructors, and those that a table's row names.
"""
import argparse
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As clang-format lays out: at the line's start or in a class or namespace body, ending in an opening brace.
DEFINITION = re.compile(r"^(?P<indent> {0,8})(?!return|else|if|for|while|switch|do|case|namespace|struct|class|enum|using|template|public|private|#)"
                        r"(?P<before>[\w:<>,&*\s\[\]]*?[\w>&*\]]\s[&*]*)?(?P<name>(?:\w+::)*~?\w+)\((?P<rest>[^;{}]*)\)(?P<after>[\w\s]*(?:->\s*[\w:<>]+\s*)?)\{", re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*")


def without_comments_and_text(text):
    return re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', lambda m: "" if m[0].startswith("//") else '""', text)


def body_lines(text, start):
    depth = 0
    for i in range(start, len(text)):
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text.count("\n", start, i) + 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", default=ROOT, type=pathlib.Path)
    parser.add_argument("--list", choices=["once", "long"])
    options = parser.parse_args()
    texts = {p.relative_to(options.root).as_posix(): without_comments_and_text(p.read_text()) for top in ("engine", "app")
             for p in sorted((options.root / top).rglob("*")) if p.suffix in (".h", ".cpp")}
    uses = collections.Counter(word for text in texts.values() for word in TOKEN.findall(text))
    found = collections.defaultdict(list)
    for file, text in texts.items():
        for match in DEFINITION.finditer(text):
            name = match["name"].split("::")[-1]
            scope = match["name"].split("::")[:-1]
            if not match["before"] or name in scope or name.startswith("operator") or "override" in match["after"]:
                continue
            found[name].append((file, text.count("\n", 0, match.start()) + 1, body_lines(text, match.end() - 1)))
    once, long = [], []
    for name, places in found.items():
        for file, line, lines in places:
            if lines > 60:
                long.append((lines, name, f"{file}:{line}"))
        if len(places) == 1:
            file, line, lines = places[0]
            declarations = sum(len(re.findall(rf"[\w>&*\]]\s[&*]*{name}\([^;{{}}]*\)[^;{{}}]*;", text, re.M)) for path, text in texts.items() if path.endswith(".h"))
            if uses[name] - 1 - declarations == 1:
                once.append((name, f"{file}:{line}", lines))
    total = sum(len(p) for p in found.values())
    print(f"{len(texts)} files, {total} functions, {len(once)} called once ({100 * len(once) / total:.0f} %), {len(long)} of more than 60 lines")
    for row in {"once": sorted(once, key=lambda r: r[2]), "long": sorted(long, reverse=True), None: []}[options.list]:
        print(*row)


if __name__ == "__main__":
    main()
