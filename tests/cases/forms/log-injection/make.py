"""Makes the inputs of this case."""
import itertools, json, onnx, os
EVIL = ["##[error]owned", "::error::owned", "##vso[task.complete result=Succeeded]", "  ::set-output name=x::y", "a\n::error::b", "[here](https://evil.example/x)", "x ::error::y", "##VSO[x]"]
names = itertools.cycle(EVIL)
m = onnx.load(os.environ["NET"] + "/mnist-qdq-u8-nhwc.onnx")
new = {}
def rename(text):
    if text and text not in new:
        new[text] = f"{next(names)}{len(new)}"
    return new.get(text, text)
for n in m.graph.node:
    n.name = rename("n" + (n.name or n.output[0]))
    n.input[:] = [rename(t) for t in n.input]
    n.output[:] = [rename(t) for t in n.output]
for v in [*m.graph.input, *m.graph.output, *m.graph.value_info, *m.graph.initializer]:
    v.name = rename(v.name)
unknown = m.graph.node.add()
unknown.op_type = "##[warning]Op"; unknown.input.append(m.graph.node[0].output[0]); unknown.output.append("::notice::y")
m.graph.name = m.producer_name = "##[group]"
onnx.save(m, "evil.onnx")
