/* Derives from the structure of a compiled graph what its maker can change; it cannot tell times.
 */
#include "advisor/render/program/imported_show.h"

typedef struct {
    ImportWork work;
    ImportFinding text; /* places and bytes are counted */
} Look;

static const Look look[] = {
    {WORK_HOST, {.id = "host-steps", .fact = PHRASE_FACT_HOST, .fix = PHRASE_FIX_HOST}},
    {WORK_LAYOUT, {.id = "layout-moves", .fact = PHRASE_FACT_LAYOUT, .fix = PHRASE_FIX_LAYOUT}},
    {WORK_TYPE, {.id = "type-gaps", .fact = PHRASE_FACT_TYPE, .fix = PHRASE_FIX_TYPE}},
};
enum { LOOKS = sizeof look / sizeof *look };

static void add_up(const Imported *g, ImportWork w, ImportFinding *f)
{
    f->bytes = -1;
    for (size_t i = 0; i < g->nop; i++) {
        const ImportOp *op = &g->op[i];
        if (op->work != w)
            continue;
        f->places++;
        int64_t bytes = op->noutput ? g->tensor[op->output[0]].bytes : -1;
        if (bytes >= 0)
            f->bytes = (f->bytes < 0 ? 0 : f->bytes) + bytes;
    }
}

const ImportFinding *imported_findings(const Imported *g, size_t *ret_count)
{
    ImportFinding *f = ARENA_ARRAY(g->arena, ImportFinding, LOOKS + 1);
    size_t n = 0;
    for (size_t i = 0; i < LOOKS; i++) {
        f[n] = look[i].text;
        add_up(g, look[i].work, &f[n]);
        n += f[n].places > 0;
    }
    f[n] = (ImportFinding){.id = "cuts",
                           .places = g->ncut,
                           .bytes = -1,
                           .fact = PHRASE_FACT_CUTS,
                           .fix = PHRASE_FIX_CUTS};
    n += g->ncut > 0;
    *ret_count = n;
    return f;
}

const char *imported_no_gain(const Imported *g)
{
    static const PhraseId why[] = {[IMPORT_LOWERED] = PHRASE_NO_GAIN_LOWERED,
                                   [IMPORT_DOT] = PHRASE_NO_GAIN_DOT,
                                   [IMPORT_TENSORRT] = PHRASE_NO_GAIN_TENSORRT,
                                   [IMPORT_RKNN] = PHRASE_NO_GAIN_RKNN};
    return phrase_text(NULL, why[g->kind]);
}
