/* Reads a ModelProto by running the guard, then reading header, functions and graph. */
#include "graph/onnx/onnx_read.h"

#include "graph/onnx/foreign.h"
#include "graph/onnx/furiosa_keys.h"
#include "graph/base/messages.h"

#include <sys/mman.h>

enum { STREAM_LIMIT_MIB = 2048, MOSTLY_WEIGHTS_MIB = 64 };

static OpsetImport read_import(Loader *l, Bytes raw)
{
    WireField version = {0};
    onnx_wire_find(raw, 2, WIRE_VARINT, &version);
    return (OpsetImport){onnx_string(l->arena, raw, 1), (int64_t)version.value};
}

static void read_model_header(Loader *l)
{
    Model *m = l->model;
    WireField f;
    OpsetImport *import = ARENA_ARRAY(l->arena, OpsetImport, onnx_wire_count(l->file, P_OPSET) + 1);
    Metadata *entry = ARENA_ARRAY(l->arena, Metadata, onnx_wire_count(l->file, P_METADATA) + 1);
    for (Bytes rest = l->file; onnx_wire_next(&rest, &f) == WIRE_FIELD;) {
        if (f.number == P_IR && f.type == WIRE_VARINT)
            m->ir_version = (int64_t)f.value;
        else if (f.number == P_OPSET)
            import[m->nimport++] = read_import(l, f.bytes);
        else if (f.number == P_METADATA)
            entry[m->nmetadata++] =
                (Metadata){onnx_string(l->arena, f.bytes, 1), onnx_string(l->arena, f.bytes, 2)};
    }
    m->import = import;
    m->metadata = entry;
    for (size_t i = 0; i < m->nimport; i++)
        if (!*import[i].domain || strcmp(import[i].domain, "ai.onnx") == 0)
            m->opset = import[i].version;
}

static void note_header(Loader *l)
{
    const Model *m = l->model;
    if (m->opset == 0)
        notes_add(l->notes, "no-opset", MESSAGE_ID(NO_OPSET));
    if (m->ir_version > ONNX_NEWEST_IR)
        notes_add(l->notes, "newer-ir", MESSAGE_ID(NEWER_IR), arg_count(m->ir_version),
                  arg_count(ONNX_NEWEST_IR));
    if (m->opset > ONNX_NEWEST_OPSET)
        notes_add(l->notes, "newer-opset", MESSAGE_ID(NEWER_OPSET), arg_count(m->opset),
                  arg_count(ONNX_NEWEST_OPSET));
    if (l->file.size > INT32_MAX)
        notes_add(l->notes, "over-2-gib", MESSAGE_ID(OVER_2_GIB));
}

static void note_missing(Loader *l)
{
    const Model *m = l->model;
    if (m->nmissing)
        notes_add(l->notes, "missing-weights", MESSAGE_ID(WEIGHTS_MISSING), arg_size(m->nmissing),
                  arg_size(m->missing_bytes), arg_message(l->first_missing));
}

static Status read_model(Loader *l)
{
    WireCounts counts;
    WireField graph;
    Status st = onnx_guard(l->file, l->path, &counts, l->diag);
    if (st)
        return st;
    if (!onnx_wire_find(l->file, P_GRAPH, WIRE_BYTES, &graph))
        return diag_set(l->diag, STATUS_INPUT, l->path, NULL,
                        l->file.size ? "holds no graph: not an ONNX model" : "is empty");
    read_model_header(l);
    note_header(l);
    st = onnx_read_functions(l);
    st = st ? st : onnx_read_graph(l, graph.bytes, NULL, NULL, &l->model->graph);
    st = st ? st : furiosa_keys_read(l->model, l->diag);
    if (!st)
        note_missing(l);
    return st;
}

static void keep_external(Loader *l)
{
    Model *m = l->model;
    m->external = ARENA_ARRAY(l->arena, InFile, l->nexternal + 1);
    m->nexternal = l->nexternal;
    for (size_t i = 0; i < l->nexternal; i++)
        m->external[i] = l->external[i].file;
}

/* The loader with what its nodes need of it. */
static Loader new_loader(Arena *a, const char *path, Bytes file, Notes *notes, Diag *diag)
{
    Loader l = {.read_body = onnx_read_graph,
                .read_call = onnx_inline,
                .arena = a,
                .notes = notes,
                .diag = diag,
                .path = path,
                .file = file,
                .scratch.arena = a,
                .model = ARENA_NEW(a, Model)};
    l.model->arena = a;
    l.model->path = path;
    l.model->raw = file.data;
    l.model->raw_size = file.size;
    l.model->notes = notes;
    return l;
}

static Status load_model(Loader *l, Model **ret_model)
{
    Status st = read_model(l);
    keep_external(l);
    if (st) {
        model_close(l->model);
        return st;
    }
    *ret_model = l->model;
    return STATUS_OK;
}

static Status load_file(Arena *a, const char *path, const char *folder, Bytes file, Notes *notes,
                        Model **ret_model, Diag *diag)
{
    Status st = foreign_refuse(file, path, diag);
    if (st)
        return st;
    Loader l = new_loader(a, path, file, notes, diag);
    l.folder = folder;
    return load_model(&l, ret_model);
}

Status onnx_load_bytes(Arena *a, const char *path, const uint8_t *bytes, size_t size, Notes *notes,
                       Model **ret_model, Diag *diag)
{
    return load_file(a, path, NULL, (Bytes){bytes, size}, notes, ret_model, diag);
}

Status onnx_load_made(Arena *a, const char *path, Bytes made, Bytes own_file, Notes *notes,
                      Model **ret_model, Diag *diag)
{
    Loader l = new_loader(a, path, made, notes, diag);
    l.own_file = own_file;
    l.model->is_made = true;
    return load_model(&l, ret_model);
}

/* A large file is mostly weights: reading ahead of every header would read all of them. */
static void expect_access(const InFile *f, int advice)
{
    if (f->mapped && f->size > (size_t)MOSTLY_WEIGHTS_MIB << 20)
        madvise((void *)(uintptr_t)f->data, f->size, advice);
}

Status onnx_load(Arena *a, const char *path, Notes *notes, Model **ret_model, Diag *diag)
{
    InFile file;
    Model *m;
    Status st = file_in_open(&file, path, (size_t)STREAM_LIMIT_MIB << 20, diag);
    if (st)
        return st;
    const char *folder = strcmp(path, "-") == 0 ? NULL : file_folder(a, path);
    expect_access(&file, MADV_RANDOM);
    st = load_file(a, file.path, folder, (Bytes){file.data, file.size}, notes, &m, diag);
    if (st) {
        file_in_close(&file);
        return st;
    }
    expect_access(&file, MADV_NORMAL);
    m->file = file;
    *ret_model = m;
    return STATUS_OK;
}

void model_close(Model *m)
{
    for (size_t i = 0; i < m->nexternal; i++)
        file_in_close(&m->external[i]);
    m->nexternal = 0;
    file_in_close(&m->file);
}

bool onnx_begins(const char *path)
{
    enum { IR_VERSION = 0x08, STRING = 2, VARINT = 0, HIGHEST_FIELD = 25 };
    uint8_t b[3];
    if (file_in_peek(path, b, sizeof b) < sizeof b || b[0] != IR_VERSION || b[1] == 0 || b[1] > 64)
        return false;
    unsigned wire = b[2] & 7, field = b[2] >> 3;
    return (wire == STRING || wire == VARINT) && field >= 2 && field <= HIGHEST_FIELD;
}
