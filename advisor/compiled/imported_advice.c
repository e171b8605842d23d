/* What the structure of a compiled graph tells whoever made it; times it cannot tell. */
#include "advisor/say/figure.h"
#include "advisor/compiled/imported_show.h"
#include "advisor/say/phrase.h"
#include "advisor/say/sentence.h"

typedef struct {
    ImportWork work;
    ImportFinding text; /* places and bytes are counted */
} Look;

static const Look look[] = {
    {WORK_HOST,
     {.id = "host-steps",
      .fact = "steps that run on the host, between or beside the accelerator's",
      .todo =
          "replace or cut the operators that the accelerator does not take: `npu-advise compile "
          "MODEL.onnx` names the reason of each"}},
    {WORK_LAYOUT,
     {.id = "layout-moves",
      .fact =
          "operators that only change the order in memory; each reads and writes a whole tensor",
      .todo =
          "let neighbours agree on one layout: feed the one that the first operator wants, keep "
          "what forces another (Reshape, Transpose, a plugin) out of chains of convolutions"}},
    {WORK_TYPE,
     {.id = "type-gaps",
      .fact = "operators that only quantize or dequantize, gaps in what is int8",
      .todo = "quantize what lies in the gap, or drop a pair that surrounds nothing but moves"}},
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
    f[n] = (ImportFinding){
        .id = "cuts",
        .places = g->ncut,
        .bytes = -1,
        .fact = "pairs of subgraphs of which one hands tensors to the other",
        .todo = "look at what sits at each cut: an operator that could be replaced joins its "
                "neighbours"};
    n += g->ncut > 0;
    *ret_count = n;
    return f;
}

const char *imported_no_gain(const Imported *g)
{
    static const char *const why[] = {
        [IMPORT_LOWERED] = "it holds what was compiled, not the model that a change would compile "
                           "anew; give the .onnx that it was made from",
        [IMPORT_DOT] =
            "it tells the structure only, no types, shapes or sizes; give the .onnx that "
            "it was made from",
        [IMPORT_TENSORRT] = "it was compiled for another device; give the .onnx that it was made "
                            "from for times on the NPU"};
    return why[g->kind];
}

static void put_finding(FILE *out, const ImportFinding *f, const char *lang)
{
    char places[32];
    Figure bytes;
    Phrase p, said;
    snprintf(places, sizeof places, "%zu", f->places);
    fprintf(out, "\n%s",
            say_with(&p, lang, f->places == 1 ? SAY_STRUCTURE_FINDING_ONE : SAY_STRUCTURE_FINDING,
                     f->id, places, NULL));
    if (f->bytes >= 0)
        fprintf(out, ", %s", figure_bytes(&bytes, (double)f->bytes));
    fprintf(out, ": %s\n", sentence_in(&said, lang, f->fact));
    fprintf(out, "    %s\n",
            say_with(&p, lang, SAY_STRUCTURE_CHANGE, sentence_in(&said, lang, f->todo), NULL));
    fprintf(out, "    %s\n", say(lang, SAY_STRUCTURE_GAIN));
}

void imported_advice(FILE *out, const Imported *g, const char *lang)
{
    size_t n;
    const ImportFinding *f = imported_findings(g, &n);
    for (size_t i = 0; i < n; i++)
        put_finding(out, &f[i], lang);
    if (n == 0)
        fprintf(out, "\n%s\n", say(lang, SAY_STRUCTURE_GOOD));
}
