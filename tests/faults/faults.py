"""The planted faults of this folder: reads NAME.toml, one file per area, and checks them against the sources."""
import dataclasses
import pathlib
import re
import tomllib

KEYS = {"name", "file", "text", "replacement", "tests"}
PLANTED = ("app/", "engine/", "shaders/")
TRAINING = ("train", "densify", "watch")
TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class NamedTest:
    """A test by its source and its name there, Suite.Name. `Sizes/Suite.Name/257` is one of a parametrised test's."""
    source: str
    name: str

    def base(self):
        """(Suite, Name) as the source has them."""
        suite, _, name = self.name.partition(".")
        return suite.rpartition("/")[2], name.partition("/")[0]

    def filter(self):
        """GoogleTest's filter of this test, with all parameters unless the name has one."""
        return f"{self.name}:{self.name}/*:*/{self.name}/*"


@dataclasses.dataclass(frozen=True)
class Fault:
    area: str
    name: str
    file: str
    text: str
    replacement: str
    tests: tuple

    def planted(self, source):
        """The source with the fault. Raises ValueError unless it has the text exactly once."""
        found = source.count(self.text)
        if found != 1:
            raise ValueError(f"{self.file}: has this text {found} times, expected once:\n{self.text}")
        return source.replace(self.text, self.replacement)


def read(folder):
    """The faults of all areas, in the order of the files. Raises ValueError for what is missing or too much."""
    faults = []
    for path in sorted(folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if set(content) != {"fault"}:
            raise ValueError(f"{path.name}: expected tables [[fault]] and nothing else")
        for number, row in enumerate(content["fault"], 1):
            if set(row) != KEYS or not row["tests"]:
                raise ValueError(f"{path.name}: fault {number} has the keys {sorted(row)}, expected {sorted(KEYS)} and at least one test")
            tests = tuple(NamedTest(*(part.strip() for part in test.split(": "))) for test in row["tests"])
            faults.append(Fault(path.stem, row["name"], row["file"], row["text"], row["replacement"], tests))
    return faults


def problems(root, faults, least, least_of_training):
    """What is wrong with the list, as lines of text."""
    found = []
    training = sum(fault.area in TRAINING for fault in faults)
    if len(faults) < least or training < least_of_training:
        found.append(f"{len(faults)} faults, {training} of training; expected at least {least} and {least_of_training}")
    names = [fault.name for fault in faults]
    found += [f"'{name}': two faults have this name" for name in sorted({name for name in names if names.count(name) > 1})]
    for fault in faults:
        found += [f"{fault.area}.toml: '{fault.name}': {problem}" for problem in _problems_of(root, fault)]
    return found


def _problems_of(root, fault):
    found = []
    path = root / fault.file
    if not fault.file.startswith(PLANTED) or not path.is_file():
        found.append(f"{fault.file} is no source of {', '.join(PLANTED)}")
    else:
        try:
            if fault.planted(source := path.read_text(encoding="utf-8")) == source:
                found.append("the replacement is the text itself")
        except ValueError as problem:
            found.append(str(problem))
    return found + [problem for test in fault.tests for problem in _problems_of_test(root, test)]


def _problems_of_test(root, test):
    source = root / test.source
    if not source.is_file():
        return [f"{test.source} does not exist"]
    return [] if test.base() in TEST.findall(source.read_text(encoding="utf-8")) else [f"{test.source} has no test {test.name}"]
