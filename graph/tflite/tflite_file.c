/* Copies the FlatBuffers tables of a TensorFlow Lite file into arrays. */
#include "graph/tflite/tflite_file.h"
#include "graph/model/model.h"
#include "graph/tflite/tflite_check.h"

/* Fields by table, as the schema numbers them. */
enum { MODEL_VERSION, MODEL_CODES, MODEL_GRAPHS, MODEL_DESCRIPTION, MODEL_BUFFERS };
enum { MODEL_METADATA = 6, MODEL_SIGNATURES = 7 };
enum { GRAPH_TENSORS, GRAPH_INPUTS, GRAPH_OUTPUTS, GRAPH_OPERATORS, GRAPH_NAME };
enum { TENSOR_SHAPE, TENSOR_TYPE, TENSOR_BUFFER, TENSOR_NAME, TENSOR_QUANT, TENSOR_VARIABLE };
enum { TENSOR_SPARSITY = 6, TENSOR_SIGNATURE = 7, TENSOR_HAS_RANK = 8, TENSOR_EXTERNAL = 10 };
enum { QUANT_SCALE = 2, QUANT_ZERO = 3, QUANT_DETAILS = 4, QUANT_AXIS = 6 };
enum { CODE_OLD, CODE_CUSTOM, CODE_VERSION, CODE_NEW };
enum { OP_CODE, OP_INPUTS, OP_OUTPUTS, OP_OPTION_TYPE, OP_OPTIONS, OP_CUSTOM };
enum { OP_OPTION2_TYPE = 11, OP_OPTIONS2 = 12 };
enum { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE };
enum { SPARSE_ORDER, SPARSE_LEVELS = 2, LEVEL_SEGMENTS = 2, LEVEL_INDICES = 4 };
enum { METADATA_NAME, METADATA_BUFFER, SIGNATURE_KEY = 2 };
enum { IDENTIFIER_AT = 4, READ_VERSION = 3, DENSE_LIMIT_BYTES = 64 << 20 };

/* TensorType; what ONNX has not is unknown. */
static const DType dtype_of[] = {
    DT_FLOAT32,  DT_FLOAT16, DT_INT32,     DT_UINT8,        DT_INT64,      DT_STRING,
    DT_BOOL,     DT_INT16,   DT_COMPLEX64, DT_INT8,         DT_FLOAT64,    DT_COMPLEX128,
    DT_UINT64,   DT_UNKNOWN, DT_UNKNOWN,   DT_UINT32,       DT_UINT16,     DT_INT4,
    DT_BFLOAT16, DT_INT2,    DT_UINT4,     DT_FLOAT8E4M3FN, DT_FLOAT8E5M2,
};

static const struct {
    const char *name;
    uint8_t options;
} known_op[] = {
#define TFLITE_OP(number, name, options, map) {#name, options},
#include "graph/tflite/tflite_ops.def"
};

typedef struct {
    Bytes bytes;
    size_t at;
    bool used, is_there;
} Buffer;

typedef struct {
    TfliteCode code;
    const char *name;
    int32_t version;
} OpCode;

typedef struct {
    Arena *arena;
    TfliteFile *file;
    Flat *flat;
    Buffer *buffer;
    uint32_t nbuffer;
    OpCode *code;
    uint32_t ncode;
    int64_t dense_left; /* bytes that sparse constants may still be expanded to */
} Reader;

bool tflite_recognise(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data + IDENTIFIER_AT, "TFL3", 4) == 0;
}

static OpCode read_code(Reader *r, const FlatTable *t)
{
    /* The old field has a byte: larger numbers have 127 there, and old files no new field. */
    int32_t old = (int8_t)flat_u8(r->flat, t, CODE_OLD, 0);
    int32_t number = flat_i32(r->flat, t, CODE_NEW, 0);
    number = number > old ? number : old;
    bool known = number >= 0 && number < TFL_COUNT && number != TFL_CUSTOM;
    const char *name =
        known ? known_op[number].name : flat_string(r->flat, t, CODE_CUSTOM, r->arena);
    if (!known && (!name || !*name))
        name = arena_printf(r->arena, "operator number %d", (int)number);
    return (OpCode){known ? (TfliteCode)number : TFL_CUSTOM, name,
                    flat_i32(r->flat, t, CODE_VERSION, 1)};
}

/* Bytes in the table, else at an offset of the file (since 2023: models beyond 2 GiB). */
static Buffer read_buffer(Reader *r, const FlatTable *t)
{
    FlatVector data = flat_vector(r->flat, t, BUFFER_DATA, 1);
    uint64_t offset = flat_u64(r->flat, t, BUFFER_OFFSET, 0);
    uint64_t size = flat_u64(r->flat, t, BUFFER_SIZE, 0);
    if (data.count)
        return (Buffer){
            .bytes = {r->file->whole + data.pos, data.count}, data.pos, .is_there = true};
    if (offset <= 1)
        return (Buffer){0};
    if (size > r->file->whole_bytes || offset > r->file->whole_bytes - size)
        flat_fail(r->flat, t->pos, "a buffer lies outside of the file");
    else
        return (Buffer){.bytes = {r->file->whole + offset, size}, offset, .is_there = true};
    return (Buffer){0};
}

/* Nothing, a number for the whole, or one for each step along an axis; any other form is dropped,
 * with its facts about the values. */
static TfliteQuant read_quant(Reader *r, const FlatTable *t, const TfliteTensor *of)
{
    FlatVector scale = flat_vector(r->flat, t, QUANT_SCALE, 4);
    FlatVector zero = flat_vector(r->flat, t, QUANT_ZERO, 8);
    TfliteQuant q = {.count = scale.count, .axis = flat_i32(r->flat, t, QUANT_AXIS, 0)};
    bool good = scale.count && zero.count == scale.count && !flat_u8(r->flat, t, QUANT_DETAILS, 0);
    if (good && scale.count > 1)
        good = q.axis >= 0 && q.axis < of->rank && of->shape[q.axis] == (int32_t)scale.count;
    if (!good)
        return (TfliteQuant){0};
    q.scale = flat_copy(r->flat, &scale, 4, r->arena);
    q.zero_point = flat_copy(r->flat, &zero, 8, r->arena);
    for (uint32_t i = 0; q.scale && q.zero_point && i < q.count; i++)
        if (!(q.scale[i] > 0) || !isfinite(q.scale[i]))
            return (TfliteQuant){0};
    return q.scale && q.zero_point ? q : (TfliteQuant){0};
}

/* `shape` has a 1 where shape_signature is open; rank 0 is a scalar only where the file says so. */
static void read_shape(Reader *r, const FlatTable *t, TfliteTensor *ret)
{
    FlatVector shape = flat_vector(r->flat, t, TENSOR_SHAPE, 4);
    FlatVector open = flat_vector(r->flat, t, TENSOR_SIGNATURE, 4);
    if (open.count == shape.count && open.count)
        shape = open;
    if (shape.count > TFLITE_MAX_RANK) {
        flat_fail(r->flat, shape.pos, "a tensor of more than 16 dimensions");
        return;
    }
    bool known = shape.count || flat_u8(r->flat, t, TENSOR_HAS_RANK, 0);
    ret->rank = known ? (int32_t)shape.count : RANK_UNKNOWN;
    ret->shape = flat_copy(r->flat, &shape, 4, r->arena);
}

static void read_value(Reader *r, const FlatTable *t, TfliteTensor *ret)
{
    ret->buffer = (uint32_t)flat_i32(r->flat, t, TENSOR_BUFFER, 0);
    if (ret->buffer >= r->nbuffer && (ret->buffer || r->nbuffer)) {
        flat_fail(r->flat, t->pos, "a tensor names a buffer that is not there");
        return;
    }
    bool elsewhere = flat_i32(r->flat, t, TENSOR_EXTERNAL, 0) != 0;
    if (!r->nbuffer || (!r->buffer[ret->buffer].is_there && !elsewhere))
        return;
    ret->has_buffer = true;
    if (elsewhere) {
        r->file->nmissing++;
        return;
    }
    ret->bytes = r->buffer[ret->buffer].bytes;
    ret->bytes_at = r->buffer[ret->buffer].at;
    if (!r->buffer[ret->buffer].used)
        r->file->constant_bytes += ret->bytes.size;
    r->buffer[ret->buffer].used = true;
}

/* Unions of vectors of 32, 16 or 8 bits; the last axis of a sparse tensor. */
static const int32_t *read_numbers(Reader *r, const FlatTable *t, unsigned field, uint64_t *ret_n)
{
    static const uint8_t width[] = {4, 4, 2, 1};
    FlatTable list = flat_table(r->flat, t, field + 1);
    FlatVector v = flat_vector(r->flat, &list, 0, width[flat_u8(r->flat, t, field, 0) & 3]);
    const int32_t *ret = flat_copy(r->flat, &v, 4, r->arena);
    *ret_n = ret ? v.count : 0;
    return ret;
}

/* Puts values where the indices of their row say.  Of blocks and other orders only the shape is
 * known. */
static Bytes make_dense(Reader *r, const FlatTable *sparsity, const TfliteTensor *t)
{
    FlatVector order = flat_vector(r->flat, sparsity, SPARSE_ORDER, 4),
               level = flat_vector(r->flat, sparsity, SPARSE_LEVELS, 4);
    int64_t n = tflite_elements(t), bytes = n > 0 ? dtype_bytes(t->dtype, n) : 0;
    uint64_t nsegment, nindex, columns = n > 0 && t->rank > 0 ? (uint64_t)t->shape[t->rank - 1] : 1;
    const int32_t *axis = flat_copy(r->flat, &order, 4, r->arena);
    if (!axis || order.count != level.count || order.count != (uint32_t)t->rank ||
        LIST_ANY(i, t->rank, axis[i] != i) || bytes <= 0 || bytes > r->dense_left)
        return (Bytes){0};
    FlatTable last = flat_element(r->flat, &level, level.count - 1);
    const int32_t *segment = read_numbers(r, &last, LEVEL_SEGMENTS, &nsegment);
    const int32_t *index = read_numbers(r, &last, LEVEL_INDICES, &nindex);
    uint64_t width = (uint64_t)(bytes / n), rows = (uint64_t)n / columns;
    if (nsegment != rows + 1 || nindex * width != t->bytes.size)
        return (Bytes){0};
    r->dense_left -= bytes;
    uint8_t *to = ARENA_ARRAY(r->arena, uint8_t, (size_t)bytes);
    for (uint64_t row = 0, k = 0; row < rows; row++)
        for (; k < (uint32_t)segment[row + 1]; k++) {
            if (k >= nindex || (uint32_t)index[k] >= columns) {
                flat_fail(r->flat, last.pos, "a sparse tensor leads out of its shape or values");
                return (Bytes){0};
            }
            memcpy(to + (row * columns + (uint32_t)index[k]) * width, t->bytes.data + k * width,
                   width);
        }
    return (Bytes){to, (size_t)bytes};
}

static TfliteTensor read_tensor(Reader *r, const FlatTable *t, uint32_t index)
{
    TfliteTensor ret = {.producer = -1};
    uint8_t type = flat_u8(r->flat, t, TENSOR_TYPE, 0);
    FlatTable quant = flat_table(r->flat, t, TENSOR_QUANT);
    FlatTable sparse = flat_table(r->flat, t, TENSOR_SPARSITY);
    ret.dtype = type < sizeof dtype_of / sizeof *dtype_of ? dtype_of[type] : DT_UNKNOWN;
    ret.name = flat_string(r->flat, t, TENSOR_NAME, r->arena);
    if (!ret.name || !*ret.name)
        ret.name = arena_printf(r->arena, "tensor %u", (unsigned)index);
    read_shape(r, t, &ret);
    ret.is_sparse = sparse.pos != 0;
    ret.is_variable = flat_u8(r->flat, t, TENSOR_VARIABLE, 0);
    if (quant.pos)
        ret.quant = read_quant(r, &quant, &ret);
    read_value(r, t, &ret);
    if (ret.is_sparse && ret.bytes.data)
        ret.bytes = make_dense(r, &sparse, &ret);
    /* A constant of one element is often written without a shape. */
    if (ret.rank == RANK_UNKNOWN && ret.bytes.data &&
        dtype_bytes(ret.dtype, 1) == (int64_t)ret.bytes.size)
        ret.rank = 0;
    return ret;
}

static void read_options(Reader *r, const FlatTable *t, TfliteOperator *op)
{
    bool second = op->code == TFL_STABLEHLO_COMPOSITE;
    uint8_t type = flat_u8(r->flat, t, second ? OP_OPTION2_TYPE : OP_OPTION_TYPE, 0);
    uint8_t wanted = op->code == TFL_CUSTOM ? 0 : known_op[op->code].options;
    if (wanted && type == wanted)
        op->option = flat_table(r->flat, t, second ? OP_OPTIONS2 : OP_OPTIONS);
}

static TfliteOperator read_operator(Reader *r, const FlatTable *t, uint32_t index)
{
    TfliteOperator op = {.index = index};
    uint32_t code = (uint32_t)flat_i32(r->flat, t, OP_CODE, 0);
    FlatVector in = flat_vector(r->flat, t, OP_INPUTS, 4),
               out = flat_vector(r->flat, t, OP_OUTPUTS, 4);
    if (code >= r->ncode) {
        flat_fail(r->flat, t->pos, "an operator names a code that is not there");
        return op;
    }
    op.code = r->code[code].code;
    op.name = r->code[code].name;
    op.input = flat_copy(r->flat, &in, 4, r->arena);
    op.ninput = op.input ? in.count : 0;
    op.output = flat_copy(r->flat, &out, 4, r->arena);
    op.noutput = op.output ? out.count : 0;
    FlatVector custom = flat_vector(r->flat, t, OP_CUSTOM, 1);
    op.custom = (Bytes){r->flat->data + custom.pos, custom.count};
    read_options(r, t, &op);
    return op;
}

static void read_graph(Reader *r, const FlatTable *t, TfliteGraph *g)
{
    FlatVector tensor = flat_vector(r->flat, t, GRAPH_TENSORS, 4);
    FlatVector in = flat_vector(r->flat, t, GRAPH_INPUTS, 4);
    FlatVector out = flat_vector(r->flat, t, GRAPH_OUTPUTS, 4);
    FlatVector op = flat_vector(r->flat, t, GRAPH_OPERATORS, 4);
    g->name = flat_string(r->flat, t, GRAPH_NAME, r->arena);
    g->input = flat_copy(r->flat, &in, 4, r->arena);
    g->ninput = g->input ? in.count : 0;
    g->output = flat_copy(r->flat, &out, 4, r->arena);
    g->noutput = g->output ? out.count : 0;
    g->tensor = ARENA_ARRAY(r->arena, TfliteTensor, tensor.count + 1);
    for (uint32_t i = 0; i < tensor.count && !r->flat->status; i++, g->ntensor++) {
        FlatTable each = flat_element(r->flat, &tensor, i);
        g->tensor[i] = read_tensor(r, &each, i);
    }
    g->op = ARENA_ARRAY(r->arena, TfliteOperator, op.count + 1);
    for (uint32_t i = 0; i < op.count && !r->flat->status; i++, g->nop++) {
        FlatTable each = flat_element(r->flat, &op, i);
        g->op[i] = read_operator(r, &each, i);
    }
}

static void read_lists(Reader *r, const FlatTable *model)
{
    FlatVector code = flat_vector(r->flat, model, MODEL_CODES, 4);
    FlatVector buffer = flat_vector(r->flat, model, MODEL_BUFFERS, 4);
    r->code = ARENA_ARRAY(r->arena, OpCode, code.count + 1);
    for (; r->ncode < code.count && !r->flat->status; r->ncode++) {
        FlatTable each = flat_element(r->flat, &code, r->ncode);
        r->code[r->ncode] = read_code(r, &each);
    }
    r->buffer = ARENA_ARRAY(r->arena, Buffer, buffer.count + 1);
    for (; r->nbuffer < buffer.count && !r->flat->status; r->nbuffer++) {
        FlatTable each = flat_element(r->flat, &buffer, r->nbuffer);
        r->buffer[r->nbuffer] = read_buffer(r, &each);
    }
}

static void read_about(Reader *r, const FlatTable *model)
{
    FlatVector metadata = flat_vector(r->flat, model, MODEL_METADATA, 4);
    FlatVector signature = flat_vector(r->flat, model, MODEL_SIGNATURES, 4);
    TfliteMetadata *entry = ARENA_ARRAY(r->arena, TfliteMetadata, metadata.count + 1);
    const char **key = ARENA_ARRAY(r->arena, const char *, signature.count + 1);
    for (uint32_t i = 0; i < metadata.count && !r->flat->status; i++) {
        FlatTable each = flat_element(r->flat, &metadata, i);
        const char *name = flat_string(r->flat, &each, METADATA_NAME, r->arena);
        uint32_t buffer = (uint32_t)flat_i32(r->flat, &each, METADATA_BUFFER, 0);
        entry[i] = (TfliteMetadata){name ? name : "",
                                    buffer < r->nbuffer ? r->buffer[buffer].bytes.size : 0};
        r->file->nmetadata++;
    }
    for (uint32_t i = 0; i < signature.count && !r->flat->status; i++) {
        FlatTable each = flat_element(r->flat, &signature, i);
        const char *name = flat_string(r->flat, &each, SIGNATURE_KEY, r->arena);
        key[r->file->nsignature++] = name ? name : "";
    }
    r->file->metadata = entry;
    r->file->signature = key;
    r->file->description = flat_string(r->flat, model, MODEL_DESCRIPTION, r->arena);
}

static void read_model(Reader *r)
{
    FlatTable model = flat_root(r->flat);
    FlatVector graph = flat_vector(r->flat, &model, MODEL_GRAPHS, 4);
    if (!r->flat->status && flat_i32(r->flat, &model, MODEL_VERSION, 0) != READ_VERSION)
        flat_fail(r->flat, model.pos, "its schema version is not 3, the only one in use");
    if (!r->flat->status && !graph.count)
        flat_fail(r->flat, model.pos, "it holds no graph");
    read_lists(r, &model);
    r->file->graph = ARENA_ARRAY(r->arena, TfliteGraph, graph.count + 1);
    for (; r->file->ngraph < graph.count && !r->flat->status; r->file->ngraph++) {
        FlatTable each = flat_element(r->flat, &graph, r->file->ngraph);
        read_graph(r, &each, &r->file->graph[r->file->ngraph]);
    }
    read_about(r, &model);
}

Status tflite_read(Arena *a, const char *path, const uint8_t *data, size_t size, TfliteFile *ret,
                   Diag *diag)
{
    *ret = (TfliteFile){.whole = data, .whole_bytes = size, .path = path};
    Reader r = {.arena = a, .file = ret, .flat = &ret->flat, .dense_left = DENSE_LIMIT_BYTES};
    flat_init(&ret->flat, path, data, size, diag);
    read_model(&r);
    return ret->flat.status ? ret->flat.status : tflite_check(a, ret, diag);
}

int32_t tflite_option(TfliteFile *f, const TfliteOperator *op, unsigned field, int32_t fallback)
{
    return flat_i32(&f->flat, &op->option, field, fallback);
}

int32_t tflite_option_byte(TfliteFile *f, const TfliteOperator *op, unsigned field)
{
    return (int8_t)flat_u8(&f->flat, &op->option, field, 0);
}

float tflite_option_float(TfliteFile *f, const TfliteOperator *op, unsigned field, float fallback)
{
    return flat_f32(&f->flat, &op->option, field, fallback);
}
