#!/bin/sh
# Two builds in two folders, and the wheel of each, byte by byte; and the archive and bill of materials of two calls.
#   tests/full/reproducible.sh
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in one/deep/er two; do
    mkdir -p "$work/$name"
    git ls-files | tar -cf - -T - | tar -xf - -C "$work/$name"
    make -s -C "$work/$name" -j"$(nproc)" all > "$work/log" 2>&1 || { tail "$work/log"; exit 1; }
done
for program in npu-advise npu-exec; do
    cmp "$work/one/deep/er/build/$program" "$work/two/build/$program" && echo "$program: $(wc -c < "$work/two/build/$program") bytes, the same in two folders"
done
if /usr/bin/python3 -c 'import setuptools, wheel, pip' 2> /dev/null && command -v patchelf > /dev/null; then
    for name in one/deep/er two; do (cd "$work/$name" && SOURCE_DATE_EPOCH=1700000000 packaging/wheel build/wheel 0.1.0 build > /dev/null); done
    cmp "$work"/one/deep/er/build/wheel/*.whl "$work"/two/build/wheel/*.whl && echo "wheel: the same in two folders"
else
    echo "wheel: not made without python3-pip, python3-setuptools, python3-wheel and patchelf"
fi
for name in one two; do packaging/dist "$work/dist-$name" 0.1.0 "libxml-2.0 libcjson" > /dev/null; done
diff -r "$work/dist-one" "$work/dist-two" && echo "archive and bill of materials: the same twice"
