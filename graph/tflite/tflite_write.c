/* Writes new tables in front of the original file, whose offsets and weights stay as they are. */
#include "graph/tflite/tflite_write.h"
#include "graph/import/vendor_graph.h"
#include "graph/infer/ops.h"
#include "graph/infer/shape.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"

/* Offsets lead forward only: so what is new lies in front, and leads into the old file.  Its places
 * move by the length of that front, which keeps every alignment. */
enum { FRONT_STEP = 64, MODEL_FIELDS = 10, GRAPH_FIELDS = 6 };
enum { MODEL_VERSION = 0, MODEL_GRAPHS = 2, MODEL_BUFFERS = 4, MODEL_SIGNATURES = 7 };
enum { GRAPH_INPUTS = 1, GRAPH_OUTPUTS = 2, GRAPH_OPERATORS = 3, GRAPH_DEBUG = 5 };
enum { BUFFER_OFFSET = 1, OPERATOR_LARGE = 9 };

typedef struct {
    int32_t *input, *output;
    uint32_t ninput, noutput;
    bool *keeps; /* by operator */
} Ends;

/* ---- which tensors */

/* The tensor that a value of the mapped model is a form of: its name, or its name and a word. */
static int32_t tensor_of(const TfliteGraph *g, const char *name)
{
    int32_t best = -1;
    size_t longest = 0;
    for (uint32_t i = 0; i < g->ntensor; i++) {
        size_t n = strlen(g->tensor[i].name);
        if (n >= longest && !strncmp(name, g->tensor[i].name, n) && (!name[n] || name[n] == '/')) {
            best = (int32_t)i;
            longest = n;
        }
    }
    return best;
}

/* The codes that a QUANTIZE makes of the input, or a DEQUANTIZE made the output of. */
static int32_t quantized_peer(const TfliteGraph *g, int32_t tensor, DType want, TfliteCode code)
{
    for (uint32_t i = 0; i < g->nop; i++) {
        const TfliteOperator *op = &g->op[i];
        if (op->code != code || op->ninput != 1 || op->noutput != 1)
            continue;
        bool after = code == TFL_QUANTIZE;
        int32_t near = after ? op->input[0] : op->output[0];
        int32_t far = after ? op->output[0] : op->input[0];
        if (near == tensor && far >= 0 && g->tensor[far].dtype == want)
            return far;
    }
    return -1;
}

static bool find_ends(Arena *a, const TfliteGraph *g, const Graph *edited, bool input,
                      int32_t **ret, uint32_t *ret_n)
{
    const TensorId *list = input ? edited->input : edited->output;
    size_t n = input ? edited->ninput : edited->noutput;
    *ret = ARENA_ARRAY(a, int32_t, n + 1);
    *ret_n = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        const Tensor *t = &edited->tensor[list[i]];
        int32_t at = tensor_of(g, t->name);
        if (at >= 0 && g->tensor[at].dtype != t->dtype)
            at = quantized_peer(g, at, t->dtype, input ? TFL_QUANTIZE : TFL_DEQUANTIZE);
        if (at < 0)
            return false;
        (*ret)[i] = at;
    }
    return true;
}

/* Operators that an output needs, the inputs being given. */
static void keep_needed(Arena *a, const TfliteGraph *g, Ends *e)
{
    bool *wanted = ARENA_ARRAY(a, bool, g->ntensor + 1);
    e->keeps = ARENA_ARRAY(a, bool, g->nop + 1);
    for (uint32_t i = 0; i < e->noutput; i++)
        wanted[e->output[i]] = true;
    for (uint32_t i = 0; i < e->ninput; i++)
        wanted[e->input[i]] = false;
    for (uint32_t i = g->nop; i-- > 0;) {
        const TfliteOperator *op = &g->op[i];
        for (uint32_t k = 0; k < op->noutput; k++)
            e->keeps[i] = e->keeps[i] || wanted[op->output[k]];
        for (uint32_t k = 0; e->keeps[i] && k < op->ninput; k++)
            if (op->input[k] >= 0)
                wanted[op->input[k]] = true;
        for (uint32_t k = 0; k < e->ninput; k++)
            wanted[e->input[k]] = false;
    }
}

/* ---- the front */

typedef struct {
    uint8_t *data;
    size_t size, cap;
    size_t length; /* of the whole front: where the old file begins */
} Front;

static void put_le(Front *f, size_t at, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        f->data[at + i] = (uint8_t)(v >> 8 * i);
}

static size_t take_space(Front *f, size_t bytes)
{
    size_t at = (f->size + 7) / 8 * 8;
    f->size = at + bytes;
    return at;
}

/* A table of `n` fields of four bytes each; absent ones stay 0 in the list of fields. */
static size_t begin_table(Front *f, unsigned n)
{
    size_t list = take_space(f, 4 + 2 * (size_t)n), at = take_space(f, 4 + 4 * (size_t)n);
    put_le(f, list, 4 + 2 * (uint64_t)n, 2);
    put_le(f, list + 2, 4 + 4 * (uint64_t)n, 2);
    put_le(f, at, at - list, 4);
    return at;
}

static size_t new_field(Front *f, size_t table, unsigned index)
{
    size_t list = table - (size_t)(f->data[table] | (unsigned)f->data[table + 1] << 8);
    put_le(f, list + 4 + 2 * (size_t)index, 4 + 4 * (uint64_t)index, 2);
    return table + 4 + 4 * (size_t)index;
}

static void put_offset(Front *f, size_t from, size_t to)
{
    put_le(f, from, to - from, 4);
}

static size_t put_list(Front *f, const int32_t *v, uint32_t n)
{
    size_t at = take_space(f, 4 + 4 * (size_t)n);
    put_le(f, at, n, 4);
    for (uint32_t i = 0; i < n; i++)
        put_le(f, at + 4 + 4 * (size_t)i, (uint32_t)v[i], 4);
    return at;
}

/* Where an offset field of an old table leads; 0 when it is absent. */
static size_t old_target(Flat *flat, const FlatTable *t, unsigned index)
{
    FlatVector v = flat_vector(flat, t, index, 1);
    return v.pos ? v.pos - 4 : 0;
}

static void keep_field(Front *f, size_t table, unsigned index, size_t old)
{
    if (old)
        put_offset(f, new_field(f, table, index), f->length + old);
}

static size_t put_operators(Front *f, Flat *flat, const FlatTable *graph, const Ends *e)
{
    FlatVector old = flat_vector(flat, graph, GRAPH_OPERATORS, 4);
    size_t at = take_space(f, 4 + 4 * (size_t)old.count);
    uint32_t n = 0;
    for (uint32_t i = 0; i < old.count; i++) {
        if (!e->keeps[i])
            continue;
        put_offset(f, at + 4 + 4 * (size_t)n, f->length + flat_element(flat, &old, i).pos);
        n++;
    }
    put_le(f, at, n, 4);
    return at;
}

static size_t put_graph(Front *f, Flat *flat, const FlatTable *old, const Ends *e)
{
    size_t at = begin_table(f, GRAPH_FIELDS);
    for (unsigned i = 0; i < GRAPH_DEBUG; i++)
        if (i != GRAPH_INPUTS && i != GRAPH_OUTPUTS && i != GRAPH_OPERATORS)
            keep_field(f, at, i, old_target(flat, old, i));
    put_offset(f, new_field(f, at, GRAPH_INPUTS), put_list(f, e->input, e->ninput));
    put_offset(f, new_field(f, at, GRAPH_OUTPUTS), put_list(f, e->output, e->noutput));
    put_offset(f, new_field(f, at, GRAPH_OPERATORS), put_operators(f, flat, old, e));
    return at;
}

/* Signatures name inputs and outputs that may be gone: they go too. */
static void put_model(Front *f, Flat *flat, const Ends *e)
{
    FlatTable old = flat_root(flat);
    FlatVector graph = flat_vector(flat, &old, MODEL_GRAPHS, 4);
    f->size = 8;
    memcpy(f->data + 4, "TFL3", 4);
    size_t at = begin_table(f, MODEL_FIELDS), list = take_space(f, 4 + 4 * (size_t)graph.count);
    put_offset(f, 0, at);
    put_le(f, new_field(f, at, MODEL_VERSION), 3, 4);
    for (unsigned i = MODEL_VERSION + 1; i < MODEL_FIELDS; i++)
        if (i != MODEL_GRAPHS && i != MODEL_SIGNATURES)
            keep_field(f, at, i, old_target(flat, &old, i));
    put_offset(f, new_field(f, at, MODEL_GRAPHS), list);
    put_le(f, list, graph.count, 4);
    for (uint32_t i = 0; i < graph.count; i++) {
        FlatTable each = flat_element(flat, &graph, i);
        put_offset(f, list + 4 + 4 * (size_t)i,
                   i ? f->length + each.pos : put_graph(f, flat, &each, e));
    }
}

/* Places that are counted from the file's start move with it. */
static void move_places(uint8_t *body, Flat *flat, size_t length)
{
    FlatTable model = flat_root(flat);
    FlatVector buffer = flat_vector(flat, &model, MODEL_BUFFERS, 4);
    for (uint32_t i = 0; i < buffer.count; i++) {
        FlatTable each = flat_element(flat, &buffer, i);
        size_t at = flat_place(flat, &each, BUFFER_OFFSET, 8);
        uint64_t v = flat_u64(flat, &each, BUFFER_OFFSET, 0);
        for (size_t k = 0; at && v > 1 && k < 8; k++)
            body[at + k] = (uint8_t)((v + length) >> 8 * k);
    }
}

static Bytes make_file(Arena *a, TfliteFile *f, const Ends *e)
{
    size_t room = 1024 + 4 * ((size_t)e->ninput + e->noutput + f->graph[0].nop + f->ngraph);
    Front front = {.length = (room + FRONT_STEP - 1) / FRONT_STEP * FRONT_STEP};
    front.data = arena_alloc(a, front.length + f->whole_bytes);
    memcpy(front.data + front.length, f->whole, f->whole_bytes);
    put_model(&front, &f->flat, e);
    move_places(front.data + front.length, &f->flat, front.length);
    return (Bytes){front.data, front.length + f->whole_bytes};
}

/* ---- read again */

/* Adds the nodes of each operator, and all multiplications, `sign` times. */
static void count_operators(const Graph *g, int sign, int64_t count[OP_COUNT + 1])
{
    for (size_t i = 0; i < g->nnode; i++) {
        int64_t n = node_macs(g, &g->node[i]);
        OpId op = g->node[i].op_id;
        count[OP_COUNT] += n > 0 ? sign * n : 0;
        if (op < OP_COUNT && op_info(op)->op_class != CLASS_CONVERT && op != OP_Identity)
            count[op] += sign;
    }
}

static bool same_operators(const Graph *x, const Graph *y)
{
    int64_t count[OP_COUNT + 1] = {0};
    count_operators(x, 1, count);
    count_operators(y, -1, count);
    return LIST_ALL(i, OP_COUNT + 1, !count[i]);
}

static bool same_ends(const Graph *x, const TensorId *ix, size_t nx, const Graph *y,
                      const TensorId *iy, size_t ny)
{
    return nx == ny && LIST_ALL(i, nx,
                                x->tensor[ix[i]].dtype == y->tensor[iy[i]].dtype &&
                                    shape_elements(&x->tensor[ix[i]].shape) ==
                                        shape_elements(&y->tensor[iy[i]].shape));
}

static bool is_same_model(Arena *a, Bytes made, const Model *edited)
{
    Diag diag;
    Notes notes;
    Model *again;
    notes_init(&notes, a);
    if (model_load_bytes(a, "edited.tflite", made.data, made.size, &notes, &again, &diag))
        return false;
    shape_infer(again, NULL, 0, 0);
    const Graph *x = again->graph, *y = edited->graph;
    bool same = same_ends(x, x->input, x->ninput, y, y->input, y->ninput) &&
                same_ends(x, x->output, x->noutput, y, y->output, y->noutput) &&
                same_operators(x, y);
    model_close(again);
    return same;
}

Status tflite_write(Arena *a, const Model *original, const Model *edited, const char *path,
                    bool *ret_done, Diag *diag)
{
    TfliteFile f;
    Ends e;
    OutFile out = {0};
    *ret_done = false;
    if (vendor_graph_is_dfg(original->file.data, original->file.size))
        return diag_set(diag, STATUS_USAGE, original->path, NULL,
                        "a .dfg is not edited: change the ONNX model that it was made from, and "
                        "quantize that again");
    Status st = tflite_read(a, original->path, original->file.data, original->file.size, &f, diag);
    if (st || !find_ends(a, &f.graph[0], edited->graph, true, &e.input, &e.ninput) ||
        !find_ends(a, &f.graph[0], edited->graph, false, &e.output, &e.noutput))
        return st;
    keep_needed(a, &f.graph[0], &e);
    Bytes made = make_file(a, &f, &e);
    if (f.flat.status || !is_same_model(a, made, edited))
        return STATUS_OK;
    st = file_out_open(&out, path, diag);
    if (!st) {
        fwrite(made.data, 1, made.size, out.stream);
        st = file_out_commit(&out, diag);
    }
    file_out_abort(&out);
    *ret_done = !st;
    return st;
}
