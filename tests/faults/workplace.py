"""Where faults are planted: a copy of the source tree with a build of its own, so that neither the user's tree nor its build ever changes."""
import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

KEPT_OPTIONS = ("SPLAT_", "CMAKE_BUILD_TYPE:", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_C_COMPILER:")


class Workplace:
    """`tree` and `build` lie in FOLDER-faults beside the build FOLDER.

    Where Linux permits it, the copies are mounted over the originals, for this process and its children alone: all paths then equal those of the
    build, whose copy is up to date from the start, and an edit of the tree meanwhile changes nothing here. Elsewhere the tree is built once from
    nothing.
    """

    def __init__(self, root, build, mounted):
        self.root, self.original_build = root, build
        self.home = build.with_name(build.name + "-faults")
        self.copy, self.build_copy = self.home / "tree", self.home / "build"
        self.mounted = mounted
        self.tree, self.build = (root, build) if mounted else (self.copy, self.build_copy)
        self.scratch = self.build / "scratch"

    def enter(self, script, arguments):
        """Prepares the copies. Does not return where they can be mounted, but runs the script again."""
        if not self.mounted:
            self._lock()
            self._copy_sources()
            if unshare := _unshare():
                self._copy_build()
                os.execvp(unshare[0], [*unshare, "sh", "-ec", self._mounts() + 'exec "$@"', "sh", sys.executable, script,
                                       str(self.original_build), "--placed", *arguments])
            self._configure()
        self.scratch.mkdir(exist_ok=True)
        os.chdir(self.scratch)  # the folder before may lie below the mounts

    @contextlib.contextmanager
    def planted(self, fault):
        """The tree with the fault; restores the file whatever happens. Its time becomes now, so that it is compiled again."""
        path = self.tree / fault.file
        before = path.read_text(encoding="utf-8")
        path.write_text(fault.planted(before), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")

    def _lock(self):
        """Held to the end of the process, also across exec."""
        self.home.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.home / "lock", os.O_CREAT | os.O_RDWR, 0o644)
        os.set_inheritable(descriptor, True)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{self.home}: a run already plants faults here; wait for its end, or give another build folder")

    def _copy_sources(self):
        """Makes the copy equal. Times of equal files stay: a copy that was planted and restored is newer than what was built of it."""
        listed = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True,
                                text=True, check=True).stdout.split("\0")
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        for name in wanted:
            source, copy = self.root / name, self.copy / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists():
                shutil.copy2(source, copy)
            elif copy.read_bytes() != source.read_bytes():
                shutil.copyfile(source, copy)
        for copy in [path for path in self.copy.rglob("*") if path.is_file()]:
            if copy.relative_to(self.copy).as_posix() not in wanted and "__pycache__" not in copy.parts:
                copy.unlink()

    def _copy_build(self):
        if self.build_copy.exists():
            return
        partial = self.build_copy.with_name("build.partial")
        shutil.rmtree(partial, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", self.original_build, partial], check=True)
        partial.rename(self.build_copy)

    def _mounts(self):
        """The copy of the build goes first, into that of the tree, if the build lies below it."""
        below = self.original_build.is_relative_to(self.root)
        build = self.copy / self.original_build.relative_to(self.root) if below else self.original_build
        build.mkdir(parents=True, exist_ok=True)
        return f"mount --bind '{self.build_copy}' '{build}'\nmount --rbind '{self.copy}' '{self.root}'\n"

    def _configure(self):
        if (self.build / "CMakeCache.txt").exists():
            return
        cache = (self.original_build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
        options = ["-D" + line for line in cache if line.startswith(KEPT_OPTIONS)]
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, *options], check=True)


def _unshare():
    """The command that gives a process mounts of its own; nothing where the system refuses that."""
    if not shutil.which("unshare"):
        return None
    rights = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    command = ["unshare", *rights, "--mount"]
    return command if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0 else None
