#!/bin/sh
# Installs the package at the address $DEB if its SHA-256 is $SHA256; with neither, the program has to be there already.
# Debian and Ubuntu: apt fetches, as nothing else is on every runner.
set -eu
fail() { echo "::error title=npu-advise::$*"; exit 2; }
if [ -z "${DEB:-}" ]; then
    command -v "${NPU_ADVISE:-npu-advise}" > /dev/null || fail "npu-advise is not installed: give the action the address (deb) and SHA-256 (sha256) of its package"
    exit 0
fi
case ${SHA256:-} in
*[!0-9a-f]* | "") fail "sha256 is not a SHA-256: without the one of the package nothing is installed" ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder" # apt reads as a separate user
/usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "$DEB" "$folder/npu-advise.deb" "SHA256:$SHA256" > "$folder/log" 2>&1 ||
    fail "$(sed -n 's/^E: //p' "$folder/log" | head -n 1 | tr -d '\r')"
echo "$SHA256  $folder/npu-advise.deb" | sha256sum --check --quiet || fail "the package is not the one of sha256"
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$folder/npu-advise.deb" > "$folder/log" 2>&1 ||
    fail "$(sed -n 's/^E: //p' "$folder/log" | head -n 1)"
npu-advise --version | head -n 1
