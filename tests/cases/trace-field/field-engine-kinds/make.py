#!/usr/bin/python3
"""Engines of TensorRT 10, and layers of kinds that few engines have."""
import json
T = lambda n, d, f: {"Name": n, "Dimensions": d, "Format/Datatype": f, "Location": "Device"}
def run(tag, layers, times):
    names = [l["Name"] for l in layers]
    json.dump({"Layers": layers, "Bindings": ["x", layers[-1]["Outputs"][0]["Name"]]}, open(tag + ".json", "w"))
    json.dump([{"count": 200}] + [{"name": n, "timeMs": t * 200, "averageMs": t, "medianMs": t, "percentage": 1} for n, t in zip(names, times)], open(tag + ".prof.json", "w"))
L, P, cur = [], [], T("x", [1, 40, 256], "Float")
for i in range(6):
    for name, typ, ms, c in (("/l%d/qkv/MatMul_myl0" % i, "gemm", .05, 768), ("_gemm_mha_v2_myl0_%d" % i, "kgen", .03, 256), ("__myl_Fc_myl0_%d" % i, "fusion", .08, 1024), ("__myl_Fc2_myl0_%d" % i, "fusion", .09, 256)):
        out = T(name + "_o", [1, 40, c], "Float"); P.append(ms)
        L.append({"Name": name, "LayerType": typ, "Inputs": [cur], "Outputs": [out], "TacticName": "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_by_fusion_tactic" if typ == "fusion" else name, "StreamId": 0}); cur = out
run("fp32", L, P)
for typ in ("fusion", "gemm"):
    L, P, cur = [], [], T("x", [1, 40, 256], "Half")
    for i in range(4):
        q, m = T("q%d" % i, [1, 40, 256], "Int8"), T("m%d" % i, [1, 40, 1024], "Half")
        L.append({"Name": "__myl_CastMulRounMaxMinCast_myl0_%d" % i, "LayerType": "kgen", "Inputs": [cur], "Outputs": [q], "TacticName": "k", "StreamId": 0})
        L.append({"Name": "__myl_Fc%d" % i, "LayerType": typ, "Inputs": [q], "Outputs": [m], "TacticName": "sm80_xmma_gemm_i8f32_i8i32_f32_tn_n_tilesize64x64x64", "StreamId": 0}); P += [.05, .2]; cur = m
    run("int8_" + typ, L, P)
F = T("x", [1, 8, 16, 16], "Float")
P1 = T("p", [1, 8, 18, 18], "Float")
run("padded", [{"Name": "pad", "LayerType": "Slice", "ParameterType": "Slice", "Inputs": [F], "Outputs": [P1]},
               {"Name": "conv", "LayerType": "CaskConvolution", "ParameterType": "Convolution", "Inputs": [P1], "Outputs": [T("y", [1, 8, 16, 16], "Float")]}], [.2, .3])
Q = T("q", [1, 16, 16, 8], "Int8")
run("quantized", [{"Name": "QuantizeLinear_1", "LayerType": "Reformat", "Origin": "SLICE", "Inputs": [F], "Outputs": [Q]},
                  {"Name": "conv", "LayerType": "CaskConvolution", "ParameterType": "Convolution", "Inputs": [Q], "Outputs": [T("y", [1, 8, 16, 16], "Int8")]}], [.2, .3])
run("moved", [{"Name": "move", "LayerType": "Shuffle", "ParameterType": "Shuffle", "Inputs": [T("x", [1, 16, 20, 8], "Float")], "Outputs": [T("m", [1, 8, 16, 20], "Float")]},
              {"Name": "conv", "LayerType": "CaskConvolution", "ParameterType": "Convolution", "Inputs": [T("m", [1, 8, 16, 20], "Float")], "Outputs": [T("y", [1, 8, 16, 20], "Float")]}], [.2, .3])
for kind in ("sparse_attn", "fusion", "MoE", "ragged softcap", "CustomX"):
    run("kind-" + kind.split(" ")[0], [{"Name": "a", "LayerType": kind, "Inputs": [F], "Outputs": [P1]}, {"Name": "b", "LayerType": kind, "Inputs": [P1], "Outputs": [F]}], [.2, .3])
