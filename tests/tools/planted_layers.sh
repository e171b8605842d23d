#!/bin/sh
# The layering check itself: each planted violation must make it fail.
#   planted_layers.sh BUILD
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module in graph trace cost_model passes advisor npu_exec; do cp -r "$root/$module" "$work/"; done
mkdir "$work/build"
cp -r "$build/obj" "$build/npu-exec" "$work/build/"
cd "$work"

unnoticed() { # what was planted
    if "$root/tests/layers" . build >/dev/null; then echo "unnoticed: $1"; exit 1; fi
}
include() { # file, what it must not include
    cp "$1" keep.file
    echo "#include \"$2\"" >> "$1"
    unnoticed "$1 includes $2"
    mv keep.file "$1"
}
link() { # object, object whose first function it must not use
    symbol=$(nm --defined-only -g "build/obj/$2" | awk 'NF == 3 && $2 == "T" {print $3; exit}')
    cp "build/obj/$1" keep.o
    printf 'int %s(void);\nint planted(void);\nint planted(void) { return %s(); }\n' "$symbol" "$symbol" |
        cc -x c -c -o planted.o -
    ld -r -o "build/obj/$1" keep.o planted.o
    unnoticed "$1 links $symbol"
    mv keep.o "build/obj/$1"
}

"$root/tests/layers" . build >/dev/null || { echo "the unchanged tree fails"; exit 1; }
without() { # file, pattern of the line to take away
    cp "$1" keep.file
    grep -v "$2" keep.file > "$1"
    unnoticed "$1 without $2"
    mv keep.file "$1"
}
include npu_exec/exec_main.c cost_model/predict.h
include graph/base/arena.c graph/model/model.h
include trace/readers/furiosa_csv.c trace/stats/stats.h
include advisor/message/plain.c advisor/render/html/html.h
include npu_exec/sim/queue.c npu_exec/session/recorder.h
link cost_model/score.o passes/pass.o
link graph/base/arena.o graph/model/model.o
link advisor/rules/rule.o advisor/candidate/gain.o
link passes/pass.o passes/pipeline.o
link graph/infer/shape_view.o graph/infer/ops.o

symbol=$(nm --defined-only -g build/obj/cost_model/predict.o | awk 'NF == 3 && $2 == "T" {print $3; exit}')
cp build/npu-exec keep && objcopy --add-symbol "$symbol=.text:0,function,global" keep build/npu-exec
unnoticed "npu-exec contains $symbol"
cp keep build/npu-exec

without graph/edit/contents.txt edit_kind:
cp graph/base/arena.c keep.file && printf '/* Arena. */\n' > graph/base/arena.c && tail -n +2 keep.file >> graph/base/arena.c
unnoticed "a first comment that is no sentence"
mv keep.file graph/base/arena.c
without advisor/advise/advise.c passes/pipeline.h
sed -i 's/^arena:/ghost:/' graph/base/contents.txt
unnoticed "a page of contents that names what is not there"
sed -i 's/^ghost:/arena:/' graph/base/contents.txt

mkdir graph/attic && echo > graph/attic/old.c
unnoticed "a folder that tests/modules does not name"
rm -r graph/attic
for i in $(seq 46); do echo > "graph/base/more_$i.h"; done
unnoticed "too many files in one folder"
echo "layers: planted includes, symbols, circles, folders, crowds, lines of contents and missing includes are all noticed"
