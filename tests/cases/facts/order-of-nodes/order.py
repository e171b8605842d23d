"""Graphs whose nodes stand in any order: each must come out by Kahn's algorithm, the first in the file first; with a cycle, a node of one must be named."""
import heapq
import json
import os
import random
import subprocess

from onnx import TensorProto as T, helper as h


def written(reads, outs, bodies):
    """Node i reads the tensors reads[i]; those in `bodies` from within a branch."""
    nodes = []
    for i, names in enumerate(reads):
        if i in bodies:
            body = h.make_graph([h.make_node("T", names, ["inner"], domain="d")], "b", [], [h.make_empty_tensor_value_info("inner")])
            nodes.append(h.make_node("If", ["yes"], [o for o in outs[i] if o][:1], f"node{i}", then_branch=body, else_branch=body))
        else:
            nodes.append(h.make_node("T", names, outs[i], f"node{i}", domain="d"))
    inputs = [h.make_tensor_value_info("x", T.FLOAT, [2]), h.make_tensor_value_info("yes", T.BOOL, [])]
    graph = h.make_graph(nodes, "g", inputs, [h.make_empty_tensor_value_info(next(o for o in outs[-1] if o))])
    open("m.onnx", "wb").write(h.make_model(graph, opset_imports=[h.make_opsetid("", 17), h.make_opsetid("d", 1)], ir_version=8).SerializeToString())
    return subprocess.run([os.environ["NPU_ADVISE"], "inspect", "m.onnx", "--json", "r.json"], capture_output=True, text=True)


def drawn(rng, count):
    """What nodes read and make; each reads what earlier ones make, before the order is drawn."""
    outs, reads, bodies = [], [], set()
    for i in range(count):
        if rng.random() < 0.2:
            bodies.add(i)
        outs.append([f"t{i}.0"] if i in bodies else [f"t{i}.{k}" if k == 0 or rng.random() < 0.6 else "" for k in range(rng.randint(1, 3))][::-1])
        made = ["x"] + [name for earlier in outs[:i] for name in earlier if name]
        reads.append(rng.choices(made[-8:] if rng.random() < 0.5 else made, k=rng.randint(1, 4)))
    order = list(range(count))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    return [reads[old] for old in order], [outs[old] for old in order], {place[old] for old in bodies}


def before(reads, outs):
    maker = {name: i for i, names in enumerate(outs) for name in names if name}
    return [{maker[name] for name in names if name in maker} for names in reads]


def by_kahn(needs):
    left, ready, order = [set(n) for n in needs], [i for i, n in enumerate(needs) if not n], []
    heapq.heapify(ready)
    while ready:
        order.append(heapq.heappop(ready))
        for i, n in enumerate(left):
            if order[-1] in n:
                n.remove(order[-1])
                if not n:
                    heapq.heappush(ready, i)
    return order


def on_cycle(needs, at):
    seen, to_see = set(), list(needs[at])
    while to_see:
        i = to_see.pop()
        if i not in seen:
            seen.add(i)
            to_see += needs[i]
    return at in seen


rng = random.Random(1)
right = wrong = named = other = 0
for count in [1, 2, 3, 4, 5, 6, 7, 8] * 4 + [20, 40] * 6:
    reads, outs, bodies = drawn(rng, count)
    done = written(reads, outs, bodies)
    found = [n["name"] for n in json.load(open("r.json"))["nodes"]] if done.returncode == 0 else done.stderr
    good = found == [f"node{i}" for i in by_kahn(before(reads, outs))]
    right, wrong = right + good, wrong + (not good)
    at = rng.randrange(count)
    into = at if count == 1 or rng.random() < 0.2 else rng.randrange(count)
    reads[into].append(next(o for o in outs[at] if o))
    needs = before(reads, outs)
    if len(by_kahn(needs)) < count:
        done = written(reads, outs, bodies)
        words = done.stderr.split("'")
        good = done.returncode == 2 and done.stderr.endswith("the graph has a cycle through it\n") and on_cycle(needs, int(words[1].removeprefix("node")))
        named, other = named + good, other + (not good)
print(f"{right} graphs in order, {wrong} not; {named} cycles named, {other} not")
