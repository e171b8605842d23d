"""Points of a few networks: as many as a fit needs, and each metric. Their values are made up, and hang on their number alone."""
import json
import sys
import zlib

NETS = [("mnist", "mnist --dtype qdq --input u8 --layout nhwc", 0.0103, 0.0103), ("mobilenet", "mobilenet_v1 --dtype qdq --input u8", 0.125, 0.137), ("mobilenet-nhwc", "mobilenet_v1 --dtype qdq --input u8 --layout nhwc", 0.13, 0.14),
        ("resnet50", "resnet50 --dtype qdq --input u8", 0.554, 1.38), ("ssd", "ssd_mobilenet --dtype qdq --input u8", 0.23, 0.275), ("resnet50-f", "resnet50 --dtype qdq --weights shared", 0.56, 1.4)]


def part(i, what):
    return zlib.crc32(f"{what}:{i}".encode()) % 1000 / 1000


def point(i, net, target, batch, **more):
    name, flags, fused, alone = NETS[net]
    ms = (fused if target.endswith("2pe") else alone) * more.get("images_per_query", 1)
    return {"model": name, "flags": flags, "target": target, "batch": batch, "metric": "npu_ms", "value_ms": round(ms * (0.8 + 0.4 * part(i, "ms")), 6), "source": "made up", **more}


def fit(families, count):
    rows = []
    for i in range(count):
        more = {"family": NETS[i % 6][0][:6]} if families else {}
        more.update([{}, {"target_stated": False}, {"sdk": ("0.8", "0.9", "0.10", "7")[i % 4]}, {"metric": "period_ms", "scenario": "MLPerf v2.0 Offline", "meaning": "8 workers"},
                     {"metric": "query_mean_ms", "images_per_query": 8, "scenario": "MLPerf v2.0 MultiStream"}, {"scenario": "MLPerf v1.1"}][i % 7 % 6])
        rows.append(point(i, i % 6, ("warboy-2pe", "warboy")[i % 5 % 2], 1 + i % 11 % 3, **more))
    return rows


metrics = ["npu_ms", "npu_total_ms", "compiler_estimate_ms", "end_to_end_ms", "latency_mean_ms", "latency_p90_ms", "period_ms", "query_mean_ms", "query_p99_ms", "npu_op_ms", "host_op_ms", "watts"]
meanings = ["1 worker", "8 workers", "with 12 workers at once", "workers", "1234567 workers", "worker 3", None]
json.dump([point(i, 0, "warboy-2pe", 1, metric=m, meaning=meanings[i % 7], op=("Quantize", "LowConv2d", "Conv", None)[i % 4] or "", target_stated=bool(i % 3), images_per_query=1 + i % 4)
           for i, m in enumerate(metrics * 2)], open("metrics.points", "w"))
json.dump(fit(True, 60), open("families.points", "w"))
json.dump(fit(False, 60), open("plain.points", "w"))
json.dump([p for p in fit(True, 400) if p["metric"] == "npu_ms"][: int(sys.argv[1])], open("least.points", "w"))
json.dump([p for p in fit(True, 400) if p["metric"] == "npu_ms"][: int(sys.argv[1]) - 1], open("fewer.points", "w"))
bad = {"object": {}, "text": [1], "negative": [{**point(0, 0, "warboy", 1), "value_ms": -1}], "queries": [{**point(0, 0, "warboy", 1), "images_per_query": 0}], "target": [point(0, 0, "warboy", 1), {**point(0, 0, "warboy", 1), "target": "nosuch"}],
       "folder": [{**point(0, 0, "warboy", 1), "flags": "../mnist"}], "flags": [{**point(0, 0, "warboy", 1), "flags": f} for f in ("", "--dtype", "mnist --dtype qdq --input u8 --layout nhwc --size 640x640 --relu keep --act s8 --heads nms --batch 4 --weights real --kind a b",
       "mnist --size 640x64 --act s8 --relu keep", "mnist --size 640x6400", "mnist " + " ".join(f"--o{i} v{i}" for i in range(20)))], "none": []}
for name, rows in bad.items():
    json.dump(rows, open(f"{name}.points", "w"))
