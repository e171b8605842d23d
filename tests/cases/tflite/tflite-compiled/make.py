"""Writes files as Vela and the Edge TPU's compiler leave them, and one with a custom operator of someone's own."""
import json

X, Y = {"name": "x", "type": "int8", "shape": [1, 8, 8, 3]}, {"name": "y", "type": "int8", "shape": [1, 8, 8, 8]}
COMMANDS = {"name": "_split_1_command_stream", "type": "uint8", "shape": [16], "data": list(b"COP1" + bytes(12))}
WEIGHTS = {"name": "_split_1_flash", "type": "uint8", "shape": [8], "data": [1] * 8}
SCRATCH = {"name": "_split_1_scratch", "type": "uint8", "shape": [4096]}
FAST = {"name": "_split_1_scratch_fast", "type": "uint8", "shape": [0]}


def write(name, tensors, operators, result, **more):
    with open(name + ".json", "w") as out:
        json.dump({"tensors": tensors, "operators": operators, "inputs": [0], "outputs": [result], **more}, out)


def ethos(ins, outs):
    return {"op": 32, "custom": "ethos-u", "in": ins, "out": outs, "bytes": [1, 4, 1]}


# The whole network on the NPU, with scratch memory that nothing makes.
write("vela-whole", [X, COMMANDS, WEIGHTS, SCRATCH, FAST, Y], [ethos([1, 2, 3, 4, 0], [5])], 5, description="Vela Optimised")
# Without fast scratch memory, as for Ethos-U55 with shared SRAM.
write("vela-shared", [X, COMMANDS, WEIGHTS, SCRATCH, Y], [ethos([1, 2, 3, 0], [4])], 4)
# A Softmax that stayed on the CPU.
write("vela-softmax", [X, COMMANDS, WEIGHTS, SCRATCH, FAST, Y, {**Y, "name": "z", "scale": [0.00390625], "zero": [-128]}],
      [ethos([1, 2, 3, 4, 0], [5]), {"op": 25, "in": [5], "out": [6], "options": [9, {"0": ["f32", 1]}]}], 6)
# Two parts, with an operator of the CPU between them.
write("vela-parts", [X, COMMANDS, WEIGHTS, SCRATCH, FAST, Y, {**Y, "name": "cpu"}, {**Y, "name": "z"}],
      [ethos([1, 2, 3, 4, 0], [5]), {"op": 28, "in": [5], "out": [6]}, ethos([1, 2, 3, 4, 6], [7])], 7)
write("edgetpu", [X, Y], [{"op": 32, "custom": "edgetpu-custom-op", "in": [0], "out": [1], "bytes": list(range(40))}], 1)
# An operator of one's own may have scratch memory too.
write("own", [X, SCRATCH, Y], [{"op": 32, "custom": "MyFilter", "in": [0, 1], "out": [2]}], 2)
