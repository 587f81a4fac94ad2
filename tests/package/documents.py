#!/usr/bin/env python3
"""Compares man pages and completions with the command line's own help.

usage: documents.py SPLATWRIGHT DOCUMENTS

Every command, option and choice that --help prints is in each document. Bash answers with them; zsh, fish and mandoc check what they read where they are
installed, and the test says which are not.
"""
import pathlib
import re
import shutil
import subprocess
import sys

CHECKS = {"bash": ["-n"], "zsh": ["-n"], "fish": ["-n"]}
NAME = "splatwright"


def output(*command, text=None):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def commands_of(program):
    """Names of commands, in the order of --help."""
    text = output(program, "--help")
    return re.findall(r"^  ([a-z]+) ", text[text.index("Subcommands:"):], re.MULTILINE)


def options_of(program, command):
    """Long names of a command's options, without those of all commands, and choices by option."""
    text = output(program, command, "--help").split("Global options")[0]
    options, choices, last = [], {}, None
    for line in text.splitlines():
        option = re.match(r"  (?:-\w,)?(--[\w-]+)", line)
        if option:
            last = option[1]
            options.append(last)
        choice = re.match(r" {20,}([a-z0-9_-]+): ", line)
        if choice and last:
            choices.setdefault(last, []).append(choice[1])
    return options, choices


def roff(name):
    """A name with hyphens that can be copied from the page."""
    return name.replace("-", "\\-")


def completed(script, *words):
    """What bash answers to these words of a line."""
    line = " ".join(f"'{word}'" for word in words)
    return output("bash", "-c", f'source "{script}"; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _{NAME}; printf "%s\\n" "${{COMPREPLY[@]}}"').split()


def faults(program, folder):
    """Yields what is missing, and counts what was compared."""
    bash, zsh = folder / f"bash-completion/completions/{NAME}", folder / f"zsh/vendor-completions/_{NAME}"
    fish = folder / f"fish/vendor_completions.d/{NAME}.fish"
    commands = commands_of(program)
    if completed(bash, NAME, "") != commands:
        yield f"bash completes commands as {completed(bash, NAME, '')}, expected {commands}"
    lines = fish.read_text(encoding="utf-8").splitlines()
    compared = 0
    for command in commands:
        page = (folder / f"man/man1/{NAME}-{command}.1").read_text(encoding="utf-8")
        options, choices = options_of(program, command)
        words = completed(bash, NAME, command, "--")
        block = re.search(rf"^\s+{command}\)\s+own=\((.*?)^\s+\) ;;", zsh.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        own = [line for line in lines if f"__fish_seen_subcommand_from {command}'" in line]
        for option in options:
            compared += 1
            if f"\\fB{roff(option)}\\fR" not in page:
                yield f"{command} {option} is not in its man page"
            if option not in words:
                yield f"bash does not complete {command} {option}"
            if not block or f"{option}[" not in block[1]:
                yield f"zsh does not complete {command} {option}"
            if not any(f" -l {option[2:]} " in line for line in own):
                yield f"fish does not complete {command} {option}"
            for choice in choices.get(option, []):
                compared += 1
                if f".TP\n\\fB{roff(choice)}\\fR\n" not in page:
                    yield f"{command} {option} {choice} is not in its man page"
            if option in choices and completed(bash, NAME, command, option, "") != choices[option]:
                yield f"bash completes {command} {option} as {completed(bash, NAME, command, option, '')}, expected {choices[option]}"
    print(f"{len(commands)} commands, {compared} options and choices")
    if compared < 100:
        yield "hardly any option was found in --help"
    yield from syntax_faults({"bash": bash, "zsh": zsh, "fish": fish}, folder)


def syntax_faults(scripts, folder):
    for shell, script in scripts.items():
        if not shutil.which(shell):
            print(f"not checked: {shell} is not installed")
            continue
        done = subprocess.run([shell, *CHECKS[shell], script], capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            yield f"{shell} cannot read {script.name}: {done.stderr.strip()}"
    if not shutil.which("mandoc"):
        print("not checked: mandoc is not installed")
        return
    for page in sorted((folder / "man/man1").iterdir()):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True, check=False)
        wrong = [line for line in done.stdout.splitlines() if "missing date" not in line]  # builds are reproducible: pages have none
        if wrong:
            yield f"mandoc: {wrong[0]}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    found = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    print("\n".join(found) or "documents say what the program says")
    sys.exit(1 if found else 0)
