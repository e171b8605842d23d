/* What the readers of JSON make of a file, by hand. */
#include "tests/unit/span_repairs.h"

/* ---- JSON ---- */

/* A list of events. */
static const char *joined(const char *const *event)
{
    static char text[COUNT_MAX];
    size_t n = 0;
    for (; *event; event++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%c%s", n ? ',' : '[', *event);
    snprintf(text + n, sizeof text - n, "]");
    return text;
}
#define EVENTS(...) joined((const char *const[]){__VA_ARGS__, NULL})

#define X_OF(cat, name, more)                                                                      \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"ts\":1,\"dur\":2" more "}"
#define EV(ph, name, ts, more)                                                                     \
    "{\"ph\":\"" ph "\",\"name\":\"" name "\",\"ts\":" #ts ",\"pid\":1,\"tid\":2" more "}"

/* Each name that the runtime has, and what is none of them. */
static void furiosa_names(void)
{
    READS(
        EVENTS(X_OF("Runtime", "Inference", ""), X_OF("Runtime", "Quantize", ""),
               X_OF("Runtime", "Lower", ""), X_OF("Runtime", "Pad", ""),
               X_OF("Runtime", "Unlower", ""), X_OF("Runtime", "Slice", ""),
               X_OF("Runtime", "Dequantize", ""), X_OF("Runtime", "TableLookup", ""),
               X_OF("Runtime", "ProcessOperators", ""), X_OF("Runtime", "Run", ""),
               X_OF("Runtime", "Inference (batch)", ""), X_OF("Runtime", "Inference(batch)", ""),
               X_OF("Runtime", "warm up", "")),
        "inference Inference [Runtime] 1000+2000\nhost_operator Quantize [Runtime] "
        "1000+2000\nhost_operator Lower [Runtime] 1000+2000\n"
        "host_operator Pad [Runtime] 1000+2000\nhost_operator Unlower [Runtime] "
        "1000+2000\nhost_operator Slice [Runtime] 1000+2000\n"
        "host_operator Dequantize [Runtime] 1000+2000\nhost_operator TableLookup [Runtime] "
        "1000+2000\n"
        "other ProcessOperators [Runtime] 1000+2000\nother Run [Runtime] 1000+2000\nother "
        "Inference (batch) [Runtime] 1000+2000\n"
        "label Inference(batch) [Runtime] 1000+2000\nlabel warm up [Runtime] 1000+2000\nsdk 10\n");
    READS(EVENTS(X_OF("Nux", "WriteToDram", ""), X_OF("Nux", "ReadFromDram", ""),
                 X_OF("Nux", "SendOperandTriple", ""), X_OF("Nux", "RunTask", ""),
                 X_OF("Nux", "WaitForCommit", ""), X_OF("Nux", "WaitForCommitAll", ""),
                 X_OF("Nux", "HandleCommitData", ""), X_OF("Nux", "FeedInputs", ""),
                 X_OF("Nux", "FeedFirstInputTensors", ""), X_OF("Nux", "Enqueue", ""),
                 X_OF("Nux", "Compile", ""), X_OF("Nux", "ProgramBinary", ""),
                 X_OF("Nux", "AllocateDram", ""), X_OF("Nux", "Register", "")),
          "transfer WriteToDram [Nux] 1000+2000\ntransfer ReadFromDram [Nux] 1000+2000\nsubmit "
          "SendOperandTriple [Nux] 1000+2000\n"
          "submit RunTask [Nux] 1000+2000\nsubmit WaitForCommit [Nux] 1000+2000\nsubmit "
          "WaitForCommitAll [Nux] 1000+2000\n"
          "submit HandleCommitData [Nux] 1000+2000\nsubmit FeedInputs [Nux] 1000+2000\nsubmit "
          "FeedFirstInputTensors [Nux] 1000+2000\n"
          "submit Enqueue [Nux] 1000+2000\ncompile Compile [Nux] 1000+2000\ncompile ProgramBinary "
          "[Nux] 1000+2000\n"
          "compile AllocateDram [Nux] 1000+2000\ncompile Register [Nux] 1000+2000\nsdk 9\n");
}

/* Tensor ids in parentheses go; other parentheses, empty ones and a name of nothing else stay.
 */
static void furiosa_brackets(void)
{
    READS(
        EVENTS(X_OF("NPU", "Task($0,1, 23)", ""), X_OF("NPU", "Execution", ""),
               X_OF("NPU", "Load(1)", ""), X_OF("NPU", "Store", ""), X_OF("NPU", "C(a)", ""),
               X_OF("NPU", "C()", ""), X_OF("NPU", "(1)", ""), X_OF("NPU", "C(1", ""),
               X_OF("NPU", "C1)", ""), X_OF("NPU", ")", ""), X_OF("NPU", "A(x)(9)", "")),
        "task Task [NPU] 1000+2000\ntask Execution [NPU] 1000+2000\nnpu_io Load [NPU] "
        "1000+2000\nnpu_io Store [NPU] 1000+2000\n"
        "npu_operator C(a) [NPU] 1000+2000\nnpu_operator C() [NPU] 1000+2000\nnpu_operator (1) "
        "[NPU] 1000+2000\n"
        "npu_operator C(1 [NPU] 1000+2000\nnpu_operator C1) [NPU] 1000+2000\nnpu_operator ) [NPU] "
        "1000+2000\n"
        "npu_operator A(x) [NPU] 1000+2000\n");
}

/* An operator's index makes an operator of a label; of our own category nothing is made. */
static void furiosa_arguments(void)
{
    READS(EVENTS(X_OF("Nux", "mine", ",\"args\":{\"operator_index\":3}"),
                 X_OF("Nux", "Run", ",\"args\":{\"operator_index\":0}"),
                 X_OF("Nux", "Enqueue", ",\"args\":{\"operator_index\":0}"),
                 X_OF("npu-advise", "mine", ",\"args\":{\"operator_index\":3}"),
                 X_OF("npu-advise", "Pad", "")),
          "host_operator mine [Nux] 1000+2000 operator 3\nhost_operator Run [Nux] 1000+2000 "
          "operator 0\n"
          "submit Enqueue [Nux] 1000+2000 operator 0\nother mine [npu-advise] 1000+2000 operator "
          "3\nother Pad [npu-advise] 1000+2000\nsdk 9\n");
    READS(
        EVENTS(X_OF(
            "NPU", "Task",
            ",\"pid\":3,\"tid\":\"0x1f\",\"args\":{\"pe_index\":\"1\",\"execution_index\":"
            "2147483647,\"instruction_index\":2147483648,\"operator_index\":-1,\"trace_id\":"
            "\"10000000000000002\",\"span_id\":\"c\",\"parent_span_id\":\"d\",\"nominal\":true}")),
        "task Task [NPU] 1000+2000 3:31 trace 1.2 span c in d pe 1 execution 2147483647 "
        "nominal\nbad_number 2\n");
}

/* The same transfer twice, one within the other, or around it, counts once; beside it or of
 * another name twice. */
static void furiosa_doubled(void)
{
    READS(EVENTS(EV("X", "WriteToDram", 10, ",\"cat\":\"Nux\",\"dur\":10"),
                 EV("X", "WriteToDram", 10, ",\"cat\":\"Nux\",\"dur\":10"),
                 EV("X", "WriteToDram", 9, ",\"cat\":\"Nux\",\"dur\":11"),
                 EV("X", "WriteToDram", 11, ",\"cat\":\"Nux\",\"dur\":10"),
                 EV("X", "ReadFromDram", 12, ",\"cat\":\"Nux\",\"dur\":1"),
                 EV("X", "Pad", 12, ",\"cat\":\"Nux\",\"dur\":1"),
                 EV("X", "Pad", 12, ",\"cat\":\"Nux\",\"dur\":1")),
          "transfer WriteToDram [Nux] 10000+10000 1:2\ntransfer WriteToDram [Nux] 11000+10000 1:2\n"
          "transfer ReadFromDram [Nux] 12000+1000 1:2\nhost_operator Pad [Nux] 12000+1000 "
          "1:2\nhost_operator Pad [Nux] 12000+1000 1:2\n"
          "doubled 2\nsdk 9\n");
}

#define SENT(ts, dur) EV("X", "WriteToDram", ts, ",\"cat\":\"Nux\",\"dur\":" #dur)
/* Also where both begin or end together. */
static void furiosa_edges_doubled(void)
{
    READS(EVENTS(SENT(30, 10), SENT(35, 5), SENT(50, 10), SENT(50, 5), SENT(70, 5), SENT(70, 10),
                 SENT(90, 5), SENT(85, 10)),
          "transfer WriteToDram [Nux] 30000+10000 1:2\ntransfer WriteToDram [Nux] 50000+10000 1:2\n"
          "transfer WriteToDram [Nux] 70000+5000 1:2\ntransfer WriteToDram [Nux] 90000+5000 "
          "1:2\ndoubled 4\nsdk 9\n");
    READS(EVENTS(EV("B", "RunTask", 1, ",\"cat\":\"Nux\""),
                 EV("B", "RunTask", 2, ",\"cat\":\"Nux\""), EV("E", "RunTask", 3, ""),
                 EV("E", "RunTask", 5, "")),
          "submit RunTask [Nux] 1000+4000 1:2\ndoubled 1\nsdk 9\n");
}

/* Names tell whose end it is: one without a beginning is dropped. */
static void furiosa_ends(void)
{
    READS(EVENTS(EV("B", "Run", 1, ",\"cat\":\"Nux\""), EV("E", "Pad", 2, ""),
                 EV("E", "Run", 4,
                    ",\"args\":{\"pe_index\":1,\"execution_index\":2,\"instruction_index\":3}")),
          "other Run [Nux] 1000+3000 1:2 pe 1 execution 2 instruction 3\nunmatched_end 1\nsdk 9\n");
}

/* Begun and ended: nested, ended by name, ended without one, never begun, never ended. */
static void chrome_pairs(void)
{
    READS(
        EVENTS(EV("B", "a", 1, ""), EV("B", "b", 2, ""), EV("E", "b", 3, ""), EV("E", "a", 4, "")),
        "other b 2000+1000 1:2\nother a 1000+3000 1:2\n");
    READS("[" EV("B", "a", 1, "") "," EV("B", "b", 2,
                                         "") ",{\"ph\":\"E\",\"ts\":3,\"pid\":1,\"tid\":2},{\"ph\":"
                                             "\"E\",\"ts\":7,\"pid\":1,\"tid\":2}]",
          "other b 2000+1000 1:2\nother a 1000+6000 1:2\n");
    READS(EVENTS(EV("B", "a", 1, ""), EV("E", "b", 3, "")),
          "other a 1000+2000 1:2\nrenamed_end 1\n");
    READS(EVENTS(EV("B", "a", 1, "")), "unmatched_begin 1\n");
    READS(EVENTS(EV("E", "a", 1, "")), "unmatched_end 1\n");
}

/* An end that comes first in the file waits for its beginning, which is out of order if it is
 * earlier; an end before its beginning is one after all. */
static void chrome_early_ends(void)
{
    READS(EVENTS(EV("E", "a", 5, ""), EV("B", "a", 3, "")),
          "other a 3000+2000 1:2\nout_of_order 1\n");
    READS(EVENTS(EV("E", "a", 5, ""), EV("B", "a", 5, "")), "other a 5000+0 1:2\n");
    READS(EVENTS(EV("E", "a", 5, ""), EV("B", "a", 6, "")),
          "other a 6000+0 1:2\nnegative_duration 1\n");
    READS(EVENTS(EV("E", "a", 9, ""), EV("E", "a", 5, ""), EV("B", "a", 3, "")),
          "other a 3000+2000 1:2\nunmatched_end 1\nout_of_order 2\n");
    READS(
        EVENTS(EV("B", "a", 5, ""), EV("B", "b", 5, ""), EV("E", "b", 5, ""), EV("E", "a", 5, "")),
        "other b 5000+0 1:2\nother a 5000+0 1:2\n");
    READS(
        EVENTS(EV("B", "a", 5, ""), EV("B", "b", 4, ""), EV("E", "b", 6, ""), EV("E", "a", 6, "")),
        "other b 4000+2000 1:2\nother a 5000+1000 1:2\nout_of_order 1\n");
}

#define ASYNC(ph, ts, id, more)                                                                    \
    "{\"ph\":\"" ph "\",\"cat\":\"c\",\"name\":\"a\",\"ts\":" #ts ",\"id\":" #id more "}"
/* Asynchronous ones: by id and category and scope, of the old kind and of the new, local ids by
 * process. */
static void chrome_asynchronous(void)
{
    READS(EVENTS(ASYNC("b", 1, 1, ""), ASYNC("b", 2, 2, ""), ASYNC("e", 3, 1, ""),
                 ASYNC("e", 5, 2, "")),
          "other a [c] 1000+2000\nother a [c] 2000+3000\n");
    READS(EVENTS(ASYNC("S", 1, 1, ""), ASYNC("b", 2, 1, ""), ASYNC("F", 3, 1, ""),
                 ASYNC("e", 7, 1, "")),
          "other a [c] 1000+2000\nother a [c] 2000+5000\n");
    READS(EVENTS(ASYNC("b", 1, 1, ",\"scope\":\"x\""), ASYNC("b", 2, 1, ",\"scope\":\"y\""),
                 ASYNC("e", 3, 1, ",\"scope\":\"x\""), ASYNC("e", 5, 1, ",\"scope\":\"y\""),
                 ASYNC("e", 6, 1, "")),
          "other a [c] 1000+2000\nother a [c] 2000+3000\nunmatched_end 1\n");
#define ID2(ph, ts, pid, which)                                                                    \
    "{\"ph\":\"" ph "\",\"cat\":\"c\",\"name\":\"a\",\"ts\":" #ts ",\"pid\":" #pid                 \
    ",\"id2\":{\"" which "\":7}}"
    READS(EVENTS(ID2("b", 1, 1, "local"), ID2("b", 2, 2, "local"), ID2("e", 3, 1, "local"),
                 ID2("e", 5, 2, "local")),
          "other a [c] 1000+2000 1:0\nother a [c] 2000+3000 2:0\n");
    READS(EVENTS(ID2("b", 1, 1, "global"), ID2("e", 3, 2, "global")),
          "other a [c] 1000+2000 1:0\n");
}

/* Names of processes and threads, given or in place of the number. */
static void chrome_threads(void)
{
    READS("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3,\"args\":{\"name\":\"p\"}},{\"ph\":"
          "\"M\",\"name\":\"thread_name\",\"pid\":3,\"tid\":4,\"args\":{\"name\":\"t\"}},"
          "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":3,\"tid\":4,\"args\":{}},{\"ph\":\"M\","
          "\"name\":\"process_labels\",\"pid\":3,\"args\":{\"name\":\"t\"}}]",
          "3 is p\n3:4 is t\n");
}

/* Numbers: without time, beyond 73 years, without length, of negative length, in quotes,
 * wrapped, none, twice. */
static void chrome_numbers(void)
{
    READS("[{\"ph\":\"X\",\"name\":\"a\",\"dur\":1}," X_OF(
              "", "b",
              "") ",{\"ph\":\"X\",\"name\":\"c\",\"ts\":1},{\"ph\":\"X\",\"name\":\"d\",\"ts\":1,"
                  "\"dur\":-1},"
                  "{\"ph\":\"X\",\"name\":\"e\",\"ts\":\"1.5\",\"dur\":\"2.0005\"},{\"ph\":\"X\","
                  "\"ts\":1,\"dur\":1},{\"ph\":\"X\",\"name\":\"\",\"ts\":1,\"dur\":1},{\"ph\":"
                  "\"i\",\"name\":\"f\"},"
                  "{\"name\":\"g\",\"ts\":1,\"dur\":2},{\"ph\":\"X\",\"name\":\"h\",\"ts\":1,"
                  "\"ts\":2,\"dur\":\"x\"},{\"ph\":\"X\",\"name\":\"i\",\"ts\":1,\"dur\":1,}]",
          "other b 1000+2000\nother c 1000+0\nother d 1000+0\nother e 1500+2001\nother (unnamed) "
          "1000+1000\nother (unnamed) 1000+1000\n"
          "other h 2000+0\nother i 1000+1000\ntrailing_comma 1\nduplicate_key 1\nbad_event "
          "2\nbad_number 1\nmissing_name 2\nmissing_duration 2\nnegative_duration 1\n");
    READS(EVENTS(EV("X", "a", 2305843009213693.951, ",\"dur\":1"),
                 EV("X", "b", 2305843009213693.952, ",\"dur\":1"),
                 EV("X", "c", -2305843009213693.951, ",\"dur\":1"),
                 EV("X", "d", -2305843009213693.952, ",\"dur\":1"),
                 EV("X", "e", 0, ",\"dur\":2305843009213693.951"),
                 EV("X", "f", 0, ",\"dur\":2305843009213693.952")),
          "other a 2305843009213693951+1000 1:2\nother c -2305843009213693951+1000 1:2\nother e "
          "0+2305843009213693951 1:2\nbad_event 3\n");
    READS(EVENTS(X_OF("", "\\u0041\\ud83d\\ude00", ""), X_OF("", "\\ud83dx", ""),
                 X_OF("", "a\377b", ""), X_OF("", "\\n\\t\\/", "")),
          "other A\xf0\x9f\x98\x80 1000+2000\nother \xef\xbf\xbdx 1000+2000\nother a\\xFF"
          "b 1000+2000\nother \n\t/ 1000+2000\nbad_utf8 2\n");
}

#define NODE(name, more) X_OF("Node", name, ",\"args\":{" more "}")
/* ONNX Runtime: shapes, work and bytes of its operators. */
static void profile_onnxruntime(void)
{
    READS(
        EVENTS(
            NODE("c_kernel_time",
                 "\"op_name\":\"Conv\",\"input_type_shape\":[{\"float\":[1,3,8,8]},{\"float\":[4,3,"
                 "3,3]}],\"output_type_shape\":[{\"float\":[1,4,6,6]}],\"activation_size\":\"768\","
                 "\"parameter_size\":\"432\",\"output_size\":\"576\""),
            NODE("q_kernel_time", "\"op_name\":\"QLinearConv\",\"input_type_shape\":[{\"uint8\":[1,"
                                  "3,8,8]},{\"float\":[]},{\"uint8\":[]},{\"int8\":[4,3,1,1]}],"
                                  "\"output_type_shape\":[{\"uint8\":[1,4,8,8]}]"),
            NODE("m_kernel_time",
                 "\"op_name\":\"MatMul\",\"input_type_shape\":[{\"float\":[2,5]},{\"float\":[5,7]}]"
                 ",\"output_type_shape\":[{\"float\":[2,7]}],\"output_size\":\"-5\""),
            NODE("s_kernel_time", "\"op_name\":\"MatMul\",\"input_type_shape\":[{\"float\":[]}],"
                                  "\"output_type_shape\":[{\"float\":[2,7]}]"),
            NODE("p_kernel_time", "\"op_name\":\"Conv\",\"input_type_shape\":[{\"float\":[1,3,8]},{"
                                  "\"float\":[4,3]}],\"output_type_shape\":[{\"float\":[1,4,6]}]"),
            NODE("r_kernel_time",
                 "\"op_name\":\"Relu\",\"input_type_shape\":[{\"float\":[1]}],\"output_type_"
                 "shape\":[{\"float\":[1]}],\"output_size\":\"1e18\""),
            NODE("n_kernel_time", "\"op_name\":\"Relu\""), NODE("_kernel_time", ""),
            NODE("c_fence_before", ""), NODE("c_fence_after", ""), X_OF("Session", "model_run", ""),
            X_OF("Session", "session_initialization", ""), X_OF("Session", "model_loading_uri", ""),
            X_OF("Session", "other", "")),
        "host_operator c [Node] op Conv 1000+2000 (1x3x8x8 4x3x3x3 -> 1x4x6x6) 7776 flop 1776 "
        "bytes\n"
        "host_operator q [Node] op QLinearConv 1000+2000 (1x3x8x8 scalar scalar 4x3x1x1 -> "
        "1x4x8x8) 1536 flop 0 bytes\n"
        "host_operator m [Node] op MatMul 1000+2000 (2x5 5x7 -> 2x7) 140 flop 0 bytes\n"
        "host_operator s [Node] op MatMul 1000+2000 (scalar -> 2x7)\n"
        "host_operator p [Node] op Conv 1000+2000 (1x3x8 4x3 -> 1x4x6)\n"
        "host_operator r [Node] op Relu 1000+2000 (1 -> 1)\nhost_operator n [Node] op Relu "
        "1000+2000\n"
        "host_operator _kernel_time [Node] 1000+2000\nsubmit c_fence_before [Node] "
        "1000+2000\nsubmit c_fence_after [Node] 1000+2000\n"
        "inference model_run [Session] 1000+2000\ncompile session_initialization [Session] "
        "1000+2000\n"
        "compile model_loading_uri [Session] 1000+2000\nother other [Session] 1000+2000\n");
}

/* PyTorch: steps by the host, their shadow on the device, old categories and new ones. */
static void profile_pytorch(void)
{
    READS(
        "{\"schemaVersion\":1,\"traceEvents\":[" X_OF(
            "user_annotation", "ProfilerStep#12",
            "") "," X_OF("gpu_user_annotation", "ProfilerStep#12",
                         "") "," X_OF("cpu_op", "ProfilerStep#",
                                      "") "," X_OF("kernel", "k",
                                                   "") "," X_OF("Kernel", "k",
                                                                "") "," X_OF("gpu_memcpy", "m",
                                                                             "") "," X_OF("Memcpy",
                                                                                          "m",
                                                                                          "") "," X_OF("gpu_memset",
                                                                                                       "m",
                                                                                                       "") "," X_OF("Memset",
                                                                                                                    "m",
                                                                                                                    "") "," X_OF("cuda_runtime",
                                                                                                                                 "l",
                                                                                                                                 "") "," X_OF("Runtime", "l", "") "," X_OF("cuda_driver", "l", "") "," X_OF("Operator", "o", ",\"args\":{\"Input dims\":[[1,3],[]]}") "," X_OF("cpu_op",
                                                                                                                                                                                                                                                                               "aten::conv2d", ",\"args\":{\"Input Dims\":[[1,3,8,8],[4,3,3,3],[],[[2,2],[3]]]}") "," X_OF("x",
                                                                                                                                                                                                                                                                                                                                                                           "y",
                                                                                                                                                                                                                                                                                                                                                                           "") "]}",
        "inference ProfilerStep [user_annotation] 1000+2000\nother ProfilerStep "
        "[gpu_user_annotation] 1000+2000\nhost_operator ProfilerStep# [cpu_op] 1000+2000\n"
        "npu_operator k [kernel] 1000+2000\nnpu_operator k [Kernel] 1000+2000\ntransfer m "
        "[gpu_memcpy] 1000+2000\ntransfer m [Memcpy] 1000+2000\n"
        "transfer m [gpu_memset] 1000+2000\ntransfer m [Memset] 1000+2000\nsubmit l [cuda_runtime] "
        "1000+2000\nsubmit l [Runtime] 1000+2000\nsubmit l [cuda_driver] 1000+2000\n"
        "host_operator o [Operator] 1000+2000 (1x3 scalar -> )\nhost_operator aten::conv2d "
        "[cpu_op] 1000+2000 (1x3x8x8 4x3x3x3 scalar ? -> )\nother y [x] 1000+2000\n");
}

/* trtexec: layers one behind the other, the stages of an inference. */
static void profile_trtexec(void)
{
    READS("[{\"count\":3},{\"name\":\"a\",\"timeMs\":9,\"averageMs\":0.5},{\"name\":\"b\","
          "\"timeMs\":0.25},{\"name\":\"c\",\"averageMs\":-1},{\"name\":\"d\",\"averageMs\":\"x\"},"
          "{\"averageMs\":1},{\"name\":\"e\",\"averageMs\":4e10},{\"name\":\"f\",\"averageMs\":"
          "3e10},{\"name\":\"g\",\"averageMs\":1}]",
          "npu_operator a 0+500000 of 3 runs\nnpu_operator b 500000+83333 of 3 runs\n"
          "npu_operator f 583333+30000000000000000 of 3 runs\n"
          "npu_operator g 30000000000583333+1000000 of 3 runs\nbad_event 4\n");
    READS("[{\"startEnqMs\":1,\"endEnqMs\":1.5,\"startH2dMs\":2,\"endH2dMs\":3,\"h2dMs\":0.75,"
          "\"startComputeMs\":3,\"endComputeMs\":5,\"startD2hMs\":5,\"endD2hMs\":6,\"latencyMs\":3."
          "5},"
          "{\"startComputeMs\":3},{\"startComputeMs\":3,\"endComputeMs\":2}]",
          "inference Inference 2000000+3500000\nsubmit Enqueue 1000000+500000 0:1\ntransfer H2D "
          "2000000+750000 0:2\ntask Compute 3000000+2000000 0:3\n"
          "transfer D2H 5000000+1000000 0:2\ntask Compute 3000000+0 0:3\nbad_event "
          "1\nnegative_duration 1\n");
}

/* MegEngine: of a dynamic graph, and of a static one. */
static void profile_megengine(void)
{
    READS(
        EVENTS(X_OF("Kernel", "Conv 12", ""), X_OF("c", "OpDispatch", ""),
               X_OF("c", "TensorWaitProp", ""), X_OF("c", "TensorGetProp", ""),
               X_OF("c", "HostToDevice", ""), X_OF("c", "Put 12", ""), X_OF("c", "Put12", ""),
               X_OF("c", " 12", ""), X_OF("c", "7", ""), X_OF("c", "A 7", "")),
        "npu_operator Conv [Kernel] 1000+2000\nsubmit OpDispatch [c] 1000+2000\nsubmit "
        "TensorWaitProp [c] 1000+2000\nsubmit TensorGetProp [c] 1000+2000\ntransfer HostToDevice "
        "[c] 1000+2000\n"
        "other Put [c] 1000+2000\nother Put12 [c] 1000+2000\nother  12 [c] 1000+2000\nother 7 [c] "
        "1000+2000\nother A [c] 1000+2000\n");
    READS("{\"graph_exec\":{\"operator\":{\"1\":{\"name\":\"conv\",\"type\":\"Convolution\"},\"2\":"
          "{}}},\"profiler\":{"
          "\"device\":{\"1\":{\"gpu0:0\":{\"start\":0.001,\"end\":0.003},\"gpu0:1\":{\"start\":0."
          "002,\"end\":0.001}},\"2\":{\"gpu0:0\":{\"start\":1,\"end\":4e7},\"gpu0:1\":{\"start\":1,"
          "\"end\":2}}},"
          "\"host\":{\"3\":{\"main\":{\"start\":0,\"end\":1}}},\"opr_footprint\":{\"1\":{\"in_"
          "shapes\":[[1,3]],\"out_shapes\":[[4],[5]],\"computation\":100,\"memory\":-1}}}}",
          "0 is device\n0:0 is gpu0:0\nnpu_operator conv op Convolution 1000000+2000000 (1x3 -> 4 "
          "5) 100 flop 0 bytes\n0:1 is gpu0:1\n"
          "other conv op Convolution 2000000+0 0:1 (1x3 -> 4 5) 100 flop 0 "
          "bytes\nnpu_operator 2 1000000000+1000000000 0:1\n"
          "1 is host\n1:0 is main\nhost_operator 3 0+1000000000 1:0\nbad_event "
          "1\nnegative_duration 1\n");
}

/* ---- cut off ---- */

/* Wherever the second event is cut off, the first one stays, and the file is said to be cut. */
static void cut_checks(void)
{
    static const char first[] = "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2}";
    static const char second[] =
        ", {\"ph\" : \"X\" , "
        "\"name\":\"b\\n\\u0041\",\"unknown\":[1,{\"x\":null}],\"ts\":1.5e0,\"dur\":\"2\","
        "\"pid\":\"0x1f\",\"tid\":true,\"id2\":{\"local\":1},\"args\":{\"pe_index\":\"1\","
        "\"operator_index\":7,\"trace_id\":\"ab\",\"nominal\":false}}";
    char text[512];
    size_t n = strlen(first), wrong = 0;
    for (size_t cut = 0; cut <= strlen(second); cut++) {
        snprintf(text, sizeof text, "%s%.*s", first, (int)cut, second);
        read_as(TRACE_UNKNOWN, text, n + cut);
        const char *expected = cut < 3 ? "other a 1000+2000\nunterminated 1\n" /* the list alone */
                                       : "other a 1000+2000\nunterminated 2\n";
        bool good = cut < strlen(second)
                        ? !strcmp(said, expected)
                        : strstr(said, "host_operator b\nA 1500+2000 31:") &&
                              strstr(said, " trace 0.ab pe 1 operator 7\nunterminated 1\n");
        wrong += !good;
    }
    CHECK(wrong == 0);
    /* A name in place of a number lies where no real process does. */
    static const char named[] =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":\"gpu0\"}]";
    read_as(TRACE_UNKNOWN, named, strlen(named));
    const char *behind = strstr(said, "other a 1000+2000 ");
    int64_t pid = behind ? strtoll(behind + 18, NULL, 10) : 0;
    CHECK(pid >= INT64_C(1) << 46 && pid < INT64_C(1) << 47);
}

/* More names than there is room for at first, each twice: by thread, as pairs find them. */
static void many_checks(void)
{
    enum { NAMES = 400 };
    static char text[NAMES * 200], line[64];
    size_t n = (size_t)sprintf(text, "[{}"), wrong = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < NAMES; i++)
            n += (size_t)sprintf(text + n,
                                 ",{\"ph\":\"%c\",\"name\":\"n%d\",\"ts\":%d,\"pid\":1,\"tid\":%d}",
                                 "BE"[k], i, i + k * NAMES, i / 3);
    strcpy(text + n, "]");
    Arena *a = arena_new(0);
    Diag diag;
    TraceInfo info;
    TraceReadOptions o = {.bytes = text, .nbyte = strlen(text)};
    said[0] = '\0';
    CHECK(!trace_read(a, "t", &o, on_span, NULL, &info, &diag));
    CHECK(info.spans == NAMES && info.repairs.unmatched_end == 0 &&
          info.repairs.unmatched_begin == 0);
    for (int i = 0; i < NAMES; i++) {
        sprintf(line, "other n%d %d+%d 1:%d\n", i, i * 1000, NAMES * 1000, i / 3);
        wrong += !strstr(said, line);
    }
    CHECK(wrong == 0);
    arena_free(a);
}

/* The strict reader says how many places it would have to mend, and of which kind the first is. */
static void strict_checks(void)
{
    Arena *a = arena_new(0);
    Diag diag;
    TraceInfo info;
    const char *text =
        "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":-1},"
        "{\"ph\":\"E\",\"name\":\"a\",\"ts\":1}]";
    TraceReadOptions o = {.bytes = text, .nbyte = strlen(text), .strict = true};
    CHECK(trace_read(a, "t", &o, on_span, NULL, &info, &diag) == STATUS_INPUT);
    CHECK(!strcmp(
        diag.text,
        "t: 3 places would need mending (first kind: missing_duration); leave out --strict"));
    text = "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1}]";
    o.bytes = text;
    o.nbyte = strlen(text);
    CHECK(trace_read(a, "t", &o, on_span, NULL, &info, &diag) == STATUS_OK);
    CHECK(info.events == 1 && info.spans == 1);
    text = "[{\"cat\":\"Nux\",\"ph\":\"X\",\"name\":\"RunTask\",\"ts\":1,\"dur\":1},{\"cat\":"
           "\"Nux\",\"ph\":\"X\",\"name\":\"RunTask\",\"ts\":1,\"dur\":1}]";
    o.bytes = text;
    o.nbyte = strlen(text);
    CHECK(trace_read(a, "t", &o, on_span, NULL, &info, &diag) == STATUS_OK);
    CHECK(info.repairs.doubled == 1 && info.spans == 2);
    arena_free(a);
}

int main(void)
{
    cut_checks();
    many_checks();
    strict_checks();
    furiosa_names();
    furiosa_brackets();
    furiosa_arguments();
    furiosa_doubled();
    furiosa_edges_doubled();
    furiosa_ends();
    chrome_pairs();
    chrome_early_ends();
    chrome_asynchronous();
    chrome_threads();
    chrome_numbers();
    profile_onnxruntime();
    profile_pytorch();
    profile_trtexec();
    profile_megengine();
    return check_failures() != 0;
}
