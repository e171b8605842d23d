import json, pathlib, re, sys, urllib.parse, xml.etree.ElementTree as E
name = sys.argv[1]
read = lambda form: pathlib.Path(f"{name}.{form}").read_text()
result, sarif = json.loads(read("json")), json.loads(read("sarif"))
lines = [r["fix"]["text"] for r in result["changes"] if "\n" in r["fix"]["text"]]
assert lines, "no fix of several lines in it"
said = {"text": read("text"), "github": read("github"), "markdown": read("md"),
        "sarif": "".join(r["message"]["text"] for r in sarif["runs"][0]["results"]), "gitlab": "".join(f["description"] for f in json.loads(read("gitlab"))),
        "junit": "".join("".join(c.itertext()) + str(c.attrib) for c in E.fromstring(read("xml")).iter("failure"))}
for form, text in said.items():
    assert lines[0].split("\n")[0][:30] in text.replace("&#45;", "-").replace("&#95;", "_") or form in ("markdown", "junit"), f"{form}: no fix"
    assert "\\n" not in text, f"{form}: a newline is spelled out"
path = "모델 들/카메라 1%.onnx"
places = {re.search(r"file=([^,]*),", line).group(1) for line in read("github").splitlines()}
assert {p.replace("%25", "%") for p in places} == {path}, places
uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in sarif["runs"][0]["results"]}
assert {urllib.parse.unquote(u) for u in uris} == {path} and all(u.isascii() for u in uris), uris
assert {f["location"]["path"] for f in json.loads(read("gitlab"))} == {path}
page = pathlib.Path(sys.argv[2]).read_text()
for rule in sarif["runs"][0]["tool"]["driver"]["rules"]:
    address, anchor = rule["helpUri"].rsplit("#", 1)
    assert anchor == rule["id"] and f'<a id="{anchor}"></a>' in page and address.endswith("docs/rules.md"), rule["helpUri"]
print("fixes of several lines, one path, pages of rules")
