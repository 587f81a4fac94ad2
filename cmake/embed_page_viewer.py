"""embed_page_viewer.py OUT [PACKAGE]: writes the source that defines pageViewer() (engine/scene/formats/page/page_viewer.h).

PACKAGE is the unpacked npm package @playcanvas/supersplat-viewer; without it the viewer is empty. Its page, styles and program become one text, with marks
for what differs from page to page. A package that does not fit is refused here, when the program is built.
"""
import gzip
import pathlib
import re
import sys

# What the page may do: run what it contains, and load nothing from anywhere else.
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob: data:; worker-src blob: data:; style-src 'unsafe-inline'; "
          "img-src data: blob:; media-src data: blob:; font-src data:; connect-src data: blob:")
LINE = 4096  # bytes per literal


def replaced(text, pattern, by):
    """The text with the only match of a pattern replaced."""
    found = re.findall(pattern, text)
    if len(found) != 1:
        sys.exit(f"the viewer's page has {len(found)} matches of {pattern}, expected 1")
    return re.sub(pattern, lambda match: by, text)


def inlined(package, name, end):
    """A file that is to stand within an element, which `end` would close."""
    text = (package / "public" / name).read_text(encoding="utf-8")
    text = re.sub(r"\n(//# sourceMappingURL=.*|/\*# sourceMappingURL=.*\*/)\s*$", "\n", text)
    for wrong in (end, "<!--", "<script"):
        if wrong in text.lower():
            sys.exit(f"{name} contains {wrong}, expected none: it could not stand in a page")
    return text


def page(package):
    licence = (package / "LICENSE").read_text(encoding="utf-8")
    if "--" in licence or "MIT License" not in licence:
        sys.exit("LICENSE: expected the MIT License, without two hyphens in a row")
    text = (package / "public/index.html").read_text(encoding="utf-8")
    text = replaced(text, r"<title>[^<]*</title>", "<title>@title@</title>")
    text = replaced(text, r'<base href="" />', f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />')
    text = replaced(text, r'(?s)<script type="application/json" id="sse-bootstrap">.*?</script>',
                    '<script type="application/json" id="sse-bootstrap">@bootstrap@</script>')
    text = replaced(text, r'<link rel="stylesheet" href="\./index\.css" />', f"<style>{inlined(package, 'index.css', '</style')}</style>")
    text = replaced(text, r"import \{ createViewer \} from '\./index\.js';", inlined(package, "index.js", "</script"))
    note = f"<!--\nThe viewer in this page is PlayCanvas's supersplat-viewer with its engine:\n\n{licence}-->\n"
    return replaced(text, r"(?i)^<!doctype html>\n", "<!doctype html>\n" + note)


def literal(data):
    """Bytes as string literals, three octal digits each unless printable."""
    plain = {byte: chr(byte) for byte in range(32, 127) if chr(byte) not in '"\\?'}
    lines = ["".join(plain.get(byte, f"\\{byte:03o}") for byte in data[i:i + LINE]) for i in range(0, len(data), LINE)]
    return "\n".join(f'        "{line}"' for line in lines or [""])


def main():
    out, *package = map(pathlib.Path, sys.argv[1:])
    packed = gzip.compress(page(package[0]).encode(), 9, mtime=0) if package else b""
    out.write_text("#include <splatwright/scene/formats/page/page_viewer.h>\n\n"
                   '#pragma GCC diagnostic ignored "-Woverlength-strings"  // compilers take longer ones than they must\n\n'
                   "namespace splat {\n\nstd::string_view pageViewer() {\n"
                   f"    return {{\n{literal(packed)},\n        {len(packed)}}};\n}}\n\n}}  // namespace splat\n", encoding="utf-8")


main()
