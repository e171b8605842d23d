/* graph/onnx: the wire-level guard, tensors, external data, order; graph/rope; const accessors. */
#include "graph/base/notes.h"
#include "graph/onnx/foreign.h"
#include "graph/onnx/onnx.h"
#include "graph/model/order.h"
#include "graph/onnx/pb_writer.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Bytes flat(Arena *a, const PbWriter *r)
{
    char *bytes;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    pb_writer_flush(r, out);
    fclose(out);
    uint8_t *copy = arena_alloc(a, size + 1);
    memcpy(copy, bytes, size);
    free(bytes);
    return (Bytes){copy, size};
}

/* --- building models by hand ----------------------------------------------------------------- */

static void rewrite_add_node(PbWriter *graph, const char *op, const char *in, const char *out)
{
    PbWriter n;
    pb_writer_init(&n, graph->arena);
    pb_writer_string_field(&n, 1, in);
    pb_writer_string_field(&n, 2, out);
    pb_writer_string_field(&n, 4, op);
    pb_writer_message_field(graph, 1, &n);
}

static void add_value(PbWriter *graph, uint32_t field, const char *name, int64_t d0, int64_t d1)
{
    PbWriter v, type, tensor, shape, dim;
    const int64_t d[] = {d0, d1};
    pb_writer_init(&v, graph->arena);
    type = tensor = shape = dim = v;
    for (int i = 0; i < 2; i++) {
        pb_writer_varint_field(&dim, 1, (uint64_t)d[i]);
        pb_writer_message_field(&shape, 1, &dim);
    }
    pb_writer_varint_field(&tensor, 1, 1);
    pb_writer_message_field(&tensor, 2, &shape);
    pb_writer_message_field(&type, 1, &tensor);
    pb_writer_string_field(&v, 1, name);
    pb_writer_message_field(&v, 2, &type);
    pb_writer_message_field(graph, field, &v);
}

static Bytes model_of(Arena *a, PbWriter *graph)
{
    PbWriter m, import;
    pb_writer_init(&m, a);
    pb_writer_init(&import, a);
    pb_writer_varint_field(&import, 2, 13);
    pb_writer_varint_field(&m, 1, 7);
    pb_writer_message_field(&m, 8, &import);
    pb_writer_message_field(&m, 7, graph);
    return flat(a, &m);
}

typedef struct {
    Status status;
    Diag diag;
    Notes notes;
    Model *model;
} Loaded;

static Loaded load(Arena *a, Bytes b)
{
    Loaded l = {0};
    notes_init(&l.notes, a);
    l.status = onnx_load_bytes(a, "m.onnx", b.data, b.size, &l.notes, &l.model, &l.diag);
    return l;
}

static bool says(const Loaded *l, const char *text)
{
    return l->status == STATUS_INPUT && strstr(l->diag.text, text) && !strchr(l->diag.text, '\n');
}

/* --- checks ---------------------------------------------------------------------------------- */

static void wire_checks(void)
{
    static const uint8_t endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                      0x80, 0x80, 0x80, 0x80, 0x80, 0x01};
    static const uint8_t beyond[] = {0x0a, 0x05, 'a'}; /* a length past the end */
    static const uint8_t huge[] = {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 0xff, 0xff, 0xff, 0x01};
    static const uint8_t group[] = {0x0b}, zero[] = {0x02, 0x00};
    static const uint8_t good[] = {0x08, 0x96, 0x01};
    static const uint8_t fixed[] = {0x0d, 4, 3, 2, 1, 0x11, 1, 0, 0, 0, 0, 0, 0, 0x80};
    WireField f;
    Bytes b = {endless, sizeof endless};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
    b = (Bytes){beyond, sizeof beyond};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED && b.size == sizeof beyond);
    b = (Bytes){huge, sizeof huge};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
    b = (Bytes){group, sizeof group};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
    b = (Bytes){zero, sizeof zero};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
    b = (Bytes){good, sizeof good};
    CHECK(onnx_wire_next(&b, &f) == WIRE_FIELD && f.number == 1 && f.value == 150 && !b.size);
    CHECK(onnx_wire_next(&b, &f) == WIRE_END);
    b = (Bytes){fixed, sizeof fixed}; /* 32 and 64 bits, whole … */
    CHECK(onnx_wire_next(&b, &f) == WIRE_FIELD && f.number == 1 && f.value == 0x01020304);
    CHECK(onnx_wire_next(&b, &f) == WIRE_FIELD && f.number == 2 && f.value == 0x8000000000000001);
    b = (Bytes){fixed, 4}; /* … and with a byte less */
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
    b = (Bytes){fixed + 5, 8};
    CHECK(onnx_wire_next(&b, &f) == WIRE_DAMAGED);
}

/* A node whose attribute holds a graph holding a node …, `levels` times: three messages each. */
static Bytes nested(Arena *a, int levels)
{
    PbWriter graph, attribute, node;
    pb_writer_init(&graph, a);
    pb_writer_init(&attribute, a);
    pb_writer_init(&node, a);
    for (int i = 0; i < levels; i++) {
        pb_writer_message_field(&attribute, 6, &graph);
        pb_writer_string_field(&attribute, 1, "body");
        pb_writer_string_field(&node, 4, "If");
        pb_writer_message_field(&node, 5, &attribute);
        pb_writer_message_field(&graph, 1, &node);
    }
    return model_of(a, &graph);
}

static void guard_checks(Arena *a)
{
    WireCounts counts;
    Diag diag;
    Bytes b = nested(a, 32);
    CHECK(onnx_guard(b, "m", &counts, &diag) == STATUS_OK && counts.depth == 98 &&
          counts.nodes == 32);
    Loaded l = load(a, b);
    CHECK(l.status == STATUS_OK);
    l = load(a, nested(a, 34));
    CHECK(says(&l, "nested too deeply (limit 100)"));
    l = load(a, nested(a, 20000));
    CHECK(says(&l, "nested too deeply"));

    PbWriter g;
    pb_writer_init(&g, a);
    pb_writer_bytes_field(&g, 2, (Bytes){(const uint8_t *)"a\0b", 3});
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "NUL"));
    pb_writer_init(&g, a);
    pb_writer_varint_field(&g, 1, 7); /* a node that is a number */
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "wire type"));
    pb_writer_init(&g, a);
    pb_writer_bytes_field(
        &g, 2, (Bytes){arena_alloc(a, ONNX_MAX_NAME_BYTES + 1), ONNX_MAX_NAME_BYTES + 1});
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "name is too long"));
}

static void order_checks(Arena *a)
{
    PbWriter g;
    pb_writer_init(&g, a);
    rewrite_add_node(&g, "Relu", "b", "c"); /* unsorted, with a tie between the two readers of x */
    rewrite_add_node(&g, "Neg", "x", "b");
    rewrite_add_node(&g, "Abs", "x", "d");
    add_value(&g, 11, "x", 2, 3);
    add_value(&g, 12, "c", 2, 3);
    add_value(&g, 12, "d", 2, 3);
    Loaded l = load(a, model_of(a, &g));
    CHECK(l.status == STATUS_OK && l.model->graph->nnode == 3);
    const Graph *s = l.model->graph;
    CHECK(strcmp(s->node[0].op, "Neg") == 0 && strcmp(s->node[1].op, "Relu") == 0 &&
          strcmp(s->node[2].op, "Abs") == 0);
    CHECK(s->node[1].order == 0 && s->node[0].order == 1);
    const Tensor *x = &s->tensor[s->input[0]];
    CHECK(x->nconsumer == 2 && x->consumer[0] == 0 && x->consumer[1] == 2 && x->is_input);

    pb_writer_init(&g, a);
    rewrite_add_node(&g, "Relu", "b", "c");
    rewrite_add_node(&g, "Relu", "c", "b");
    rewrite_add_node(&g, "Relu", "c", "e"); /* behind the cycle, not on it */
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "cycle") && !strstr(l.diag.text, "Relu#2"));

    pb_writer_init(&g, a);
    rewrite_add_node(&g, "Relu", "x", "y");
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "'x' is not an input, initializer or node output"));

    pb_writer_init(&g, a);
    add_value(&g, 11, "x", 1, 1);
    rewrite_add_node(&g, "Relu", "x", "y");
    rewrite_add_node(&g, "Abs", "x", "y");
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "'y' is also an output of node 'Relu#0'"));

    pb_writer_init(&g, a);
    add_value(&g, 12, "y", 1, 1);
    l = load(a, model_of(a, &g));
    CHECK(says(&l, "output 'y': no node of the graph makes it"));

    pb_writer_init(&g, a);
    l = load(a, model_of(a, &g));
    CHECK(l.status == STATUS_OK && l.model->graph->nnode == 0);
}

/* One initializer "w" of the type and shape, with the field that `fill` adds. */
static Loaded load_tensor(Arena *a, uint64_t type, int64_t d0, int64_t d1, const PbWriter *data)
{
    PbWriter g, t;
    pb_writer_init(&g, a);
    pb_writer_init(&t, a);
    pb_writer_varint_field(&t, 1, (uint64_t)d0);
    pb_writer_varint_field(&t, 1, (uint64_t)d1);
    pb_writer_varint_field(&t, 2, type);
    pb_writer_string_field(&t, 8, "w");
    if (data) {
        Bytes b = flat(a, data);
        pb_writer_copy(&t, b.data, b.size);
    }
    pb_writer_message_field(&g, 5, &t);
    rewrite_add_node(&g, "Identity", "w", "y");
    return load(a, model_of(a, &g));
}

static const Const *value_of(const Loaded *l)
{
    return l->status ? NULL
                     : l->model->graph->tensor[strmap_get(&l->model->graph->by_name, "w")].value;
}

static void tensor_checks(Arena *a)
{
    static const uint8_t raw[] = {1, 2, 3, 4, 5, 6}, nibbles[] = {0xf1, 0x72, 0x08};
    static const uint8_t bad_packed[] = {1, 2, 3};
    PbWriter d;
    double f;
    int64_t i;
    pb_writer_init(&d, a);
    pb_writer_bytes_field(&d, 9, (Bytes){raw, sizeof raw});
    Loaded l = load_tensor(a, 2, 2, 3, &d); /* uint8 */
    const Const *c = value_of(&l);
    CHECK(c && c->nbyte == 6 && c->data >= l.model->raw &&
          c->data < l.model->raw + l.model->raw_size);
    CHECK(const_int(c, 5, &i) && i == 6 && !const_int(c, 6, &i) && !const_int(c, -1, &i));
    l = load_tensor(a, 1, 2, 3, &d); /* float32 needs 24 */
    CHECK(says(&l, "has 6 bytes of data, its type and shape need 24"));

    pb_writer_init(&d, a);
    pb_writer_bytes_field(&d, 9, (Bytes){nibbles, sizeof nibbles});
    l = load_tensor(a, 22, 2, 3, &d); /* int4: 6 elements in 3 bytes, low half first */
    c = value_of(&l);
    CHECK(c && c->nbyte == 3 && const_int(c, 0, &i) && i == 1 && const_int(c, 1, &i) && i == -1);
    CHECK(const_int(c, 3, &i) && i == 7 && const_int(c, 4, &i) && i == -8);

    pb_writer_init(&d, a); /* int8 in int32_data, negative numbers as ten-byte varints, unpacked */
    for (int k = 0; k < 6; k++)
        pb_writer_varint_field(&d, 5, (uint64_t)(int64_t)(k - 3));
    l = load_tensor(a, 3, 2, 3, &d);
    c = value_of(&l);
    CHECK(c && c->nbyte == 6 && const_int(c, 0, &i) && i == -3 && const_int(c, 5, &i) && i == 2);

    pb_writer_init(&d, a); /* float16 in int32_data */
    static const uint16_t half[] = {0x3c00, 0xc000, 0x7c00, 0x0001, 0x0000, 0x7e00};
    for (int k = 0; k < 6; k++)
        pb_writer_varint_field(&d, 5, half[k]);
    l = load_tensor(a, 10, 2, 3, &d);
    c = value_of(&l);
    CHECK(c && const_float(c, 0, &f) && f == 1.0 && const_float(c, 1, &f) && f == -2.0);
    CHECK(const_float(c, 2, &f) && isinf(f) && const_float(c, 3, &f) && f == ldexp(1, -24) &&
          const_float(c, 5, &f) && isnan(f));

    pb_writer_init(&d, a);
    pb_writer_bytes_field(&d, 7, (Bytes){bad_packed, sizeof bad_packed}); /* 3 of 6 int64 */
    l = load_tensor(a, 7, 2, 3, &d);
    CHECK(says(&l, "has 24 bytes of data, its type and shape need 48"));

    l = load_tensor(a, 1, 2, 3, NULL);
    c = value_of(&l);
    CHECK(c && !c->data && c->nbyte == 24 && l.model->missing_bytes == 24 && l.notes.nnote == 1);
    l = load_tensor(a, 1, 0, 3, NULL);
    c = value_of(&l);
    CHECK(c && c->data && c->nbyte == 0 && l.model->nmissing == 0);
    l = load_tensor(a, 1, INT64_MAX, INT64_MAX, NULL);
    CHECK(says(&l, "more elements than any machine can hold"));
    l = load_tensor(a, 1, -1, 3, NULL);
    CHECK(says(&l, "dimension 0 is negative"));
    l = load_tensor(a, 99, 2, 3, NULL);
    c = value_of(&l);
    CHECK(c && c->dtype == DT_UNKNOWN && l.notes.nnote == 1);
}

static void small_float_checks(void)
{
    static const uint8_t bits[] = {0x38, 0x7e, 0x7f, 0x80, 0x01};
    double f;
    Const c = {.dtype = DT_FLOAT8E4M3FN, .nelem = 5, .nbyte = 5, .data = bits};
    CHECK(const_float(&c, 0, &f) && f == 1.0 && const_float(&c, 1, &f) && f == 448.0);
    CHECK(const_float(&c, 2, &f) && isnan(f) && const_float(&c, 4, &f) && f == ldexp(1, -9));
    c.dtype = DT_FLOAT8E4M3FNUZ;
    CHECK(const_float(&c, 0, &f) && f == 0.5 && const_float(&c, 3, &f) && isnan(f));
    c.dtype = DT_FLOAT8E5M2;
    static const uint8_t e5m2[] = {0x3c, 0x7c, 0xfc, 0x7b, 0x7d};
    c.data = e5m2;
    CHECK(const_float(&c, 0, &f) && f == 1.0 && const_float(&c, 1, &f) && isinf(f) && f > 0);
    CHECK(const_float(&c, 3, &f) && f == 57344.0 && const_float(&c, 4, &f) && isnan(f));
    static const uint8_t e2m1[] = {0x71, 0x2f}; /* 0.5, 6, -6, 1 */
    c = (Const){.dtype = DT_FLOAT4E2M1, .nelem = 4, .nbyte = 2, .data = e2m1};
    CHECK(const_float(&c, 0, &f) && f == 0.5 && const_float(&c, 1, &f) && f == 6.0);
    CHECK(const_float(&c, 2, &f) && f == -6.0 && const_float(&c, 3, &f) && f == 1.0);
}

/* --- external data --------------------------------------------------------------------------- */

static void add_entry(PbWriter *t, const char *key, const char *value)
{
    PbWriter e;
    pb_writer_init(&e, t->arena);
    pb_writer_string_field(&e, 1, key);
    pb_writer_string_field(&e, 2, value);
    pb_writer_message_field(t, 13, &e);
}

static void write_bytes(const char *path, Bytes b)
{
    FILE *f = fopen(path, "w");
    fwrite(b.data, 1, b.size, f);
    fclose(f);
}

static Loaded load_external(Arena *a, const char *folder, const char *location, const char *offset,
                            const char *length)
{
    PbWriter g, t;
    pb_writer_init(&g, a);
    pb_writer_init(&t, a);
    pb_writer_varint_field(&t, 1, 4);
    pb_writer_varint_field(&t, 2, 2); /* uint8[4] */
    pb_writer_string_field(&t, 8, "w");
    pb_writer_varint_field(&t, 14, 1);
    add_entry(&t, "location", location);
    if (offset)
        add_entry(&t, "offset", offset);
    if (length)
        add_entry(&t, "length", length);
    pb_writer_message_field(&g, 5, &t);
    rewrite_add_node(&g, "Identity", "w", "y");
    const char *path = arena_printf(a, "%s/m/model.onnx", folder);
    write_bytes(path, model_of(a, &g));
    Loaded l = {0};
    notes_init(&l.notes, a);
    l.status = onnx_load(a, path, &l.notes, &l.model, &l.diag);
    return l;
}

/* The model itself is a link, its data too: both to one folder. */
static void linked_checks(Arena *a, const char *folder, const char *inside)
{
    Loaded l = load_external(a, folder, "name", NULL, NULL);
    const char *snapshot = arena_printf(a, "%s/s", folder);
    const char *model = arena_printf(a, "%s/model.onnx", snapshot);
    const char *data = arena_printf(a, "%s/name", snapshot);
    int64_t i;
    mkdir(snapshot, 0777);
    CHECK(symlink(arena_printf(a, "%s/model.onnx", inside), model) == 0);
    CHECK(symlink("../m/data", data) == 0);
    l.status = onnx_load(a, model, &l.notes, &l.model, &l.diag);
    CHECK(l.status == STATUS_OK && const_int(value_of(&l), 0, &i) && i == 'A');
    model_close(l.model);
    unlink(data);
    CHECK(symlink("../secret", data) == 0);
    l.status = onnx_load(a, model, &l.notes, &l.model, &l.diag);
    CHECK(says(&l, "refused"));
    unlink(data);
    unlink(model);
    rmdir(snapshot);
}

static void external_checks(Arena *a)
{
    char folder[] = "/tmp/test_onnx_XXXXXX";
    const uint8_t *secret = (const uint8_t *)"SECRETSECRET";
    int64_t i;
    CHECK(mkdtemp(folder) != NULL);
    const char *inside = arena_printf(a, "%s/m", folder);
    mkdir(inside, 0777);
    write_bytes(arena_printf(a, "%s/secret", folder), (Bytes){secret, 12});
    write_bytes(arena_printf(a, "%s/data", inside), (Bytes){(const uint8_t *)"ABCDEFGH", 8});
    CHECK(symlink("../secret", arena_printf(a, "%s/link", inside)) == 0);
    CHECK(symlink("data", arena_printf(a, "%s/good", inside)) == 0);

    Loaded l = load_external(a, folder, "data", "4", "4");
    const Const *c = value_of(&l);
    CHECK(c && const_int(c, 0, &i) && i == 'E' && l.model->nexternal == 1);
    model_close(l.model);
    l = load_external(a, folder, "good", NULL, NULL);
    c = value_of(&l);
    CHECK(c && const_int(c, 3, &i) && i == 'D');
    model_close(l.model);
    l = load_external(a, folder, "./data", "5", NULL); /* too short */
    c = value_of(&l);
    CHECK(c && !c->data && l.model->missing_bytes == 4 &&
          strstr(message_format(l.notes.arena, NULL, l.notes.note[0].said), "too short"));
    model_close(l.model);
    l = load_external(a, folder, "none", "9223372036854775807", "4");
    c = value_of(&l);
    CHECK(c && !c->data &&
          strstr(message_format(l.notes.arena, NULL, l.notes.note[0].said), "'none' is not there"));
    model_close(l.model);

    static const char *const out[] = {"../secret", "/etc/passwd", "x/../../secret", "link",
                                      "",          ".."};
    for (size_t k = 0; k < sizeof out / sizeof *out; k++) {
        l = load_external(a, folder, out[k], NULL, NULL);
        CHECK(says(&l, "refused") && !strstr(l.diag.text, "SECRET"));
    }
    l = load_external(a, folder, ".", NULL, NULL);
    CHECK(l.status == STATUS_INPUT);
    linked_checks(a, folder, inside);
    l = load_external(a, folder, "data", "-1", NULL);
    CHECK(says(&l, "not a number"));
    l = load_external(a, folder, "data", "0", "5");
    CHECK(says(&l, "external data has 5 bytes, its type and shape need 4"));
    unlink(arena_printf(a, "%s/data", inside));
    unlink(arena_printf(a, "%s/link", inside));
    unlink(arena_printf(a, "%s/good", inside));
    unlink(arena_printf(a, "%s/model.onnx", inside));
    rmdir(inside);
    unlink(arena_printf(a, "%s/secret", folder));
    rmdir(folder);
}

/* --- foreign files --------------------------------------------------------------------------- */

static ForeignKind kind_of(const char *text)
{
    const char *about = NULL;
    return foreign_recognise((Bytes){(const uint8_t *)text, strlen(text)}, &about);
}

static void foreign_checks(Arena *a)
{
    PbWriter g;
    CHECK(kind_of("<!DOCTYPE html><html>") == FOREIGN_OTHER);
    CHECK(kind_of("\xef\xbb\xbf  {\"Layers\": []}") == FOREIGN_TENSORRT_JSON);
    CHECK(kind_of("{\"target\":\"warboy\",\"sdk\":\"0.10\"}") == FOREIGN_LOWERED_JSON);
    CHECK(kind_of("digraph G {}") == FOREIGN_VENDOR_DOT);
    CHECK(kind_of("plain text") == FOREIGN_OTHER);
    CHECK(kind_of("") == FOREIGN_NONE);
    pb_writer_init(&g, a);
    CHECK(foreign_recognise(model_of(a, &g), NULL) == FOREIGN_NONE);

    PbWriter m; /* a producer whose name is at byte 4, where TFLite has its mark */
    pb_writer_init(&m, a);
    pb_writer_varint_field(&m, 1, 7);
    pb_writer_string_field(&m, 2, "TFL3 to ONNX");
    pb_writer_message_field(&m, 7, &g);
    Bytes b = flat(a, &m);
    CHECK(memcmp(b.data + 4, "TFL3", 4) == 0 && foreign_recognise(b, NULL) == FOREIGN_NONE);
}

int main(void)
{
    Arena *a = arena_new(0);
    wire_checks();
    guard_checks(a);
    order_checks(a);
    tensor_checks(a);
    small_float_checks();
    external_checks(a);
    foreign_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
