#!/bin/sh
# Builds tests/tools/edit_model.c:  edit_model.sh BUILD PROGRAM
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
pkgs="libprotobuf-c zlib libcrypto libxml-2.0 libcjson"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c11 -D_GNU_SOURCE -O1 -I"$root" -I"$1/gen" $(pkg-config --cflags $pkgs) \
    "$root/tests/tools/edit_model.c" "$1/libgraph.a" "$1/libonnxpb.a" -o "$2" $(pkg-config --libs $pkgs) -lm
