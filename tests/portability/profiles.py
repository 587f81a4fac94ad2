#!/usr/bin/env python3
"""The table of device classes in README.md, from engine/gpu/profiles.json.

usage: profiles.py [--check] TREE

--check writes nothing, and fails if the table is out of date or tests/gpu_machine.sh runs other profiles than there are.
"""
import json
import pathlib
import re
import sys

BEGIN, END = "<!-- tests/portability/profiles.py -->\n", "<!-- end of profiles -->"


def subgroups(row):
    """Subgroup sizes of a class's kernels."""
    if {"subgroup-operations", "subgroup-size-control"} & row["without"].keys():
        return "none used"
    smallest, largest = (row["limits"][name][0] for name in ("smallest_subgroup", "largest_subgroup"))
    return str(smallest) if smallest == largest else f"{smallest} to {largest}"


def line(row):
    kib = row["limits"]["shared_memory_bytes"][0] // 1024
    without = ", ".join(name for name in row["without"] if name != "subgroup-operations") or "-"
    return f"| {row['class']} | `{row['name']}` | {kib} KiB | {subgroups(row)} | {without} | {row['proven']} |\n"


def table(rows):
    head = "| class | `--profile` | groupshared memory | subgroups | without | proven |\n| --- | --- | --- | --- | --- | --- |\n"
    return head + "".join(line(row) for row in rows if "class" in row)


def usable(rows):
    """Names of the profiles that tests run in."""
    return {row["name"] for row in rows if not re.match("not|on hardware", row.get("proven", ""))}


def differences(tree, rows, text, fresh):
    found = [] if text == fresh else ["README.md: the table of device classes is out of date: run tests/portability/profiles.py ."]
    script = (tree / "tests/gpu_machine.sh").read_text().replace("\\\n", "")
    run = set(re.search(r"PROFILES:-([^}]*)}", script)[1].split()) - {"everything"}
    if run != usable(rows):
        found.append(f"tests/gpu_machine.sh: profiles differ from engine/gpu/profiles.json: {sorted(run ^ usable(rows))}")
    return found


def main():
    tree = pathlib.Path(sys.argv[-1])
    rows = json.loads((tree / "engine/gpu/profiles.json").read_text())["profiles"]
    readme = tree / "README.md"
    text = readme.read_text()
    before, rest = text.split(BEGIN)
    fresh = before + BEGIN + table(rows) + END + rest.split(END, 1)[1]
    if "--check" not in sys.argv:
        readme.write_text(fresh)
        return
    sys.exit("\n".join(differences(tree, rows, text, fresh)) or 0)


main()
