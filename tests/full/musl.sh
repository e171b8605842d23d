#!/bin/sh
# musl instead of glibc, as far as a machine that has musl-gcc alone can tell: every source compiles against its headers with no
# warning, and what the objects then ask for is in the libraries they use or in musl.  Nothing is run: Debian has those libraries for
# glibc only.
#   tests/full/musl.sh [--build DIR]      musl-tools, and what the build needs
set -eu
build=build
[ "${1:-}" != --build ] || build=$2
command -v musl-gcc > /dev/null || { echo "needs musl-gcc (musl-tools)"; exit 77; }
at=$build/musl multiarch=$(gcc -print-multiarch)
rm -rf "$at/include" && mkdir -p "$at/include"
# Headers of the libraries and of the kernel, none of glibc.
for header in libxml2/libxml cjson protobuf-c zlib.h zconf.h sqlite3.h yaml.h nettle seccomp.h seccomp-syscalls.h unicode png.h pngconf.h pnglibconf.h \
    jpeglib.h jmorecfg.h oneapi linux asm-generic; do
    [ ! -e "/usr/include/$header" ] || ln -s "/usr/include/$header" "$at/include/"
done
mkdir "$at/include/machine"
for header in zconf.h jconfig.h asm; do
    [ ! -e "/usr/include/$multiarch/$header" ] || ln -s "/usr/include/$multiarch/$header" "$at/include/machine/"
done
make -j"$(nproc)" STRICT=1 BUILD="$at" CC="musl-gcc -idirafter $PWD/$at/include -idirafter $PWD/$at/include/machine" libs > "$at/log" 2>&1 || { grep -E 'error|warning' "$at/log" | head -20; exit 1; }
libc=/usr/lib/${multiarch%-gnu}-musl/libc.a
symbols() { nm "$@" 2> /dev/null; }
{ symbols --defined-only "$at"/*.a "$libc" "$(gcc -print-libgcc-file-name)"
  for library in xml2 yaml protobuf-c cjson z nettle sqlite3 seccomp png16 jpeg; do symbols -D --defined-only --without-symbol-versions "/usr/lib/$multiarch/lib$library.so"; done
} | sed -n 's/.* [A-TV-Zi] //p' | sort -u > "$at/there"
symbols --undefined-only "$at"/*.a | sed -n 's/^ *[Uw] //p' | grep -v '^_GLOBAL_OFFSET_TABLE_$' | sort -u > "$at/asked"
missing=$(comm -13 "$at/there" "$at/asked" | tr '\n' ' ')
[ -z "$missing" ] || { echo "musl has no: $missing"; exit 1; }
grep -qx canonicalize_file_name "$at/there" && { echo "a function of glibc alone is there: the comparison tells nothing"; exit 1; }
echo "musl: $(find "$at/obj" -name '*.o' | wc -l) files compile, $(wc -l < "$at/asked") functions, each in musl or in a library"
