#!/bin/sh
# Builds a C program against the libraries of a build, with the build's own compiler and flags (sanitizers and all):
#   build_program.sh BUILD PROGRAM SOURCE MODULE...      modules from the one that needs to the one that is needed
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 program=$2 source=$3
shift 3
libs=
for module in "$@" onnxpb; do libs="$libs $build/lib$module.a"; done
pkgs="libxml-2.0 libprotobuf-c libcjson zlib nettle yaml-0.1 libseccomp sqlite3 libpng libjpeg"
# shellcheck disable=SC2046,SC2086
$(cat "$build/cc") -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$root" -I"$build/gen" $(pkg-config --cflags $pkgs) \
    "$source" $libs $(pkg-config --libs $pkgs) -lm -o "$program"
