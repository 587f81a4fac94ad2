#!/usr/bin/env python3
"""Opens a page of `explain` in headless Chromium without the net, takes every slider through all its steps, and looks at what the figures show.

usage: explain_page.py SPLATWRIGHT [OUT.png]

OUT.png keeps a screenshot. Exit code 77 if this machine has no Chromium.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import packages

SKIPPED = 77
SECTIONS = ["picture", "lists", "radix", "bitonic", "blend", "backward", "methods", "draw"]
STEPPED = {"radix", "bitonic", "blend", "backward", "draw"}
LEAST_ELEMENTS = 20  # of a figure with anything in it
WATCH = "<script>window.errors = []; window.onerror = (message) => { window.errors.push(String(message)); };</script>"
REPORT = """<script>
const report = { errors: window.errors, sections: {} };
for (const section of document.querySelectorAll("section")) {
  const found = { labels: [], least: Infinity, wrong: 0 };
  const look = () => {
    found.least = Math.min(found.least, section.querySelectorAll("svg *").length);
    for (const element of section.querySelectorAll("svg *"))
      for (const { value } of element.attributes) if (/NaN|undefined|Infinity/.test(value)) ++found.wrong;
  };
  const slider = section.querySelector("input[type=range]");
  look();
  for (let i = 0; slider && i <= Number(slider.max); ++i) {
    slider.value = i;
    slider.oninput();
    found.labels.push(section.querySelector(".label").textContent);
    look();
  }
  report.sections[section.id] = found;
}
const out = document.createElement("pre");
out.id = "report";
out.textContent = JSON.stringify(report);
document.body.append(out);
</script>"""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr}")
    return done.stdout


def chromium(browser, *arguments):
    return run(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=5000", *arguments)


def page_of(splatwright, folder):
    run(splatwright, "synth", folder / "data", "--views", "8", "--size", "96x72", "-q")
    run(splatwright, "train", folder / "data", "-o", folder / "run", "--steps", "60", "-q")
    page = folder / "a <page>.html"
    run(splatwright, "explain", folder / "run/splats.ply", folder / "data", "--pixel", "40,40", "--html", page)
    return page


def faults(report):
    """What is wrong with what the page did."""
    for error in report["errors"]:
        yield f"the page's program failed: {error}"
    if sorted(report["sections"]) != sorted(SECTIONS):
        yield f"the page has the sections {sorted(report['sections'])}, expected {sorted(SECTIONS)}"
    for name, found in report["sections"].items():
        if found["least"] < LEAST_ELEMENTS:
            yield f"figure {name} has {found['least']} elements at some step, expected at least {LEAST_ELEMENTS}"
        if found["wrong"]:
            yield f"figure {name} has {found['wrong']} attributes that are no numbers"
        labels = found["labels"]
        if name in STEPPED and (len(labels) < 2 or not all(labels) or len(set(labels)) < len(labels) / 2):
            yield f"the slider of {name} says {labels}"


def look_at(browser, page, folder, out):
    text = page.read_text(encoding="utf-8")
    watched = folder / "watched.html"
    watched.write_text(text.replace("<head>", "<head>" + WATCH, 1).replace("</body>", REPORT + "</body>", 1), encoding="utf-8")
    shown = chromium(browser, "--dump-dom", watched.as_uri())
    if out:
        chromium(browser, "--window-size=1200,5200", f"--screenshot={out}", page.as_uri())
    report = re.search(r'<pre id="report">(.*?)</pre>', shown, re.DOTALL)
    return json.loads(html.unescape(report[1])) if report else {"errors": ["there is no report"], "sections": {}}


def main():
    browser, out = packages.browser_here(), pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) == 3 else None
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        found = list(faults(look_at(browser, page_of(pathlib.Path(sys.argv[1]).resolve(), folder), folder, out)))
    for fault in found:
        print(fault)
    print("wrong" if found else "every figure of the page shows its steps")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        sys.exit(main())
    except packages.Unavailable as missing:
        print(f"Skipped: {missing}")
        sys.exit(SKIPPED)
