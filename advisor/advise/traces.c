/* Compares the set-ups of the traces, by their own traits and by those that a model reveals. */
#include "advisor/advise/traces.h"

#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "graph/compile/machine.h"
#include "trace/readers/recognise.h"
#include "trace/stats/stats.h"

Status traces_read(Arena *a, const char *const *path, size_t npath, const TraceReadOptions *o,
                   Notes *notes, TraceStats **ret, Diag *diag)
{
    Status st = trace_stats(a, path, npath, o, ret, diag);
    for (size_t i = 0; !st && i < npath; i++) {
        const FileRun *r = &(*ret)->run[i];
        if (r->is_again)
            notes_add(notes, arena_printf(a, "twice-%zu", i), phrase_arg(PHRASE_NOTE_TWICE),
                      arg_text(file_base_name(path[i])),
                      arg_text(file_base_name(path[r->same_as])));
    }
    return st;
}

Status traces_need_spans(const TraceStats *s, Diag *diag)
{
    for (size_t i = 0; i < s->nfile; i++)
        if (s->file[i].spans == 0 && !s->file[i].engine)
            return diag_set(diag, STATUS_INPUT, s->file[i].path, NULL, "holds no trace; %s",
                            recognise_formats);
    return STATUS_OK;
}

static Status setup_mismatch(const TraceStats *s, size_t x, size_t y, const char *of_x,
                             const char *of_y, Diag *diag)
{
    return diag_set(diag, STATUS_INPUT, NULL, NULL,
                    "%s and %s are runs that were set up differently: %s, and %s; give traces of "
                    "one set-up, or compare the two with 'npu-advise diff'",
                    file_base_name(s->file[x].path), file_base_name(s->file[y].path), of_x, of_y);
}

/* ---- by the traces alone ---- */

static const char *trait_text(Arena *a, const FileDifference *d, double value)
{
    Figure f;
    switch (d->trait) {
    case FILES_SDK:
        return arena_printf(a, "SDK %s", sdk_text((Sdk)value));
    case FILES_PES:
        return value > 1 ? arena_printf(a, "%.0f PEs fused", value) : "PEs apart";
    case FILES_CARDS:
        return arena_printf(a, "%.0f %s", value, value > 1 ? "cards" : "card");
    case FILES_HOST_RUNS:
        return arena_printf(a, "%.0f %s per inference", value, d->name);
    case FILES_HOST_TIME:
        return arena_printf(a, "%s of %s per inference", d->name, figure_time(&f, value));
    case FILES_REQUESTS:
        return arena_printf(a, "%.1f requests at once", value);
    case FILES_NPU_TIME:
        return arena_printf(a, "NPU time of %s per inference", figure_time(&f, value));
    case FILES_ALIKE:
        break;
    }
    return "";
}

/* ---- with a model ---- */

static Status setup_of(Arena *a, const TraceStats *s, size_t i, const TraceReadOptions *o,
                       const SetupRequest *of, Setup *ret, Diag *diag)
{
    TraceStats *own = NULL;
    const char *path = s->file[i].path;
    Status st = trace_stats(a, &path, 1, o, &own, diag);
    if (!st)
        setup_find(a, of, own, ret);
    return st;
}

/* The k-th value that the trace allows, whatever the options; NULL after the last. */
static const char *allowed_value(const SetupItem *x, size_t k)
{
    if (x->undecided && !x->seen)
        return k < x->ncandidate ? x->candidate[k] : NULL;
    return k ? NULL : x->seen ? x->seen : x->value;
}

static const char *allowed_text(Arena *a, const SetupItem *x)
{
    const char *text = allowed_value(x, 0);
    for (size_t k = 1; text && allowed_value(x, k); k++)
        text = arena_printf(a, "%s or %s", text, allowed_value(x, k));
    return text ? text : "";
}

/* True if no value fits both. Requests in flight are compared by their mean. */
static bool setup_differs(const Setup *x, const Setup *y, int i)
{
    const SetupItem *p = &x->item[i], *q = &y->item[i];
    bool both = i == SETUP_WORKERS;
    for (size_t k = 0; allowed_value(p, k); k++)
        for (size_t n = 0; allowed_value(q, n); n++)
            both |= !strcmp(allowed_value(p, k), allowed_value(q, n));
    return !both;
}

static const char *setup_differences(Arena *a, const Setup *x, const Setup *y)
{
    const char *text = "";
    for (int i = 0; i < SETUP_COUNT; i++)
        if (setup_differs(x, y, i))
            text = arena_printf(a, "%s%s%s %s", text, *text ? " " : "",
                                setup_option((SetupItemId)i), allowed_text(a, &x->item[i]));
    return text;
}

static Status compare_setups(Arena *a, const TraceStats *s, const TraceReadOptions *o,
                             const SetupRequest *of, Diag *diag)
{
    Setup first = {0}, next;
    size_t before = s->nfile;
    for (size_t i = 0; i < s->nfile; i++) {
        if (s->run[i].is_again || s->run[i].inferences == 0)
            continue;
        Status st = setup_of(a, s, i, o, of, before < s->nfile ? &next : &first, diag);
        if (st)
            return st;
        if (before < s->nfile && *setup_differences(a, &first, &next))
            return setup_mismatch(s, before, i, setup_differences(a, &first, &next),
                                  setup_differences(a, &next, &first), diag);
        before = before < s->nfile ? before : i;
    }
    return STATUS_OK;
}

Status traces_match(Arena *a, const TraceStats *s, const TraceReadOptions *o,
                    const SetupRequest *of, Diag *diag)
{
    const FileDifference *d = &s->differ;
    Status st =
        of && LIST_SUM(size_t, i, s->nfile, s->run[i].inferences > 0 && !s->run[i].is_again) > 1
            ? compare_setups(a, s, o, of, diag)
            : STATUS_OK;
    if (st || d->trait == FILES_ALIKE)
        return st;
    return setup_mismatch(s, d->a, d->b, trait_text(a, d, d->value_a), trait_text(a, d, d->value_b),
                          diag);
}
