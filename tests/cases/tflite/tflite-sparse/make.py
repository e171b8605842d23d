"""Writes one model with its weights stored densely, and the same with sparse ones."""
import copy
import json

# Two kernels of 2x2 over two channels (OHWI), five of sixteen weights are not 0; then a matrix 3x8 (two of each row).
KERNEL = [1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 4, 5, 0, 0]
MATRIX = [1, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 4, 0, 0, 5, 6, 0, 0, 0, 0]


def rows(values, columns, bits):
    """CSR along the last axis: stored values, segments, indices."""
    at = [i for i, v in enumerate(values) if v]
    segments = [sum(i < row * columns for i in at) for row in range(len(values) // columns + 1)]
    return [values[i] for i in at], {"segments": segments, "indices": [i % columns for i in at], "bits": bits}


dense = {"tensors": [
    {"name": "image", "type": "float32", "shape": [1, 3, 3, 2]},
    {"name": "kernel", "type": "float32", "shape": [2, 2, 2, 2], "data": KERNEL},
    {"name": "map", "type": "float32", "shape": [1, 2, 2, 2]},
    {"name": "flat", "type": "float32", "shape": [1, 8]},
    {"name": "shape", "type": "int32", "shape": [2], "data": [1, 8]},
    {"name": "matrix", "type": "float32", "shape": [3, 8], "data": MATRIX},
    {"name": "result", "type": "float32", "shape": [1, 3]}],
    "operators": [
        {"op": 3, "in": [0, 1, -1], "out": [2], "options": [1, {"0": ["i8", 1], "1": ["i32", 1], "2": ["i32", 1], "3": ["i8", 0]}]},
        {"op": 22, "in": [2, 4], "out": [3]},
        {"op": 9, "in": [3, 5, -1], "out": [6], "options": [8, {}]}],
    "inputs": [0], "outputs": [6]}

# The kernel by DENSIFY, the matrix as it is: what LiteRT has sparse kernels for.
sparse = copy.deepcopy(dense)
kernel, matrix = sparse["tensors"][1], sparse["tensors"][5]
kernel["data"], last = rows(KERNEL, 2, 8)
kernel["sparse"] = {"order": [0, 1, 2, 3], "blocks": [], "levels": [{"size": 2}, {"size": 2}, {"size": 2}, last]}
matrix["data"], last = rows(MATRIX, 8, 16)
matrix["sparse"] = {"order": [0, 1], "blocks": [], "levels": [{"size": 3}, last]}
sparse["tensors"].append({"name": "kernel_dense", "type": "float32", "shape": [2, 2, 2, 2]})
sparse["operators"].insert(0, {"op": 124, "in": [1], "out": [7]})
sparse["operators"][1]["in"][1] = 7

# Blocks of 1x4 along the rows: the shape is known, the values are not.
blocks = copy.deepcopy(dense)
blocks["tensors"][5]["data"] = MATRIX[:8] + [0, 3, 0, 0] + [0, 0, 0, 4] + [0, 0, 5, 6]
blocks["tensors"][5]["sparse"] = {"order": [0, 1, 2], "blocks": [1], "levels": [
    {"size": 3}, {"segments": [0, 2, 4, 5], "indices": [0, 1, 0, 1, 0], "bits": 32}, {"size": 4}]}

# An index beyond its row, and segments beyond the indices.
bad = copy.deepcopy(sparse)
bad["tensors"][5]["sparse"]["levels"][1]["indices"][0] = 8
worse = copy.deepcopy(sparse)
worse["tensors"][5]["sparse"]["levels"][1]["segments"] = [0, 2, 60000, 6]

for name in ("dense", "sparse", "blocks", "bad", "worse"):
    with open(name + ".json", "w") as out:
        json.dump(globals()[name], out)

# 20,000 rows that each claim all of 60,000 indices: read once, not 20,000 times.
slow = {"tensors": [{"name": "x", "type": "int8", "shape": [1, 4]},
                    {"name": "m", "type": "int8", "shape": [20000, 4], "data": [1] * 60000,
                     "sparse": {"order": [0, 1], "blocks": [], "levels": [{"size": 20000}, {
                         "segments": [0, 60000] * 10000 + [0], "indices": [1] * 60000, "bits": 16}]}},
                    {"name": "y", "type": "int8", "shape": [1, 20000]}],
        "operators": [{"op": 9, "in": [0, 1, -1], "out": [2], "options": [8, {}]}], "inputs": [0], "outputs": [2]}
with open("slow.json", "w") as out:
    json.dump(slow, out)

# DENSIFY that claims a larger result than its input has: the input's shape counts.
claims = copy.deepcopy(sparse)
claims["tensors"][7]["shape"] = [2, 2, 2, 8]
with open("claims.json", "w") as out:
    json.dump(claims, out)
