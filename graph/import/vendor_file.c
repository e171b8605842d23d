/* Reads a vendor's graph of either form, and checks it. */
#include "graph/import/vendor_read.h"

Status vendor_graph_read(Arena *a, InFile file, VendorGraph **ret, Diag *diag)
{
    VendorGraph *g = ARENA_NEW(a, VendorGraph);
    Bytes bytes = {file.data, file.size};
    *g = (VendorGraph){.arena = a, .path = file.path, .file = VENDOR_FILE_DOT};
    if (vendor_graph_is_dfg(file.data, file.size))
        g->file = VENDOR_FILE_DFG;
    if (g->file == VENDOR_FILE_DOT && file.size > (size_t)VENDOR_DOT_LIMIT_MIB << 20)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is larger than %d MiB",
                        VENDOR_DOT_LIMIT_MIB);
    Status st = g->file == VENDOR_FILE_DFG ? vendor_read_dfg(g, bytes, diag)
                                           : vendor_read_dot(g, bytes, diag);
    st = st ? st : vendor_read_end(g, diag);
    if (!st && g->nop == 0)
        st = diag_set(diag, STATUS_INPUT, file.path, NULL, "holds no operators");
    *ret = g;
    return st;
}
