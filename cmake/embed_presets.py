"""embed_presets.py OUT FOLDER FILE.json...: writes the table of presets (engine/train/presets/presets.h) with the files' texts in it.

Presets in FOLDER are for use `train`; those in a folder below it for the use that the folder is named after.

A file that is no JSON object is refused here, when the program is built; names and values of settings are checked by a test.
"""
import json
import pathlib
import sys

DELIMITER = "preset"


def row(folder: pathlib.Path, path: pathlib.Path) -> str:
    text = path.read_text(encoding="utf-8")
    if not isinstance(json.loads(text), dict):
        sys.exit(f"{path}: expected a JSON object of settings")
    use = "train" if path.parent == folder else path.parent.name
    return f'    {{"{use}", "{path.stem}", R"{DELIMITER}({text}){DELIMITER}"}},\n'


def main() -> None:
    out, folder, *files = map(pathlib.Path, sys.argv[1:])
    rows = "".join(row(folder, path) for path in files)
    out.write_text(
        '#include <splatwright/train/presets/presets.h>\n\nnamespace splat {\n\nnamespace {\n\nconstexpr Preset kPresets[] = {\n'
        + rows
        + "};\n\n}  // namespace\n\nstd::span<const Preset> presetTable() { return kPresets; }\n\n}  // namespace splat\n",
        encoding="utf-8",
    )


main()
