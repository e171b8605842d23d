/* Reads the measured times of published networks from tests/networks/published.json.
 * make_networks.py, which builds the networks, describes its form. */
#pragma once

#include "advisor/message/json.h"
#include "graph/compile/options.h"

typedef struct {
    const char *model, *flags, *metric, *meaning, *source;
    const char *op;     /* of an operator's time; word of a layer's row; NULL */
    const char *table;  /* of metric "layers": a layer table beside the points file; else NULL */
    const char *family; /* networks that are off together; NULL: not stated */
    const char *target; /* its name; "NAME-2pe" in the file is `pe` 2 */
    int pe;
    bool target_stated; /* false: the source does not say which PEs ran */
    int64_t batch;
    double measured_ns;
    Sdk sdk;           /* 0: the source does not say, the target's newest */
    bool bare;         /* MLPerf: host conversions happened before and after the measured time */
    const char *round; /* "MLPerf v2.0 Offline"; NULL */
    int workers;       /* of the meaning ("4 workers"), else 1; throughput runs keep the NPU busy */
    int64_t images_per_query;
} PublishedPoint;

/* Folders whose targets/NAME.xml are targets too. */
typedef struct {
    const char *const *folder;
    size_t n;
} TargetFolders;

/* Reads and checks the file; points live in `a`. */
Status points_load(Arena *a, const char *path, const TargetFolders *more, PublishedPoint **ret,
                   size_t *ret_count, Diag *diag);

/* The model's file in `dir`, as make_networks.py names it from the flags; the default size is left
 * out of names, so both forms are looked for.  NULL when there is none; *ret_name (may be NULL)
 * becomes the name with the size. */
const char *point_model_path(Arena *a, const char *dir, const PublishedPoint *p,
                             const char **ret_name);
