#!/usr/bin/python3
"""Files of other tools."""
import json
W=lambda f,s: open(f,"w").write(s)
W("openvino_detailed.csv","layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\nconv1;EXECUTED;Convolution;brgconv_avx512_I8;0.123;0.123;\nTotal;;;;0.123;0.123;\n")
W("openvino_exec_graph.xml",'<?xml version="1.0"?>\n<net name="m" version="10"><layers><layer id="0" name="in" type="Input"><data execTimeMcs="12"/></layer></layers></net>\n')
W("openvino_report.json",'{"execution_results":{"throughput":"120.1","latency_median":"8.1"},"configuration_setup":{"precision":"INT8"}}')
W("vela_per-layer.csv",'TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network%,Util%,Name\nCONV_2D,Conv2DBias,37632,50.1,12345,10.1,12345,100,0,0,0,10838016,12.3,45.6,conv1\n')
W("vela_summary.csv",'experiment,network,accelerator_configuration,system_config,memory_mode,core_clock,arena_cache_size,cycles_total,inference_time\ndefault,m,Ethos_U55_128,x,y,500000000.0,384,123456.0,0.00024\n')
W("rknn_perf.txt","""===================================================================================================================
                              Performance
        #### The performance result is just for debugging, ####
===================================================================================================================
ID   OpType           DataType Target InputShape                               OutputShape            DDR Cycles     NPU Cycles     Total Cycles   Time(us)       MacUsage(%)          WorkLoad(0/1/2)      RW(KB)       FullName
1    InputOperator    UINT8    CPU    \\                                        (1,3,640,640)          0              0              0              9              \\                    0.0%/0.0%/0.0%       1200         InputOperator:images
2    ConvRelu         INT8     NPU    (1,3,640,640),(32,3,6,6),(32)            (1,32,320,320)         0              0              0              1201           25.1/0.00/0.00       100%/0%/0%           4407         Conv:/model.0/conv/Conv
Total Operator Elapsed Per Frame Time(us): 1210
""")
W("tt_ops_perf.csv","OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,ATTRIBUTES,MATH FIDELITY,CORE COUNT,PARALLELIZATION STRATEGY,HOST START TS,HOST END TS,HOST DURATION [ns],DEVICE FW START CYCLE,DEVICE FW END CYCLE,OP TO OP LATENCY [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\nMatmul,tt_dnn_device,1,0,{},HiFi2,64,,1,2,1,10,20,0,9000,8800\n")
W("tt_perf_report.csv","ID,Total %,Bound,OP Code,Device Time,Op-to-Op Gap,Cores,DRAM,DRAM %,FLOPs,FLOPs %,Math Fidelity\n1,12.3,DRAM,Matmul,120.1,1.2,64,200,80,12,30,HiFi2\n")
W("qnn-profiling-data.csv","Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n123,EXECUTE,1234,US,BACKEND,ROOT,QNN accelerator (execute) time\n")
W("nsys_stats.csv",'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n99.9,9863089,2835,3479.0,3460.0,3423,3872,1.0,"void copyPackedKernel<float, float>(int)"\n')
W("tflite_bench.txt","STARTING!\nProfiling Info for Benchmark Initialization:\n============================== Run Order ==============================\n\t             [node type]\t  [first]\t [avg ms]\t     [%]\t  [cdf%]\t  [mem KB]\t[times called]\t[Name]\n\t                 CONV_2D\t    0.901\t    0.812\t  4.1%\t  4.1%\t     0.000\t        1\t[conv]:0\n")
W("furiosa_polars.txt","┌─────────────────────────┬──────────────────────┬───────┐\n│ name                    ┆ average_elapsed (ns) ┆ count │\n╞═════════════════════════╪══════════════════════╪═══════╡\n│ LowLevelConv2d          ┆ 5327.8               ┆ 60    │\n└─────────────────────────┴──────────────────────┴───────┘\n")
W("furiosa_pandas.txt","                         average elapsed(ns)  count\nname\nLowLevelConv2d                   1226.187500     16\nLowLevelPad                       361.416667     12\n")
W("edf.csv","leader_device,name,cycle\nnpu0pe0-3,Tokenwise(TokenwiseBucket { input_size: 8 }) #0,811200\n")
W("engine_inspector.txt",'--- Layer 0 ---\n{\n  "Name": "conv1",\n  "LayerType": "CaskConvolution",\n  "Inputs": []\n}\n')
W("trt_layerinfo_text.log",'[05/08/2024-14:05:14] [I] Layer Information:\n[05/08/2024-14:05:14] [I] Layers:\nName: conv1, LayerType: CaskConvolution, Inputs: [ { Name: x, Dimensions: [1,3,224,224], Format/Datatype: Float }], Outputs: [ { Name: y, Dimensions: [1,64,112,112], Format/Datatype: Float }], TacticName: sm80, StreamId: 0, Metadata: [ONNX Layer: conv1]\n\nBindings:\nx\ny\n')
open("trace.pftrace","wb").write(b"\x0a\x9e\x01\x0a\x08\x50\x02\x58\x03"+bytes(range(60)))
open("prof.nsys-rep","wb").write(b"NVTX\x00\x01\x02"+bytes(100))
W("triton_trace.json",'[{"id":1,"model_name":"simple","model_version":1},{"id":1,"timestamps":[{"name":"HTTP_RECV_START","ns":259},{"name":"INFER_RESPONSE_COMPLETE","ns":400}]}]')
W("gecko.json",'{"meta":{"interval":1,"product":"Firefox"},"threads":[{"samples":{"data":[]}}]}')
W("speedscope.json",'{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":"evented","events":[]}],"shared":{"frames":[]}}')
W("tvm_report.json",'{"calls":[{"Name":{"string":"fused_conv"},"Duration (us)":{"microseconds":12.3}}],"device_metrics":{},"configuration":{}}')
W("migraphx_perf.txt","Summary:\ngpu::code_object::mlir_convolution: 1.2ms / 10 = 0.12ms, 34%\nBatch size: 1\nRate: 812.1 inferences/sec\n")
W("ncnn_bench.txt","loop_count = 8\nnum_threads = 4\n squeezenet  min =    3.21  max =    3.40  avg =    3.28\n")
W("hailo.csv","Layer Name,Cycles,Utilization\nconv1,1234,0.8\n")
W("coreml.json",'{"modelPath":"a.mlmodelc","operations":[{"name":"conv","cost":0.1}]}')
W("ort_perf.txt","Session creation time cost:0.05 s\nTotal inference time cost:1.2 s\nAverage inference time cost: 12 ms\n")
json.dump({"report_type": "average", "avg_performance": {"nodes": [{"name": "Conv_0", "real_time": "0.730"}], "total_real_time": "0.730"}}, open("average.json", "w"))
W("empty.json", "{}")
W("list.json", "[]")
W("text.json", '"x"')
W("package.json", '{"name": "a", "version": "1.0.0", "scripts": {}}')
# Of ours: what else lies beside traces.
open("host.xplane.pb", "wb").write(b"\n\x40\x12\x09/host:CPU" + bytes(range(60)))
open("plugins.zip", "wb").write(b"PK\x03\x04" + bytes(range(60)))
W("report.html", "<!DOCTYPE html><html><title>profile</title></html>\n")
W("timings.csv", "kernel,ms\nconv,1.2\n")
