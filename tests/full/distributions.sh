#!/bin/sh
# Each distribution, in chroots that debootstrap makes:
#   build    packaging/deps.sh installs what is needed; gcc and clang have nothing to say of any file
#   cases    every case that `make check` runs, with the gcc build
#   deb      the package twice: the same bytes; debug symbols of their own; lintian has nothing to say
#   install  on a bare system: install, advise, manual, completion, Python, purge; nothing stays behind
#   wheel    of `make wheel` here: a user without root installs it with pip alone; both programs run the demo
#   arm64    (Debian, asked for by name) built with the cross compiler; units and cases, both programs under qemu-user
#   tests/full/distributions.sh [--build DIR] [--steps "build cases deb install wheel"] [--part I/N] [DISTRIBUTION…]
# --part: of the cases those that tests/run has in that part.
# Builds the commit that is checked out, as root.  Systems are kept in the folder $NPU_ADVISE_CHROOTS, which has to be named:
# base, and what was built on it; a log per step beside them.
set -u
build=build steps="build cases deb install wheel" names= part=1/1
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2; shift 2 ;;
    --steps) steps=$2; shift 2 ;;
    --part) part=$2; shift 2 ;;
    *) names="$names $1"; shift ;;
    esac
done
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null || [ -z "${NPU_ADVISE_CHROOTS:-}" ]; then
    echo "needs root, debootstrap and a folder for systems (NPU_ADVISE_CHROOTS)"; exit 77
fi
mkdir -p "$NPU_ADVISE_CHROOTS"
systems=$(cd "$NPU_ADVISE_CHROOTS" && pwd)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)

debian=http://deb.debian.org/debian ubuntu=http://archive.ubuntu.com/ubuntu
mirror_of() { case $1 in noble) echo $ubuntu main,universe ;; *) echo $debian main ;; esac; }

# One system from its own archive; the keys of another distribution's archive are seldom at hand.
base() {
    [ ! -e "$systems/$1/base/etc/apt/ready" ] || return 0
    # shellcheck disable=SC2046  # address and components
    set -- "$1" $(mirror_of "$1")
    rm -rf "$systems/$1/base"
    # A debootstrap that is older than a version of Ubuntu has no script of its name; all of them share one.
    check= script=; [ "$1" != noble ] || { check=--no-check-gpg; script=gutsy; }
    # shellcheck disable=SC2086
    debootstrap --variant=minbase --components="$3" $check "$1" "$systems/$1/base" "$2" $script || return 1
    echo 'Acquire::Check-Valid-Until "false";' > "$systems/$1/base/etc/apt/apt.conf.d/99old-index"
    touch "$systems/$1/base/etc/apt/ready"
}
# Runs a script in a system, with /proc and /dev of its own that leave with it.
inside() {
    root=$1; shift
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child sh -c 'root=$1; shift
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" PART="$part" chroot "$root" sh -euc "$@"' sh "$root" "$1" sh
}
export SOURCE_DATE_EPOCH part

step_base() { base "$1"; }
work() {
    if [ ! -d "$systems/$1/built" ]; then base "$1" && cp -a "$systems/$1/base" "$systems/$1/built" || return 1; fi
    [ -d "$systems/$1/built/src" ] || git clone -q --no-hardlinks . "$systems/$1/built/src" || return 1
    git -C "$systems/$1/built/src" fetch -q "$PWD" HEAD && git -C "$systems/$1/built/src" reset -q --hard FETCH_HEAD
}
step_build() {
    inside "$systems/$1/built" 'apt-get update -qq; apt-get install -y -qq --no-install-recommends git make clang; cd /src; packaging/deps.sh
        make -j2 STRICT=1 CC=clang BUILD=build-clang all; rm -rf build-clang
        make -j2 STRICT=1 CC=gcc all units; tests/layers . build; gcc --version | head -1; clang --version | head -1; xml2-config --version'
}
step_cases() { inside "$systems/$1/built" 'cd /src; make -j2 STRICT=1 CC=gcc all; tests/run --build build --part $PART'; }
step_deb() {
    inside "$systems/$1/built" 'cd /src; apt-get install -y -qq --no-install-recommends build-essential debhelper dh-python lintian
        for i in 1 2; do make deb; rm -rf /deb-$i; mv build/deb /deb-$i; done
        for file in /deb-1/*.*deb; do cmp $file /deb-2/${file##*/}; done
        ls /deb-1/*-dbgsym_*.*deb; lintian --fail-on error,warning,info /deb-1/*.deb; sha256sum /deb-1/*.*deb'
}
step_install() {
    base "$1" || return 1
    rm -rf "$systems/$1/bare" && cp -a "$systems/$1/base" "$systems/$1/bare" && mkdir "$systems/$1/bare/given" || return 1
    cp "$systems/$1/built/deb-1"/*.deb tests/tools/installed.sh tests/tools/complete.py tests/tools/links.py "$systems/$1/bare/given/" || return 1
    cp "$build/networks/yolov5s-qdq-f32.onnx" "$systems/$1/bare/given/model.onnx" || return 1
    ls docs/pictures/*.png | wc -l > "$systems/$1/bare/given/pictures"
    inside "$systems/$1/bare" '/given/installed.sh'
}
step_wheel() {
    base "$1" && make -s BUILD="$build" wheel || return 1
    given=$systems/$1/bare/given
    rm -rf "$systems/$1/bare" && cp -a "$systems/$1/base" "$systems/$1/bare" && mkdir -m 755 "$given" || return 1
    cp "$build"/wheel/*.whl tests/tools/wheel_installed.sh "$given/" && cp "$build/networks/yolov5s-qdq-f32.onnx" "$given/model.onnx" || return 1
    cp "$build/networks/weights.bin" "$given/"
    here=$(cd "$build" && pwd)
    (cd "$given" && "$here/npu-exec" model.onnx --sdk 0.9 --runs 40 --trace trace.json > /dev/null &&
        "$here/npu-advise" model.onnx --trace trace.json --verify --html report.html --json result.json > expected.txt && rm trace.json report.html result.json) || return 1
    inside "$systems/$1/bare" '/given/wheel_installed.sh'
}
# Both programs are of the other machine; the tools around them are of this one.
step_arm64() {
    command -v qemu-aarch64-static > /dev/null || { echo "needs qemu-user-static"; return 1; }
    binfmt=/proc/sys/fs/binfmt_misc
    [ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt || return 1
    [ -e $binfmt/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' > $binfmt/register || return 1
    inside "$systems/$1/built" 'dpkg --add-architecture arm64; apt-get update -qq; cd /src; packaging/deps.sh
        apt-get install -y -qq --no-install-recommends gcc-aarch64-linux-gnu libc6-dev:arm64 libcjson-dev:arm64 libprotobuf-c-dev:arm64 libseccomp-dev:arm64 libyaml-dev:arm64 \
            libsqlite3-dev:arm64 libpng-dev:arm64 libjpeg62-turbo-dev:arm64 libxml2-dev:arm64 nettle-dev:arm64 zlib1g-dev:arm64
        export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig
        at=aarch64-linux-gnu; make -j2 STRICT=1 BUILD=build-arm64 CC=$at-gcc AR=$at-ar LD=$at-ld OBJCOPY=$at-objcopy all units
        tests/run --build build-arm64 --part $PART'
}

failed=0
for name in ${names:-bookworm trixie sid noble}; do
    mkdir -p "$systems/$name"
    for step in work $steps; do
        log=$systems/$name/$step.log start=$(date +%s)
        case $step in work) do=$step ;; *) do=step_$step ;; esac
        if $do "$name" > "$log" 2>&1; then word=holds; else word=FAILED; failed=1; fi
        [ "$step $word" != "work holds" ] || continue
        echo "$name $step: $word, $(($(date +%s) - start)) s; $(tail -1 "$log")"
        [ $word = holds ] || break
    done
done
exit $failed
