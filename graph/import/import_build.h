/* Builds an imported graph; shared by the readers. */
#pragma once

#include "graph/import/imported.h"

#include <cjson/cJSON.h>

typedef struct {
    Imported *g;
    StrMap tensor, op, subgraph; /* by name */
    Diag *diag;
} ImportBuild;

void import_begin(ImportBuild *b, Imported *g, Diag *diag);

/* Index by name; made when it is new. `name` is copied. */
uint32_t import_tensor(ImportBuild *b, const char *name);
uint32_t import_op(ImportBuild *b, const char *name);
uint32_t import_subgraph(ImportBuild *b, const char *name);

void import_reads(ImportBuild *b, uint32_t op, uint32_t tensor);
void import_makes(ImportBuild *b, uint32_t op, uint32_t tensor);

/* The member's text; NULL where it has none. */
const char *import_text(const cJSON *o, const char *key);

/* Counts what crosses between subgraphs. */
void import_end(ImportBuild *b);

/* The name as it is shown and compared: separators of fused names as " + ". */
const char *import_engine_name(Arena *a, const char *name);
/* What the layer is for, from its type, origin and formats. */
void import_engine_work(Imported *g, ImportOp *op);
/* From type and dimensions; -1 where one of them is not known. */
void import_count_bytes(ImportTensor *t);

Status import_dot(ImportBuild *b, const char *text, size_t size);
Status import_tensorrt(ImportBuild *b, const char *text, size_t size);
/* A .dfg, or a DOT with the labels of the vendor's quantizer. */
Status import_vendor(ImportBuild *b, const char *text, size_t size);
/* A log of RKNN with a layer table, or its CSV. */
Status import_rknn(ImportBuild *b, const char *text, size_t size);
Status import_lowered(ImportBuild *b, const char *text, size_t size);
