/* Machine: geometry and operator support of a target, the <machine> part of rules/targets/NAME.xml.
 * Read by graph/ alone; the <costs> part belongs to cost_model/. */
#ifndef GRAPH_MACHINE_H
#define GRAPH_MACHINE_H

#include "graph/base/diag.h"

#include <stdint.h>

/* SDK generations as small ordered numbers: 0.8 -> 8, 0.9 -> 9, 0.10 -> 10. */
typedef int Sdk;
enum { SDK_OLDEST = 6, SDK_NEWEST = 10, SDK_DEFAULT = 10 };

Sdk sdk_from_text(const char *text); /* 0 when unknown; accepts 0.9.1 */
const char *sdk_text(Sdk sdk);       /* "0.9" */

/* One row of the operator support table: an operator is placed on the NPU when a row of its name
 * exists whose SDK range covers the version and whose condition holds. */
typedef struct {
    const char *op;
    Sdk since;             /* first SDK with the row */
    const char *condition; /* "" none; else KEY OP VALUE, e.g. "group<=128", "axis in CH" */
    const char *source;    /* "ko", "en", "ko+en", "release-0.8.0" … */
} SupportRow;

typedef struct {
    const char *id;         /* "warboy" */
    const char *source_path;
    uint64_t digest;        /* hash of the geometry; npu_exec refuses a silicon file of another */
    int pe_count;
    int slices_per_pe;
    int mac_width, mac_height;    /* lanes along the width, rows */
    int64_t sram_slice_bytes;
    int64_t dram_bytes;
    int io_align_bytes;
    int64_t instruction_bytes;
    int width_multiple;           /* 32: widths are padded to it */
    Sdk npu_lower_since;          /* Lower and Unlower can run on the NPU */
    int max_opset;                /* newest opset the vendor's compiler takes */
    const SupportRow *row;
    size_t nrow;
} Machine;

/* Loads and checks <machine> of the target file. `target` is a name ("warboy") or a path. */
Status machine_load(Arena *a, const char *target, Machine **ret, Diag *diag);

#endif
