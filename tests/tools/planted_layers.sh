#!/bin/sh
# The layering check itself: a planted include, and a planted symbol, must make it fail.
#   planted_layers.sh BUILD
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/graph" "$root/trace" "$root/cost_model" "$root/passes" "$root/advisor" "$root/npu_exec" "$work/"
mkdir "$work/build"
cp "$build"/lib*.a "$build/npu-exec" "$work/build/"
cd "$work"
"$root/tests/layers" . build >/dev/null || { echo "the unchanged tree fails"; exit 1; }

echo '#include "cost_model/predict.h"' >> npu_exec/main.c
if "$root/tests/layers" . build >/dev/null; then echo "a planted include went unnoticed"; exit 1; fi
cp "$root/npu_exec/main.c" npu_exec/main.c

symbol=$(nm --defined-only -g build/libcost_model.a | awk 'NF == 3 && $2 == "T" {print $3; exit}')
printf 'int %s(void);\nint %s(void) { return 0; }\n' "$symbol" "$symbol" | cc -x c -c -o planted.o -
cp build/npu-exec keep && objcopy --add-symbol "$symbol=.text:0,function,global" keep build/npu-exec
if "$root/tests/layers" . build >/dev/null; then echo "a planted symbol went unnoticed"; exit 1; fi
echo "layers: planted include and symbol are both noticed"
