"""embed_explain_page.py OUT FOLDER: writes the source that defines explainPage() (app/commands/explain/explain_page.h).

FOLDER has the page with marks for its style and its scripts, which become one text; marks for what differs from page to page stay.
"""
import pathlib
import sys

SCRIPTS = ["figures", "lists", "sorts", "blend", "backward", "draw", "main"]
LINE = 4096  # bytes per literal


def literal(text):
    escaped = "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\?' else chr(byte) for byte in text)
    return f'    "{escaped}"'


def main():
    out, folder = map(pathlib.Path, sys.argv[1:])
    page = (folder / "page.html").read_text(encoding="utf-8")
    parts = {"/* style.css */": (folder / "style.css").read_text(encoding="utf-8"),
             "/* scripts */": "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)}
    for mark, text in parts.items():
        if page.count(mark) != 1:
            sys.exit(f"page.html has {page.count(mark)} marks {mark}, expected 1")
        page = page.replace(mark, text)
    data = page.encode("utf-8")
    lines = "\n".join(literal(data[at:at + LINE]) for at in range(0, len(data), LINE))
    out.write_text(f'#include "commands/explain/explain_page.h"\n\nnamespace splat::app {{\n\nstd::string_view explainPage() {{\n    return\n{lines};\n}}\n\n}}  // namespace splat::app\n',
                   encoding="utf-8")


main()
