#!/bin/sh
# reproduce.sh DATASET [MODEL]: from this folder to model.rknn, and the advice that is left.
set -eu
dataset=$(realpath "${1:?text file with the path of one picture a line}")
model={{model_here}}
[ $# -lt 2 ] || model=$(realpath "$2")
cd "$(dirname "$0")"
[ -n "$model" ] || { echo "give MODEL: this folder holds settings alone" >&2; exit 2; }
python3 convert.py "$dataset" "$model"
npu-advise "$model"{{advice}}
