/* Recognises the format of a compiled graph and calls its reader. */
#include "graph/import/imported.h"

#include "graph/onnx/foreign.h"
#include "graph/import/import_build.h"
#include "graph/import/vendor_graph.h"

ENUM_WORDS(
    import_work_name, ImportWork,
    WORK_COUNT, [WORK_UNKNOWN] = "unknown", [WORK_COMPUTE] = "compute", [WORK_HOST] = "host",
    [WORK_TRANSFER] = "transfer", [WORK_LAYOUT] = "layout", [WORK_RENAME] = "layout without copy",
    [WORK_VIEW] = "view", [WORK_TYPE] = "type", [WORK_COPY] = "copy", [WORK_CAST] = "cast")

typedef Status (*Reader)(ImportBuild *b, const char *text, size_t size);

static Reader reader_of(InFile file, ImportKind *ret_kind)
{
    switch (foreign_recognise((Bytes){file.data, file.size}, NULL)) {
    case FOREIGN_LOWERED_JSON:
        *ret_kind = IMPORT_LOWERED;
        return import_lowered;
    case FOREIGN_VENDOR_DOT:
        *ret_kind = IMPORT_DOT;
        return vendor_graph_is_dot(file.data, file.size) ? import_vendor : import_dot;
    case FOREIGN_VENDOR_DFG:
        *ret_kind = IMPORT_DOT;
        return import_vendor;
    case FOREIGN_TENSORRT_JSON:
        *ret_kind = IMPORT_TENSORRT;
        return import_tensorrt;
    case FOREIGN_RKNN_TABLE:
        *ret_kind = IMPORT_RKNN;
        return import_rknn;
    default:
        return NULL;
    }
}

bool imported_recognise(InFile file)
{
    ImportKind kind;
    return !vendor_graph_is_dfg(file.data, file.size) && reader_of(file, &kind) != NULL;
}

bool imported_is_vendor(InFile file)
{
    ImportKind kind;
    return reader_of(file, &kind) == import_vendor;
}

Status imported_read(Arena *a, InFile file, Imported **ret, Diag *diag)
{
    Imported *g = ARENA_NEW(a, Imported);
    *g = (Imported){.arena = a, .path = file.path};
    Reader read = reader_of(file, &g->kind);
    if (!read)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is not a compiled graph");
    if (file.size > (size_t)IMPORT_LIMIT_MIB << 20 && read != import_vendor)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is larger than %d MiB",
                        IMPORT_LIMIT_MIB);
    ImportBuild b;
    import_begin(&b, g, diag);
    Status st = read(&b, (const char *)file.data, file.size);
    if (st)
        return st;
    if (g->nop == 0)
        return diag_set(diag, STATUS_UNDECIDED, file.path, NULL, "holds no operators");
    import_end(&b);
    *ret = g;
    return STATUS_OK;
}
