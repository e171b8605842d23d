#!/usr/bin/python3
"""rename_model.py IN.onnx OUT.onnx: the same model with every node, tensor and graph renamed, bodies included, and its
initializers listed in another order.  External data is referred to where it is (OUT must lie in the same folder, or
the weights are simply missing, which changes no figure)."""
import sys

import onnx


def rename_graph(graph, names):
    def new(name):
        return names.setdefault(name, f"t{len(names)}_renamed") if name else name

    for value in [*graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        value.name = new(value.name)
    for i, node in enumerate(graph.node):
        node.name = f"n{i}_renamed"
        node.input[:] = [new(n) for n in node.input]
        node.output[:] = [new(n) for n in node.output]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                rename_graph(attribute.g, names)
    graph.name = "renamed"
    weights = list(graph.initializer)[::-1]
    del graph.initializer[:]
    graph.initializer.extend(weights)


def main():
    model = onnx.load(sys.argv[1], load_external_data=False)
    rename_graph(model.graph, {})
    onnx.save(model, sys.argv[2])


main()
