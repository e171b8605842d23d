#!/usr/bin/python3
"""Writes a twin of a model: the same network, as somebody else would have it.

  twin_model.py reexported|reordered|requantized MODEL OUTPUT [SEED]        (rename_model.py renames)

reexported   as another exporter writes it: nodes without names, constants as nodes instead of initializers and the other way
             round, no inferred shapes, another producer
reordered    the same, with the nodes of parallel branches in another valid order
requantized  calibrated again: other scales, zero points and weights of the same types and shapes
"""
import random
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper


def shuffled(nodes, known, rng):
    """The nodes in a random order in which each comes behind what it reads."""
    made = {o for n in nodes for o in n.output}
    left, ready, done = list(nodes), [], set(known)
    while left:
        ready = [n for n in left if all(i not in made or i in done for i in n.input)]
        node = rng.choice(ready)
        left = [n for n in left if n is not node]
        done.update(node.output)
        yield node


def reexported(model, rng, reorder=False):
    graph = model.graph
    nodes, constants, initializers = [], [], []
    for node in graph.node:
        node.name = ""
        node.doc_string = ""
        value = next((a.t for a in node.attribute if a.name == "value"), None)
        if node.op_type == "Constant" and value is not None:
            value.name = node.output[0]
            initializers.append(value)
        else:
            nodes.append(node)
    inputs = {x.name for x in graph.input}
    for x in graph.initializer:
        if x.name in inputs or x.external_data or rng.random() < 0.5:
            initializers.append(x)
        else:
            constants.append(helper.make_node("Constant", [], [x.name], value=x))
    order = list(shuffled(nodes, (), rng)) if reorder else nodes
    rng.shuffle(constants)
    rng.shuffle(initializers)
    kept = [onnx.TensorProto.FromString(x.SerializeToString()) for x in initializers]
    listed = [onnx.NodeProto.FromString(x.SerializeToString()) for x in constants + order]
    del graph.node[:], graph.initializer[:], graph.value_info[:]
    graph.node.extend(listed)
    graph.initializer.extend(kept)
    model.producer_name, model.producer_version = "another exporter", "9"


def reordered(model, rng):
    reexported(model, rng, True)


def requantized(model, rng):
    graph, draw = model.graph, np.random.default_rng(rng.getrandbits(32))
    scales, zeros = set(), set()
    for node in graph.node:
        if node.op_type in ("QuantizeLinear", "DequantizeLinear"):
            scales.add(node.input[1])
            zeros.update(node.input[2:3])
    if not scales:
        sys.exit(77)  # nothing is quantized
    activations = {n.input[2] for n in graph.node if n.op_type == "QuantizeLinear" and len(n.input) > 2}
    for x in graph.initializer:
        if x.external_data:
            continue
        value = numpy_helper.to_array(x)
        if x.name in scales:
            value = value * draw.uniform(0.6, 1.6, value.shape)
        elif x.name in zeros & activations and value.any():
            value = np.clip(value.astype(int) + draw.integers(-5, 6), np.iinfo(value.dtype).min, np.iinfo(value.dtype).max)
        elif x.name not in zeros and x.data_type in (onnx.TensorProto.INT8, onnx.TensorProto.UINT8) and value.size > 1:
            value = draw.permutation(value.ravel()).reshape(value.shape)
        else:
            continue
        x.CopyFrom(numpy_helper.from_array(value.astype(numpy_helper.to_array(x).dtype), x.name))


def main():
    kind, source, output = sys.argv[1:4]
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    model = onnx.load(source, load_external_data=False)
    {"reexported": reexported, "reordered": reordered, "requantized": requantized}[kind](model, rng)
    onnx.save(model, output)


main()
