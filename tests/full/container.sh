#!/bin/sh
# The image of packaging/Containerfile, from a base that debootstrap made: it advises, as nobody, and refuses what is not a model.
#   tests/full/container.sh [--build DIR]      as root; $NPU_ADVISE_CHROOTS as distributions.sh left it
set -eu
build=build
[ "${1:-}" != --build ] || build=$2
systems=${NPU_ADVISE_CHROOTS:-$build/chroots}
base=$systems/bookworm/base
if [ "$(id -u)" != 0 ] || ! command -v buildah > /dev/null || [ ! -d "$base/etc" ]; then echo "needs root, buildah, and the base of distributions.sh"; exit 77; fi
store=$(mktemp -d -p "$systems")
trap 'rm -rf "$store"' EXIT
buildah() { command buildah --root "$store/root" --runroot "$store/run" --storage-driver vfs "$@"; }
container=$(buildah from scratch)
buildah copy -q "$container" "$base" / > /dev/null
buildah commit -q "$container" localhost/base > /dev/null
buildah rm "$container" > /dev/null
mkdir "$store/source" && git archive HEAD | tar -xf - -C "$store/source"
buildah bud --isolation chroot --build-arg BASE=localhost/base -f packaging/Containerfile -t npu-advise "$store/source" > "$store/log" 2>&1 || { tail -20 "$store/log"; exit 1; }
mkdir -m 777 "$store/given" && cp "$build/networks/mnist-qdq-u8-nhwc.onnx" "$store/given/model.onnx" && printf x > "$store/given/broken.onnx" && chmod 755 "$store"
container=$(buildah from --pull-never localhost/npu-advise)
advise() { buildah run --isolation chroot -v "$store/given:/models" "$container" -- npu-advise "$@"; }
advise model.onnx --json result.json | head -3
grep -q '"rule_id"' "$store/given/result.json"
"$build/npu-advise" "$store/given/model.onnx" --json "$store/here.json" > /dev/null
cmp "$store/here.json" "$store/given/result.json" || { echo "not the advice of $build (is that of this commit?)"; exit 1; }
advise broken.onnx && exit 1 || [ $? = 2 ]
buildah run --isolation chroot "$container" -- id -un
buildah inspect --format '{{.OCIv1.Config.Entrypoint}} as {{.OCIv1.Config.User}}' "$container"
