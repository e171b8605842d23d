#!/bin/sh
# On a bare system, as root: what the packages beside this script install works, and a purge leaves nothing.
#   /given/installed.sh      beside it: *.deb, complete.py, links.py, model.onnx, pictures (how many the docs have)
set -eu
here=$(dirname "$0")
fail() { echo "installed: $*"; exit 1; }
apt-get update -qq
apt-get dist-upgrade -y -qq > /dev/null  # what the archive has newer is not ours to have changed
apt-get install -y -qq --no-install-recommends man-db bash-completion zsh fish python3-pandas > /dev/null
# What the system makes for itself does not count.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /given -o -path /run -o -path /root -o -path /tmp -o -path /var/cache -o -path /var/log \
    -o -path /var/lib/apt -o -path /var/lib/dpkg -o -name __pycache__ \) -prune -o -print | sort; }
files > "$here/before"
dpkg -l | sed -n 's/^ii *\([^ ]*\).*/\1/p' > "$here/packages"

dpkg -i "$(ls "$here"/npu-advise_*.deb)" > /dev/null 2>&1 || apt-get -f install -y -qq > /dev/null
dpkg -i "$here"/python3-npu-advise_*.deb "$here"/libnpu-exec-dev_*.deb > /dev/null 2>&1 || apt-get -f install -y -qq > /dev/null
npu-advise --version | head -1
cd /tmp
npu-exec "$here/model.onnx" --runs 20 --trace trace.json > /dev/null
npu-advise "$here/model.onnx" --trace trace.json --html report.html --json result.json | head -3
grep -q '"rule_id"' result.json || fail "no advice"
[ -s report.html ] || fail "no report"
npu-advise doctor | tail -4
for page in npu-advise npu-exec; do
    MANPAGER=cat MANWIDTH=80 man $page | grep -qi "^$page(1)" || fail "man $page does not open"
done
echo "man: opens"
pages=/usr/share/doc/npu-advise
"$here/links.py" $pages || fail "a page leads nowhere"
[ -s $pages/docs/report.md ] && [ "$(ls $pages/docs/pictures/*.png | wc -l)" = "$(cat "$here/pictures")" ] || fail "the page of the report or its pictures are missing"
"$here/complete.py" bash "npu-advise --objective " latency throughput
"$here/complete.py" zsh "npu-advise --objective " latency throughput
"$here/complete.py" fish "npu-advise --objective " latency throughput
"$here/complete.py" bash "npu-advise explain NPU50" NPU501 NPU503
"$here/complete.py" bash "npu-exec --target " warboy warboy-2pe
/usr/bin/python3 - "$here/model.onnx" <<'P'
import sys
import npu_advise
result = npu_advise.advise(sys.argv[1], trace="trace.json")
frame = result.to_pandas()
assert len(frame) == len(result.changes) > 0 and frame["alone.predicted.mid"].notna().any()
print("python:", npu_advise.__file__, *frame.iloc[0][["rule_id", "alone.unit", "alone.predicted.mid"]])
P
rm -rf trace.json report.html result.json

apt-get purge -y -qq npu-advise python3-npu-advise libnpu-exec-dev > /dev/null
# shellcheck disable=SC2046
added=$(dpkg -l | sed -n 's/^ii *\([^ ]*\).*/\1/p' | grep -vxFf "$here/packages" || true)
# shellcheck disable=SC2086
[ -z "$added" ] || apt-get purge -y -qq $added > /dev/null
! dpkg -l | grep -q 'npu-' || fail "dpkg still knows the package"
files > "$here/after"
diff "$here/before" "$here/after" || fail "something stays behind"
echo "purge: nothing stays behind"
