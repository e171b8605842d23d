#!/bin/sh
# reproduce.sh [MODEL]: the advice that is left.  rknn-toolkit 1 converts for {{target}}: see convert.py.
set -eu
model={{model_here}}
[ $# -lt 1 ] || model=$(realpath "$1")
cd "$(dirname "$0")"
[ -n "$model" ] || { echo "give MODEL: this folder holds settings alone" >&2; exit 2; }
npu-advise "$model"{{advice}}
