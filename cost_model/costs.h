/* Declares every figure of the cost model, read from <costs> in rules/targets/NAME.xml.  Read by
 * cost_model/ alone; a calibration overrides by name only. */
#pragma once

#include "cost_model/cost_words.def"
#include "cost_model/terms.h"
#include "graph/model/dtype.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"

/* Where a figure is from. */
typedef enum {
#define X(id, text) KIND_##id,
    FIGURE_KINDS(X)
#undef X
        KIND_COUNT
} FigureKind;

/* The figures by name, exactly those of the file. A missing one is an
 * error, but of a machine of rows where it is 0 (nothing is launched, transferred or handed over);
 * an unknown one in the file too, so that no figure is silently unused. */
enum {
#define X(field, name, unit) COST_##field,
    COSTS(X)
#undef X
        COST_COUNT
};

typedef struct {
    const char *name, *unit, *source;
    FigureKind kind;
} FigureInfo;

typedef struct {
    const char *name, *unit;
    size_t offset; /* in Costs */
} CostName;
extern const CostName cost_names[COST_COUNT];

/* What n is in t = fixed_ns + per_unit_ns * n.  */
typedef enum {
#define X(id, text) UNIT_##id,
    HOST_UNITS(X)
#undef X
        UNIT_COUNT
} HostUnit;

/* Bytes of a tensor that the host's caches hold: up to 1.23 MB published conversions take the
 * same per byte (performance.rst: uint8, 277 us).  Bytes written beyond cost more; reads are
 * prefetched. */
enum { HOST_CACHE_BYTES = 5 << 18 };

/* What else a law counts beside its unit: bytes that arithmetic waits for, say. */
typedef struct {
    HostUnit unit;
    Interval per_unit_ns;
} HostTerm;
enum { HOST_ALSO_MAX = 3 };

/* A law for a host step: t = fixed_ns + per_unit_ns * n, plus a term for each unit in `also`. */
typedef struct {
    const char *op;   /* "Quantize" …, an ONNX operator or its finer name, "operator": any */
    bool of_operator; /* of ONNX operators only: the compiler has a Slice and a Pad too */
    DType from, to;   /* DT_UNKNOWN: any */
    Sdk since, until; /* [since, until), 0 open */
    HostUnit unit;
    int points; /* published measurements that per_unit_ns rests on; 0: not said */
    Interval fixed_ns, per_unit_ns;
    HostTerm also[HOST_ALSO_MAX];
    int nalso;
    FigureInfo info;
} HostCost;

typedef struct Costs {
#define X(field, name, unit) Interval field;
    COSTS(X)
#undef X
    FigureInfo info[COST_COUNT]; /* in the order of COSTS */
    Term term[TERM_MAX];         /* their sum is the time of an operator */
    FigureInfo term_info[TERM_MAX];
    int nterm;
    /* By how much a calibration scales a term of ops of one kind; 1 else. */
    double kind_factor[LOWOP_KIND_COUNT][TERM_MAX];
    HostCost *host;
    size_t nhost;
    const char *source_path;
    bool carried; /* fitted to one trace (residual_transfer.h): what goes through DRAM is what the
                     compiler says of each op */
    bool oversize_carried; /* that is all for operators beyond the SRAM too: the trace has some */
    double activation_beside; /* 0 to 1: how far activations run beside the products, as `beside`
                                 terms do; what fits the trace best */
    const char *calibration;  /* path, or NULL */
    const struct Costs *physical; /* data-sheet constants alone; NULL where the file has none */
} Costs;

enum { HOST_COSTS_MAX = 256 };

/* `target` is a name ("warboy") or a path, `calibration` a path or NULL. */
Status costs_load(Arena *a, const char *target, const char *calibration, Costs **ret, Diag *diag);

/* What moves bytes takes as much longer as the clock of the memory is lower; mhz 0: that of the
 * costs.  STATUS_USAGE where the target says none. */
Status costs_at_ddr(Costs *c, const Machine *m, int mhz, Diag *diag);

/* Multiplies the factors of each kind; `calibration` says by what. */
void costs_scale_kinds(Costs *c, const double by[LOWOP_KIND_COUNT][TERM_MAX],
                       const char *calibration);

/* Figures by their place: first COSTS, then the figures of the terms. */
enum { FIGURE_MAX = COST_COUNT + TERM_MAX };
int costs_figure_count(const Costs *c);
Interval costs_figure(const Costs *c, int index);
void costs_set_figure(Costs *c, int index, Interval value);
const FigureInfo *costs_figure_info(const Costs *c, int index);
int costs_figure_index(const Costs *c, const char *name); /* -1 when there is none of that name */

/* Terms by name, and the first of a form; -1: the target has none.  The figure of a form is 0 where
 * no term has it. */
int costs_term(const Costs *c, const char *name);
int costs_term_of_form(const Costs *c, TermForm form);
Interval costs_form_figure(const Costs *c, TermForm form);
double costs_term_ns(const Costs *c, int term, double work); /* in the middle */

const char *costs_figure_kind_text(FigureKind k);
const char *costs_host_unit_text(HostUnit u);

/* The law for a host step, NULL when none covers it (its cost is then unknown).  The operator's
 * finer name goes before the operator, that before "operator", and stated types before none; of
 * several that remain the one that takes longest. */
const HostCost *costs_for_host(const Costs *c, Sdk sdk, const Step *s);

/* How many of a unit the step has; costs_host_ns is the time that the law predicts from them. */
double costs_host_units(HostUnit unit, const Step *s);
/* What the law says of bytes beyond the caches; 0 where it has no term for them. */
Interval costs_host_uncached_ns(const HostCost *h, const Step *s);
bool costs_host_counts_uncached(const HostCost *h);
Interval costs_host_ns(const HostCost *h, const Step *s);
