#!/bin/sh
# Makes BUILD/vendor/SDK, a virtual environment with the vendor's packages of each SDK, for `make check-vendor`.
#
#   vendor_venvs.sh BUILD
#
# The packages have wheels for CPython 3.8 to 3.10 on x86-64: $VENDOR_PYTHON, else the first of these on PATH or in pyenv. Ends
# with 77 and says what is missing where there is none, or where pip cannot fetch a package.
set -u
build=$1

find_python() {
    for p in "${VENDOR_PYTHON:-}" python3.9 python3.10 python3.8 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.9.*/bin/python \
        "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.10.*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.8.*/bin/python; do
        [ -n "$p" ] && "$p" -c "import venv" 2> /dev/null && command -v "$p" && return
    done
    return 1
}

make_venv() { # SDK PACKAGE…
    venv=$build/vendor/$1
    shift
    [ -e "$venv/made" ] && return
    "$python" -m venv "$venv" || return 1
    "$venv/bin/pip" install -q --disable-pip-version-check "$@" > "$venv/pip.log" 2>&1 && touch "$venv/made"
}

python=$(find_python) || {
    echo "check-vendor: no Python 3.8, 3.9 or 3.10 is here, and the vendor's packages have wheels for no other: install one (pyenv install 3.9), or set VENDOR_PYTHON"
    exit 77
}
mkdir -p "$build/vendor"
# Half a GB more, for rknn_convert.py and rknn_vendor.py alone: they are skipped without.
make_venv rknn rknn-toolkit2==2.3.2 torch==1.12.1 torchvision==0.13.1 onnx==1.16.1 onnxruntime numpy==1.26.4 protobuf==4.25.4 \
    opencv-python-headless 'setuptools<81' || rm -rf "$build/vendor/rknn"
make_venv 0.8 furiosa-quantizer==0.8.0 &&
    make_venv 0.9 furiosa-quantizer==0.9.1 furiosa-quantizer-impl==0.9.2 furiosa-optimizer==0.9.1 'numpy<2' &&
    make_venv 0.10 furiosa-quantizer==0.10.1 furiosa-quantizer-impl==0.10.1 furiosa-optimizer==0.10.1 'numpy<2' || {
    echo "check-vendor: pip could not install the vendor's packages with $python: $(tail -n 1 "$venv/pip.log" 2> /dev/null)"
    exit 77
}
