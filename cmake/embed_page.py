"""embed_page.py OUT FOLDER HEADER FUNCTION SCRIPT...: writes the source that defines FUNCTION() of HEADER, which returns a page as one text.

FOLDER has page.html with marks for its style (style.css) and its scripts (SCRIPT.js, in this order); marks for what differs from page to page stay.
"""
import pathlib
import sys

LINE = 4096  # bytes per literal


def literal(text):
    escaped = "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\?' else chr(byte) for byte in text)
    return f'    "{escaped}"'


def main():
    out, folder, header, function, *scripts = sys.argv[1:]
    out, folder = pathlib.Path(out), pathlib.Path(folder)
    page = (folder / "page.html").read_text(encoding="utf-8")
    parts = {"/* style.css */": (folder / "style.css").read_text(encoding="utf-8"),
             "/* scripts */": "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in scripts)}
    for mark, text in parts.items():
        if page.count(mark) != 1:
            sys.exit(f"page.html has {page.count(mark)} marks {mark}, expected 1")
        page = page.replace(mark, text)
    data = page.encode("utf-8")
    lines = "\n".join(literal(data[at:at + LINE]) for at in range(0, len(data), LINE))
    out.write_text(f'#include "{header}"\n\nnamespace splat::app {{\n\nstd::string_view {function}() {{\n    return\n{lines};\n}}\n\n}}  // namespace splat::app\n',
                   encoding="utf-8")


main()
