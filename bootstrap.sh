#!/usr/bin/env bash
# From a fresh system to a built, demonstrated and tested Splatwright. `./bootstrap.sh help` lists the subcommands.
set -euo pipefail
if ((BASH_VERSINFO[0] * 10 + BASH_VERSINFO[1] < 44)); then
    echo "bootstrap: this is bash $BASH_VERSION, expected 4.4 or later (macOS: brew install bash, then open a new terminal)" >&2
    exit 1
fi
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly splatwright=build/release/bin/splatwright

# Names that Debian 12 and Ubuntu 24.04 share. The program, and a Vulkan driver that runs on any processor:
readonly build_packages=(
    build-essential cmake ninja-build ccache git pkg-config python3 python3-pip unzip
    libvulkan-dev libvulkan1 libvulkan-volk-dev mesa-vulkan-drivers
    libcli11-dev libfmt-dev libglm-dev libnanoflann-dev libspdlog-dev nlohmann-json3-dev
    libjpeg-dev libpng-dev libwebp-dev libzip-dev libzstd-dev zlib1g-dev libdeflate-dev
    libglfw3-dev libfreetype-dev libcivetweb-dev
)
# Photographs of phones and cameras: HEIC, AVIF, TIFF, raw and colour profiles; and EXR files of renders. Where one is missing, the program is built without it and says so.
readonly picture_packages=(libheif-dev libtiff-dev libraw-dev liblcms2-dev libopenexr-dev)
# Ubuntu has libheif's decoders and encoders in packages of their own.
readonly optional_picture_packages=(libheif-plugin-libde265 libheif-plugin-dav1d libheif-plugin-aomdec libheif-plugin-aomenc libheif-plugin-x265)
# Only the tests need these.
readonly test_packages=(libgtest-dev libx11-dev vulkan-validationlayers xvfb xauth clang-16 libclang-rt-16-dev clang-format-16 clang-tidy-16
    colmap ffmpeg)
# Installed with them where the distribution has them: without RenderDoc's header, --capture is left out of the build; without its Python
# module, the test that replays captures is.
readonly optional_test_packages=(librenderdoc-dev renderdoc python3-renderdoc)
# The program for Windows is built with these, and its tests run with Wine (cmake/windows).
readonly windows_packages=(g++-mingw-w64-x86-64-posix mingw-w64-tools nasm wine wine64 xvfb xauth)

# The same on a system without apt, where package names differ.
readonly tools=(c++ cmake ninja git pkg-config python3 unzip)
readonly build_headers=(
    vulkan/vulkan.h volk.h glm/glm.hpp CLI/CLI.hpp nlohmann/json.hpp fmt/format.h spdlog/spdlog.h
    nanoflann.hpp jpeglib.h png.h webp/decode.h zip.h zlib.h zstd.h
    GLFW/glfw3.h freetype2/ft2build.h civetweb.h
)
readonly test_headers=(gtest/gtest.h X11/Xlib.h)

# The same with Homebrew, on macOS: MoltenVK is the driver. Nobody has tried this yet.
readonly brew_packages=(
    cmake ninja ccache pkg-config coreutils
    vulkan-headers vulkan-loader vulkan-volk molten-vk shader-slang
    cli11 fmt glm nanoflann spdlog nlohmann-json jpeg-turbo libpng webp libzip zstd libdeflate
    glfw freetype civetweb libheif libtiff libraw little-cms2 openexr
)
readonly brew_test_packages=(googletest vulkan-validationlayers colmap ffmpeg)

# slangtorch carries the compiler, slangpy the SPIR-V optimiser that slangtorch leaves out. Wheels are unpacked, never installed.
readonly slang_version=2026.14.1
readonly slang_wheels="\
slangtorch==1.3.22 --hash=sha256:7755f2f53509ebbd65839dcd8a104e7105aeaf3e3600aea9385c2bec9beb2eaa
slangpy==0.43.1 --hash=sha256:965dbbd1d907c90e17027945780146a67c66baf766f3d0b8af3f52ea2c4a8eb9"

# What the demonstration does: less than five minutes of training on two busy cores where Vulkan runs in software, a larger run on a GPU.
readonly demo=build/demo
readonly demo_cpu_synth=(--views 24 --size 160x120)
readonly demo_cpu_train=(--strategy fixed --steps 250)
readonly demo_gpu_synth=(--views 120 --size 960x720)
readonly demo_gpu_train=(--steps 15000)

usage() {
    cat <<'END'
usage: ./bootstrap.sh COMMAND

  deps        install what the build needs: distribution packages (apt) and the Slang compiler
  deps test   the same, and what the tests need
  deps windows
              the same as deps, and what builds the program for Windows and runs it (cmake/windows)
  build       deps, then configure and build the release preset, without tests
  demo        build, then make a dataset, train on it, evaluate, render, and print where the images are
  try FOLDER [FILTER]
              build what these tests of tests/FOLDER need and run them; FILTER is a file (mcmc), a part of a test's name or GoogleTest's filter
  test-all [SECONDS]
              hours: test, every profile, every planted fault, and 1,000,000 fuzzed inputs for each reader of files, in at most SECONDS (3600) each
  test        deps test, then build everything and run the tests; further arguments go to ctest (-R NAME, -j N, ...)
END
}

say() { printf '== %s\n' "$*"; }

fail() {
    printf 'bootstrap: %s\n' "$*" >&2
    exit 1
}

# --- dependencies ---------------------------------------------------------------------------------

is_installed() { [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Prints the packages among the arguments that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        is_installed "$package" || printf '%s\n' "$package"
    done
}

# Prints the packages among the arguments that the distribution offers.
available_packages() {
    local package
    for package in "$@"; do
        if [[ $(apt-cache policy "$package") == *'Candidate: '[!\(]* ]]; then printf '%s\n' "$package"; fi
    done
}

as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "needs root, and there is no sudo, for: $*"
    fi
}

# Installs the packages that are missing; with the argument "test", those of the tests too, with "windows" those for Windows.
install_packages() {
    local packages=("${build_packages[@]}" "${picture_packages[@]}") missing optional=()
    if [[ ${1-} == test ]]; then packages+=("${test_packages[@]}"); fi
    if [[ ${1-} == windows ]]; then packages+=("${windows_packages[@]}"); fi
    mapfile -t missing < <(missing_packages "${packages[@]}")
    ((${#missing[@]})) || return 0
    say "installing ${missing[*]}"
    as_root apt-get -o Acquire::Retries=3 update
    local wanted=("${optional_picture_packages[@]}")
    if [[ ${1-} == test ]]; then wanted+=("${optional_test_packages[@]}"); fi
    mapfile -t optional < <(available_packages "${wanted[@]}")
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install --yes --no-install-recommends \
        "${missing[@]}" "${optional[@]}"
}

has_header() { printf '#include <cstddef>\n#include <cstdio>\n#include <%s>\n' "$1" | c++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

# Fails with what is missing on a system whose package manager this script does not know; argument as above.
check_without_apt() {
    local headers=("${build_headers[@]}") missing=() item
    if [[ ${1-} == test ]]; then headers+=("${test_headers[@]}"); fi
    for item in "${tools[@]}"; do
        command -v "$item" >/dev/null || missing+=("$item")
    done
    ((${#missing[@]} == 0)) || fail "this system has no apt; please install these tools and try again: ${missing[*]}"
    for item in "${headers[@]}"; do
        has_header "$item" || missing+=("<$item>")
    done
    ((${#missing[@]} == 0)) || fail "this system has no apt; please install the libraries with these headers: ${missing[*]}"
}

# Argument as above.
install_with_brew() {
    local packages=("${brew_packages[@]}")
    if [[ ${1-} == test ]]; then packages+=("${brew_test_packages[@]}"); fi
    say 'installing with Homebrew: nobody has tried this yet, so please report what fails'
    brew install --quiet "${packages[@]}"
}

has_slang() { cmake -P cmake/Slang.cmake >/dev/null 2>&1; }

# Prints a Python that has pip: the first on the PATH may be a bare virtual environment.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            printf '%s\n' "$python"
            return
        fi
    done
    fail "no python3 with pip"
}

# Downloads the wheels into $1; pip refuses any file that does not have the pinned hash.
download_slang_wheels() {
    local python
    python=$(python_with_pip)
    printf '%s\n' "$slang_wheels" >"$1/wheels.txt"
    "$python" -m pip download --require-hashes --no-deps --only-binary=:all: --python-version 3.11 --no-cache-dir \
        --dest "$1" --requirement "$1/wheels.txt"
}

# Unpacks from the wheels in $1 the few files that a compiler needs, into $1/slang.
unpack_slang() {
    mkdir -p "$1/slang/bin"
    unzip -q -j "$1"/slangtorch-*.whl 'slangtorch/bin/*' -d "$1/slang/bin"
    unzip -q -j "$1"/slangpy-*.whl 'slangpy/libslang-glslang-*.so' -d "$1"
    # slangc loads the optimiser by its own version; slangpy's of 2026.12 serves it as well.
    mv "$1"/libslang-glslang-*.so "$1/slang/bin/libslang-glslang-$slang_version.so"
    chmod 755 "$1/slang/bin/slangc"
}

# Compiles a kernel with the optimiser on, in $1.
try_slang() {
    cat >"$1/probe.slang" <<'END'
[shader("compute")]
[numthreads(64, 1, 1)]
void probe(uint3 thread : SV_DispatchThreadID, uniform uint count, RWStructuredBuffer<uint> values)
{
    if (thread.x < count)
        values[thread.x] = thread.x;
}
END
    "$1/slang/bin/slangc" "$1/probe.slang" -target spirv -O2 -entry probe -stage compute -o "$1/probe.spv"
}

install_slang() (
    [[ $(uname -sm) == 'Linux x86_64' ]] ||
        fail "no pinned Slang for $(uname -sm): install Slang $slang_version and name its slangc in SPLAT_SLANGC"
    say "downloading Slang $slang_version (107 MB)"
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/splatwright
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/incomplete.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    download_slang_wheels "$work"
    unpack_slang "$work"
    try_slang "$work"
    # Only a tree that has compiled something gets the name that the build looks for.
    rm -rf "$cache/slang-$slang_version"
    mv -T "$work/slang" "$cache/slang-$slang_version"
)

deps() {
    (($# == 0)) || [[ $* == test || $* == windows ]] || fail "deps takes no argument but 'test' or 'windows': $*"
    if command -v apt-get >/dev/null; then
        install_packages "$@"
    elif [[ ${1-} == windows ]]; then
        fail 'needs apt: the packages for Windows are those of Debian 12'
    elif command -v brew >/dev/null; then
        install_with_brew "$@"
    else
        check_without_apt "$@"
    fi
    has_slang || install_slang
    cmake -P cmake/Slang.cmake
    cmake -P cmake/UserInterface.cmake
    # Without the net the program is built without it, and says so.
    cmake -P cmake/PageViewer.cmake || say 'no viewer for pages: `convert` will write no .html'
}

# --- build, demo, test ----------------------------------------------------------------------------

# A build folder that has tests keeps them, so that nothing is built twice; they are not built here.
build() {
    deps
    if [[ -f build/release/CMakeCache.txt ]]; then cmake --preset release; else cmake --preset release -DSPLAT_TESTS=OFF; fi
    cmake --build --preset release --parallel "$(nproc)" --target splatwright splat_documents splat_engine
}

build_with_tests() {
    deps test
    cmake --preset release -DSPLAT_TESTS=ON
    cmake --build --preset release --parallel "$(nproc)"
}

# Prints the kind of the device in use: cpu, discrete, ...
device_type() {
    local info
    info=$("$splatwright" info --json)
    python3 -c 'import json, sys; print(next(d["type"] for d in json.loads(sys.argv[1])["devices"] if d["used"]))' "$info"
}

demo() {
    build
    local synth=("${demo_gpu_synth[@]}") train=("${demo_gpu_train[@]}") type
    type=$(device_type)
    if [[ $type == cpu ]]; then
        say 'Vulkan runs in software here: a small demonstration'
        synth=("${demo_cpu_synth[@]}") train=("${demo_cpu_train[@]}")
    fi
    rm -rf "$demo"
    "$splatwright" synth "$demo/data" "${synth[@]}"
    "$splatwright" train "$demo/data" -o "$demo/run" "${train[@]}"
    "$splatwright" eval "$demo/run/splats.ply" "$demo/data" --split test
    "$splatwright" render "$demo/run/splats.ply" --data "$demo/data" --split test -o "$demo/renders"
    cat <<END

dataset        $PWD/$demo/data
splats         $PWD/$demo/run/splats.ply
unseen views   $PWD/$demo/run/strip.png (ground truth, render, error map) and $PWD/$demo/renders/
metrics        $PWD/$demo/run/metrics.json

Next: look at the result, then train on photographs or a video of your own (without --prepare: on a COLMAP folder, or one with transforms.json):
  $splatwright view $demo/run/splats.ply
  $splatwright train PHOTOGRAPHS -o run --prepare
END
}

# Gives each reader of files 10,000 inputs.
fuzz_readers() {
    command -v clang++-16 >/dev/null || fail 'clang++-16 (for libFuzzer) is not installed; with arguments for ctest, `test` does without'
    cmake --preset asan-fuzz
    cmake --build --preset asan-fuzz --parallel "$(nproc)"
    ctest --preset asan-fuzz --parallel "$(nproc)"
}

# Hands on ctest's output, but ctest's summary as the last: tests/report_run.py prints what it leaves out below it.
summary_last() {
    awk '/^[0-9]+% tests passed/ { held = 1 }
        /^(Tests that failed|Slowest tests|Skipped tests, and why):$/ { held = 0 }
        held { summary = summary $0 "\n"; next }
        { print; fflush() }
        END { printf "%s", summary }'
}

# One more than cores: many tests of the viewer wait for a while.
run_ctest() { ctest --preset release --output-on-failure --parallel "$(($(nproc) + 1))" "$@" | summary_last; }

run_tests() {
    build_with_tests
    (($#)) || fuzz_readers # arguments choose among the tests of the release build
    run_ctest "$@"
}

# Runs one part of test-all and goes on if it fails.
sweep() {
    local name=$1
    shift
    say "$name"
    if "$@"; then passed+=("$name"); else failed+=("$name"); fi
}

# Hours: `test`, and the sweeps that are too long for every commit. Each runs, whatever the ones before said.
test_all() {
    local passed=() failed=() seconds=${1:-3600}
    build_with_tests
    sweep "every test, and every profile on every folder that uses the GPU" run_ctest -C All
    sweep "every planted fault" python3 tests/faults/run.py build/release
    sweep "1,000,000 fuzzed inputs for each reader of files, in at most $seconds s each" tests/fuzz/long.sh 1000000 "$seconds"
    printf '   passed: %s\n' "${passed[@]}"
    ((${#failed[@]} == 0)) || printf '   FAILED: %s\n' "${failed[@]}"
    ((${#failed[@]} == 0))
}

# Needs no more than a build folder with tests, which is made only if there is none: what has changed is built, nothing else is looked at.
try_tests() {
    (($# == 1 || $# == 2)) || fail 'try takes FOLDER [FILTER]: a folder of tests/, and which of its tests'
    if [[ ! -f build/release/tests/executables.json ]]; then
        deps test
        cmake --preset release -DSPLAT_TESTS=ON
    fi
    python3 tests/try_tests.py build/release "$@"
}

main() {
    local command=${1:-help}
    (($# == 0)) || shift
    [[ $command =~ ^(deps|try|test|test-all)$ || $# == 0 ]] || fail "$command takes no arguments: $*"
    case $command in
        deps) deps "$@" ;;
        build | demo) "$command" ;;
        try) try_tests "$@" ;;
        test) run_tests "$@" ;;
        test-all) test_all "$@" ;;
        help | -h | --help) usage ;;
        *)
            usage >&2
            fail "unknown command: $command"
            ;;
    esac
}

main "$@"
