#!/bin/sh
# Installs the Debian packages that build and tests need; says in one line what is missing where it
# may not.
set -eu
packages="gcc libc6-dev pkg-config libxml2-dev libxml2-utils libcjson-dev libprotobuf-c-dev
 protobuf-c-compiler protobuf-compiler libonnx-dev xz-utils zlib1g-dev nettle-dev libsqlite3-dev libseccomp-dev libyaml-dev libpng-dev libjpeg-dev
 python3-onnx python3-numpy python3-jsonschema python3-yaml libonnx-testdata"
# Of one version alone, since another formats otherwise: where the distribution has them.
style="clang-14 clang-format-14"
# npu-exec --values convolves with it, and without it by itself: where the distribution has it.
fast="libdnnl-dev"

missing=
for package in $packages $style $fast; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "npu-advise: apt-get is missing (this is not Debian); install the equivalents of:$missing" >&2
    exit 1
fi
if [ "$(id -u)" != 0 ]; then
    echo "npu-advise: missing packages; run as root: apt-get install$missing" >&2
    exit 1
fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
for package in $style; do
    apt-cache show "$package" >/dev/null 2>&1 && continue
    echo "not in this distribution, so make check leaves the style out: $package" >&2
    missing=$(printf '%s' "$missing" | sed "s/ $package//")
done
for package in $fast; do
    apt-cache show "$package" >/dev/null 2>&1 && continue
    echo "not in this distribution, so values are computed without it: $package" >&2
    missing=$(printf '%s' "$missing" | sed "s/ $package//")
done
[ -n "$missing" ] || exit 0
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
