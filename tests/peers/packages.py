"""Puts the programs of others in place, in the versions and with the hashes that are pinned beside this file."""
import hashlib
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LISTS = ["package.json", "package-lock.json", "requirements.txt"]
LEAST_NODE = 20
PYTHONS = [(3, 11), (3, 12), (3, 13)]
LIMIT = 600  # seconds for a download
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Unavailable(Exception):
    """This machine cannot have the packages; says why."""


def run(*command, folder=None):
    """Output of an installer. Throws Unavailable if it fails, and RuntimeError if what came is not what the lists pin."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired as late:
        raise Unavailable(f"{command[0]} did not end within {LIMIT} s") from late
    output = done.stdout + done.stderr
    if "EINTEGRITY" in output or "DO NOT MATCH THE HASHES" in output:
        raise RuntimeError(f"a package is not the pinned one:\n{output}")
    if done.returncode != 0:
        lines = output.strip().splitlines() or ["no message"]
        reason = next((line for line in lines if "error" in line.lower()), lines[-1])
        raise Unavailable(f"{pathlib.Path(command[0]).name} cannot install the packages: {reason}")
    return output


def require_tools():
    for tool in ("node", "npm"):
        if not shutil.which(tool):
            raise Unavailable(f"{tool} is not installed, expected Node.js {LEAST_NODE} or later")
    version = run("node", "--version").strip()
    if int(version.lstrip("v").split(".")[0]) < LEAST_NODE:
        raise Unavailable(f"Node.js is {version}, expected {LEAST_NODE} or later")
    if sys.version_info[:2] not in PYTHONS:
        raise Unavailable(f"Python is {sys.version.split()[0]}, expected {' or '.join(f'{a}.{b}' for a, b in PYTHONS)}")


def install(cache):
    """Folder with node_modules/ and python/, which is installed once for each state of the lists."""
    require_tools()
    return once(cache, [HERE / name for name in LISTS], lambda folder: (install_node(folder), install_python(folder)))


def install_beside(cache, lists):
    """Folder with node_modules/ of the lists in another folder, installed once for each state of them."""
    require_tools()
    return once(cache, [lists / "package.json", lists / "package-lock.json"], install_node)


def once(cache, lists, steps):
    state = hashlib.sha256(b"".join(path.read_bytes() for path in lists) + repr(sys.version_info[:2]).encode()).hexdigest()
    folder = cache / state[:16]
    done = folder / "complete"
    if done.exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in lists:
        shutil.copy(path, folder)
    steps(folder)
    done.touch()
    return folder


def use(installed, scripts=None):
    """Lets Python import what is installed, and puts our scripts where Node.js finds it: there, or in the folder `scripts`."""
    sys.path.insert(0, str(installed / "python"))
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, scripts or installed)


def install_node(folder):
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", folder=folder)


def install_python(folder):
    run(sys.executable, "-m", "pip", "install", "--require-hashes", "--only-binary=:all:", "--no-deps", "--retries=1", "--disable-pip-version-check",
        "--root-user-action=ignore", "--quiet", "--target", folder / "python", "--requirement", folder / "requirements.txt")


def browser_here():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise Unavailable(f"found none of {', '.join(BROWSERS)}")
    return found
