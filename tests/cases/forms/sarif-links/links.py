import json, os, re, subprocess, sys
EVIL = ["[x](http://evil)", "[x](<http://evil>)", "[x][y]", "[y]: http://evil", "[y]:http://evil", "<http://evil>", "![x](//evil)", "\\[x](http://evil)", "[x]\\(http://evil)", "[[x]](1)"]
LIVE = re.compile(r"\]\(|\]\[|\]:|://")
text = open("model.textpb").read()
finding = json.loads(subprocess.run([os.environ["NPU_ADVISE"], "model.onnx", "--isolated", "--json", "-"], capture_output=True).stdout)["changes"][0]["fingerprint"]

def texts(v):
    for key, x in v.items() if isinstance(v, dict) else enumerate(v) if isinstance(v, list) else ():
        if key in ("text", "markdown", "justification"):
            yield x
        yield from texts(x)

def told(what, *command):
    done = subprocess.run([os.environ["NPU_ADVISE"], *command, "--format", "sarif"], capture_output=True, text=True)
    said = list(texts(json.loads(done.stdout)))
    live = [t for t in said if LIVE.search(t)]
    print(f"    {what}: {sum('evil' in t or '[x' in t or '[y' in t for t in said) > 0} of a name, {len(live)} live", *live[:1])

for i, evil in enumerate(EVIL):
    quoted = json.dumps(evil)
    print(evil)
    renamed = re.sub(r'(?<=put: )"x"|(?<=name: )"x"', lambda m: quoted, text)
    open("m.textpb", "w").write(renamed)
    onnx = subprocess.run(["protoc", "--encode=onnx.ModelProto", "--proto_path=/usr/include/onnx", "/usr/include/onnx/onnx.proto"], input=renamed.encode(), capture_output=True, check=True).stdout
    open("m.onnx", "wb").write(onnx)
    told("a tensor, in what to do and where", "m.onnx", "--isolated")
    json.dump({"suppressions": [{"fingerprint": finding, "reason": evil}]}, open("c.json", "w"))
    told("a reason", "model.onnx", "--config", "c.json")
    r = json.loads(subprocess.run([os.environ["NPU_ADVISE"], "model.onnx", "--isolated", "--json", "-"], capture_output=True).stdout)
    for rule in r["rules"]:
        rule["title"] = evil
    for rec in r["changes"]:
        rec["title"] = rec["fix"]["text"] = evil
    json.dump(r, open("r.json", "w"))
    told("a title and a fix of a forged result", "show", "r.json")
name = "[x](evil).onnx"
os.rename("model.onnx", name)
print(name)
open("[x](http:evil).onnx", "w").write("no")
told("files, one of which cannot be read", "[x](http:evil).onnx", name, "--isolated")
