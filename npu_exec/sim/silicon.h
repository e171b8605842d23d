/* Declares the constants of the simulated chip and host (npu_exec/silicon/NAME.xml).
 *
 * They have other names and another grain than the cost model's and are tuned against published
 * measurements only.  The geometry is stated again and must match the machine that the compiler
 * used, else nothing runs. */
#pragma once

#include "graph/compile/program.h"
#include "npu_exec/sim/ps.h"
#include "npu_exec/sim/silicon_geometry.def"

/* What a host operator costs: a call, its elements, the rows it copies one by one, the cache
 * lines it touches (and writes, if it has a type), its multiply-accumulates. */
typedef struct {
    HostOp op;
    const char *type; /* of an ONNX operator, or its finer name; NULL: any */
    DType from, to;   /* DT_UNKNOWN: any */
    Sdk since, until;
    Ps call, row, line, out_line;
    int64_t element_fs, mac_fs; /* femtoseconds: fractions of a nanosecond matter over millions */
    int64_t sigma_ppm;
} SiliconHostCost;

/* What one member of the ensemble has other than the file's own silicon. */
typedef struct {
    int constant;  /* index in silicon.xml; -1: host rows */
    int64_t value; /* thousandths of its unit; -1: … */
    int64_t times; /* … ppm of the file's value */
    HostOp op;     /* of the host rows, and … */
    DType from;    /* … DT_UNKNOWN: any */
} MemberChange;

typedef struct {
    MemberChange *change;
    size_t nchange;
} Member;

typedef struct {
    const char *path;
#define X(field) int64_t field;
    SILICON_GEOMETRY(X)
#undef X
    SiliconHostCost *host; /* in file order: the first row that fits counts */
    size_t nhost;
    Member *member; /* other silicons that published measurements leave open */
    size_t nmember;
    /* Constants in thousandths of their unit. */
#define SILICON(name, unit, of, least) int64_t name;
#include "npu_exec/sim/silicon.def"
} Silicon;

/* Loads and checks `path` (NULL: the file of that machine's name beside the binary).  Refuses a
 * file that lacks a constant, states one twice or in another unit, or whose geometry differs from
 * the machine's. */
Status silicon_load(Arena *a, const char *path, const Machine *machine, Silicon **ret, Diag *diag);

/* Multiplies every constant but the mechanisms by a number in [0.7, 1.4), keyed by the seed and the
 * constant's name.
 */
void silicon_perturb(Silicon *s, uint64_t seed);

/* The ensemble: 0 is the file's own silicon, 1 … nmember its members; lives in `a`. */
enum { MEMBERS_MAX = 64 };
Silicon *silicon_member(Arena *a, const Silicon *s, uint32_t number);

/* Its DRAM at another clock than that of the file. */
void silicon_set_clock(Silicon *s, int64_t mhz_of_file, int64_t mhz);

/* The row for a host step; NULL when none fits. */
const SiliconHostCost *silicon_host_cost(const Silicon *s, Sdk sdk, const Step *step);

/* Decimal text ("-0.25", "1e3" is not one) times `scale`, rounded to nearest; false when it is no
 * number or does not fit. */
bool silicon_scaled_decimal(const char *text, int64_t scale, int64_t *ret);

/* Thousandths of cycles to picoseconds. */
Ps silicon_cycles(const Silicon *s, int64_t milli_cycles);
