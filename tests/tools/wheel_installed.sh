#!/bin/sh
# On a bare system, as root: pip alone installs the wheel for a user without root, and both programs run the demo.
#   /given/wheel_installed.sh      beside it: *.whl, model.onnx, weights.bin, expected.txt (what the demo prints in the build)
set -eu
here=$(dirname "$0")
apt-get update -qq
apt-get install -y -qq --no-install-recommends python3-venv ca-certificates > /dev/null
useradd --create-home --shell /bin/sh plain
cat > "$here/as_user.sh" <<'U'
set -eu
cd "$HOME"
cp "$1/model.onnx" "$1/weights.bin" .
python3 -m venv tools
tools/bin/pip install --quiet --no-index "$1"/*.whl
PATH=$HOME/tools/bin:$PATH
npu-exec model.onnx --sdk 0.9 --runs 40 --trace trace.json > exec.txt
npu-advise model.onnx --trace trace.json --verify --html report.html --json result.json > said.txt
diff "$1/expected.txt" said.txt
[ -s report.html ] && [ -s result.json ]
python - <<'P'
import os
import npu_advise
os.environ["PATH"] = ""
result = npu_advise.advise("model.onnx", trace="trace.json")
assert result.changes and result.changes[0].alone.predicted.mid > 0
P
pip uninstall --quiet --yes npu-advise
[ -z "$(find tools -path '*npu[_-]advise*' -type f; find tools -name npu-exec)" ] || { echo "pip uninstall leaves files"; exit 1; }
echo "$(id -un), $(python3 --version), glibc $(getconf GNU_LIBC_VERSION | cut -d' ' -f2): $(sed -n 1p said.txt)"
U
su plain -c "sh $here/as_user.sh $here"
