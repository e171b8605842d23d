/* Recognises formats by magic bytes, first words of texts and shapes of protobuf messages. */
#include "graph/onnx/foreign.h"

enum { TEXT_PROBE_BYTES = 4096, LOG_PROBE_BYTES = 1 << 16 };

/* Of TensorRT 8 and earlier, and of later ones. */
#define ENGINE                                                                                     \
    "a TensorRT engine; give the ONNX file that it was built from, or its layers: trtexec "        \
    "--loadEngine=ENGINE --exportLayerInfo=graph.json --profilingVerbosity=detailed"

#define COMPILED                                                                                   \
    "compiled: give the ONNX file, or the table that eval_perf, build(verbose) or --dot-graph "    \
    "prints"

#define TF_TO_ONNX "python -m tf2onnx.convert "

typedef struct {
    size_t offset, size;
    const char *magic;
    ForeignKind kind;
    const char *text;
} Magic;

/* Sources: the formats' own headers; dfg and enf as the vendor's SDK repository holds them. */
static const Magic magic[] = {
#define MAGIC(offset, size, magic, kind, text) {offset, size, magic, FOREIGN_##kind, text},
#include "graph/onnx/magic_bytes.def"
};

typedef struct {
    const char *word; /* what the text starts with, in lower case */
    ForeignKind kind;
    const char *text;
} FirstWord;

static const FirstWord first_word[] = {
#define FIRST_WORD(word, kind, text) {word, FOREIGN_##kind, text},
#include "graph/onnx/first_words.def"
};

/* Text has no control characters but white space, colours of a terminal and the separators of
 * records that stand between names of a TensorRT layer, and more than a few bytes. */
static bool looks_like_text(Bytes b)
{
    if (b.size < 4)
        return false;
    return !LIST_ANY(i, b.size,
                     (b.data[i] < 0x20 && !strchr("\t\n\r\f\x1b\x1e\x1f", b.data[i])) ||
                         b.data[i] == 0x7f || !b.data[i]);
}

static Bytes skip_space(Bytes b)
{
    if (b.size >= 3 && memcmp(b.data, "\xef\xbb\xbf", 3) == 0)
        b = (Bytes){b.data + 3, b.size - 3};
    while (b.size && isspace(b.data[0]))
        b = (Bytes){b.data + 1, b.size - 1};
    return b;
}

static bool starts_with(Bytes b, const char *word)
{
    size_t n = strlen(word);
    return b.size >= n && LIST_ALL(i, n, tolower(b.data[i]) == word[i]);
}

static bool contains_text(Bytes b, const char *text)
{
    return b.size && memmem(b.data, b.size, text, strlen(text));
}

/* Compiled graphs are JSON objects with keys of their own near the front. */
static ForeignKind recognise_json(Bytes probe, const char **text)
{
    if (contains_text(probe, "\"Layers\"")) {
        *text =
            "a TensorRT layer list (JSON), where only a model is taken: give the ONNX file that "
            "the engine was built from";
        return FOREIGN_TENSORRT_JSON;
    }
    if (contains_text(probe, "\"schema_version\"") && contains_text(probe, "\"tool\"")) {
        *text = "a result of npu-advise, not a model";
        return FOREIGN_OTHER;
    }
    if (contains_text(probe, "\"baseline_version\"")) {
        *text = "a baseline of npu-advise, not a model; give it with --baseline";
        return FOREIGN_OTHER;
    }
    if (contains_text(probe, "\"target\"") && contains_text(probe, "\"sdk\"")) {
        *text =
            "a compiled graph (`compile --emit json`), where only a model is taken: give the ONNX "
            "file that it was made from";
        return FOREIGN_LOWERED_JSON;
    }
    if (contains_text(probe, "\"traceEvents\"") || contains_text(probe, "\"ph\""))
        *text = "a trace, not a model; give it with --trace";
    return FOREIGN_OTHER;
}

static Bytes skip_past(Bytes b, const char *text)
{
    const uint8_t *at = b.size ? memmem(b.data, b.size, text, strlen(text)) : NULL;
    size_t n = at ? (size_t)(at - b.data) + strlen(text) : b.size;
    return (Bytes){b.data + n, b.size - n};
}

/* [strict] digraph, after comments. */
static bool is_dot(Bytes b)
{
    for (;;) {
        b = skip_space(b);
        if (starts_with(b, "/*"))
            b = skip_past(b, "*/");
        else if (starts_with(b, "//") || starts_with(b, "#"))
            b = skip_past(b, "\n");
        else
            break;
    }
    if (starts_with(b, "strict"))
        b = skip_space((Bytes){b.data + 6, b.size - 6});
    return starts_with(b, "digraph");
}

/* A log of RKNN's toolkit or runtime, or a table of layers out of one. */
static bool is_rknn_log(Bytes file)
{
    static const char *const word[] = {"Network Layer Information Table",
                                       "RKNN: [",
                                       "rknn-toolkit2 version",
                                       "ID   OpType",
                                       "ID,OpType",
                                       "librknnrt version"};
    Bytes b = {file.data, file.size < LOG_PROBE_BYTES ? file.size : LOG_PROBE_BYTES};
    bool columns = contains_text(b, "OpType") && contains_text(b, "InputShape") &&
                   contains_text(b, "OutputShape") && contains_text(b, "RW(KB)");
    return columns || LIST_ANY(i, sizeof word / sizeof *word, contains_text(b, word[i]));
}

static ForeignKind recognise_text(Bytes file, Bytes probe, const char **text)
{
    Bytes b = skip_space(probe);
    const FirstWord *w = first_word;
    if (is_dot(b)) {
        *text =
            "a compiled graph in DOT, where only a model is taken: give the ONNX file that it was "
            "made from";
        return FOREIGN_VENDOR_DOT;
    }
    if (b.size && !strchr("{<", b.data[0]) && is_rknn_log(file)) {
        *text = "a layer table of RKNN, where only a model is taken: give the ONNX file";
        return FOREIGN_RKNN_TABLE;
    }
    while (!starts_with(b, w->word))
        w++; /* the last one, "", always fits */
    *text = w->text;
    return w->word[0] == '{' || w->word[0] == '[' ? recognise_json(b, text) : w->kind;
}

/* TensorFlow's GraphDef starts with nodes: {1: name, 2: operator}. */
static bool is_graph_def(Bytes file)
{
    WireField node, name, op;
    return onnx_wire_next(&file, &node) == WIRE_FIELD && node.number == 1 &&
           node.type == WIRE_BYTES && onnx_wire_next(&node.bytes, &name) == WIRE_FIELD &&
           name.number == 1 && name.type == WIRE_BYTES &&
           onnx_wire_next(&node.bytes, &op) == WIRE_FIELD && op.number == 2 &&
           op.type == WIRE_BYTES;
}

/* TensorFlow's SavedModel: {1: schema version, 2: MetaGraphDef{1: MetaInfoDef, 2: GraphDef}}. */
static bool is_saved_model(Bytes file)
{
    WireField version, meta, info;
    return onnx_wire_next(&file, &version) == WIRE_FIELD && version.number == 1 &&
           version.type == WIRE_VARINT && onnx_wire_next(&file, &meta) == WIRE_FIELD &&
           meta.number == 2 && meta.type == WIRE_BYTES &&
           onnx_wire_next(&meta.bytes, &info) == WIRE_FIELD && info.number <= 2 &&
           info.type == WIRE_BYTES && meta.bytes.size > 0;
}

/* Safetensors: a length of 8 bytes, then a JSON object. */
static bool is_safetensors(Bytes file)
{
    return file.size > 10 && file.data[8] == '{' && file.data[9] == '"' && !file.data[7] &&
           !file.data[6] && !file.data[5];
}

/* A .rknn with an unknown head: JSON at its end names its target. */
static bool is_rknn_by_tail(Bytes file)
{
    size_t n = file.size < LOG_PROBE_BYTES ? file.size : LOG_PROBE_BYTES;
    Bytes tail = {file.data + file.size - n, n};
    return n > 16 && tail.data[n - 1] == '}' && contains_text(tail, "\"target_platform\"");
}

static ForeignKind recognise_message(Bytes file, const char **text)
{
    if (is_graph_def(file))
        *text = "a TensorFlow frozen graph (.pb); convert it: " TF_TO_ONNX
                "--graphdef MODEL.pb --inputs NAMES --outputs NAMES --output MODEL.onnx --opset 13";
    else if (is_saved_model(file))
        *text = "a TensorFlow SavedModel; convert its folder: " TF_TO_ONNX
                "--saved-model FOLDER --output MODEL.onnx --opset 13";
    else if (is_safetensors(file))
        *text = "a safetensors file, which holds weights without a graph";
    else if (is_rknn_by_tail(file))
        *text = COMPILED;
    else
        return FOREIGN_NONE;
    return FOREIGN_OTHER;
}

/* Whole protobuf with a graph.  First: a producer's name is where others have magic bytes. */
static bool is_model(Bytes file)
{
    bool has_graph = false;
    WireField f;
    WireResult r;
    while ((r = onnx_wire_next(&file, &f)) == WIRE_FIELD)
        has_graph = has_graph || (f.number == 7 && f.type == WIRE_BYTES);
    return r == WIRE_END && has_graph;
}

ForeignKind foreign_recognise(Bytes file, const char **ret_text)
{
    const char *text = "";
    ForeignKind kind = FOREIGN_NONE;
    Bytes probe = {file.data, file.size < TEXT_PROBE_BYTES ? file.size : TEXT_PROBE_BYTES};
    if (is_model(file))
        return FOREIGN_NONE;
    for (size_t i = 0; !kind && i < sizeof magic / sizeof *magic; i++) {
        if (file.size >= magic[i].offset + magic[i].size &&
            memcmp(file.data + magic[i].offset, magic[i].magic, magic[i].size) == 0) {
            text = magic[i].text;
            kind = magic[i].kind;
        }
    }
    if (!kind)
        kind = looks_like_text(probe) ? recognise_text(file, probe, &text)
                                      : recognise_message(file, &text);
    if (ret_text)
        *ret_text = text;
    return kind;
}

Status foreign_refuse(Bytes file, const char *path, Diag *diag)
{
    const char *text = "";
    if (foreign_recognise(file, &text) == FOREIGN_NONE)
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, path, NULL, "is %s", text);
}
