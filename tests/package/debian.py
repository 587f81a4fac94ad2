#!/usr/bin/env python3
"""Makes the Debian package, installs it in a bare Debian 12 and uses it there.

usage: debian.py BUILD

Exit code 77 if this machine cannot make a bare Debian: without root, debootstrap or the net.
"""
import os
import pathlib
import shutil
import sys
import tempfile

from packing import package, run

SKIPPED = 77
RELEASE, MIRROR = "bookworm", "http://deb.debian.org/debian"
# Line by line in the bare system, as a user who has just installed it. mesa-vulkan-drivers is recommended, not required: a machine may have its own driver.
STEPS = """
apt-get update -qq
apt-get install -y -qq --no-install-recommends /root/splatwright.deb mesa-vulkan-drivers
splatwright --version
splatwright info
splatwright synth /root/data --views 6 --size 64x48
splatwright train /root/data -o /root/run --steps 20 --strategy fixed
splatwright render /root/run/splats.ply --orbit 2 --size 64x48 -o /root/pictures
splatwright convert /root/run/splats.ply /root/splats.sog
test -s /root/pictures/orbit_0001.png
test -s /usr/share/man/man1/splatwright-train.1 || test -s /usr/share/man/man1/splatwright-train.1.gz
test -s /usr/share/applications/splatwright.desktop
test -s /usr/share/mime/packages/splatwright.xml
apt-get install -y -qq --no-install-recommends libglib2.0-bin shared-mime-info desktop-file-utils
gio info -a standard::content-type /root/run/splats.ply | grep application/x-splat-ply
gio info -a standard::content-type /root/splats.sog | grep application/x-sog
gio mime application/x-splat-ply | grep splatwright.desktop
bash -n /usr/share/bash-completion/completions/splatwright
apt-get remove -y -qq splatwright
test ! -e /usr/bin/splatwright
"""


def use(deb, root):
    shutil.copy(deb, root / "root/splatwright.deb")
    run("mount", "--bind", "/proc", root / "proc")
    try:
        for step in STEPS.strip().splitlines():
            print(f"$ {step}\n{run('chroot', root, 'bash', '-c', 'export DEBIAN_FRONTEND=noninteractive; ' + step)[-600:]}", flush=True)
    finally:
        run("umount", root / "proc")


def main(build):
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("Skipped: a bare Debian needs root and debootstrap")
        return SKIPPED
    deb = package(build, "splatwright_*.deb", "-G", "DEB")
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "debian"
        try:
            run("debootstrap", "--variant=minbase", RELEASE, root, MIRROR)
        except RuntimeError as failure:
            print(f"Skipped: {failure}")
            return SKIPPED
        use(deb, root)
    print(f"{deb.name} installs, runs and goes away again")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
