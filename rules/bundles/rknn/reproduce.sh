#!/bin/sh
# reproduce.sh DATASET [MODEL]: from this folder to model.rknn, and the advice that is left.
set -eu
[ $# -ge 1 ] || { echo "usage: reproduce.sh DATASET [MODEL]; DATASET: a text file, the path of an image a line" >&2; exit 2; }
dataset=$(realpath "$1")
model={{model_here}}
[ $# -lt 2 ] || model=$(realpath "$2")
cd "$(dirname "$0")"
[ -n "$model" ] || { echo "give MODEL: this folder holds settings alone" >&2; exit 2; }
python3 convert.py "$dataset" "$model"
npu-advise "$model"{{advice}}
