"""What tests of packages have in common: running programs, and packing with cpack."""
import subprocess


def run(*command, folder=None):
    """What a program writes; a RuntimeError with the end of it if the program fails."""
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}")
    return done.stdout


def package(build, pattern, *options):
    """Packs the build with cpack's options: the only file of this pattern in the build's folder."""
    for old in build.glob(pattern):
        old.unlink()
    run("cpack", *options, folder=build)
    found = list(build.glob(pattern))
    if len(found) != 1:
        raise RuntimeError(f"found {found}, expected one package")
    return found[0]
