/* Builds how the run was set up, and the source of each item. */
#include "advisor/advise/result.h"

#include "advisor/report/result_json.h"
#include "graph/model/dtype.h"

static ResultSetupSource item_source(const SetupItem *x)
{
    return result_word(result_setup_source_words, setup_source_name(x->source));
}

static ResultSetupWord item_word(Arena *a, const SetupItem *x)
{
    size_t n = x->undecided ? x->ncandidate : 0;
    const char **list = ARENA_ARRAY(a, const char *, n);
    for (size_t i = 0; i < n; i++)
        list[i] = x->candidate[i];
    return (ResultSetupWord){x->undecided ? NULL : x->value, {list, n}, item_source(x), x->seen};
}

static ResultInt text_number(const char *text)
{
    return result_int_if(text, text ? strtoll(text, NULL, 10) : 0);
}

static ResultSetupCount item_count(Arena *a, const SetupItem *x)
{
    size_t n = x->undecided ? x->ncandidate : 0;
    int64_t *list = ARENA_ARRAY(a, int64_t, n);
    for (size_t i = 0; i < n; i++)
        list[i] = text_number(x->candidate[i]).value;
    return (ResultSetupCount){text_number(x->undecided ? NULL : x->value),
                              {list, n},
                              item_source(x),
                              text_number(x->seen)};
}

ResultSetup result_setup(Arena *a, const Setup *setup, const Program *p)
{
    const SetupItem *x = setup->item;
    const Graph *g = p->model->graph;
    ResultSetupWord output = item_word(a, &x[SETUP_OUTPUT]);
    /* The compiler finds the type of outputs without one in the file. */
    if (output.value && g->noutput && !strcmp(output.value, dtype_name(DT_UNKNOWN)))
        output.value = dtype_name(g->tensor[g->output[0]].dtype);
    return (ResultSetup){.target = item_word(a, &x[SETUP_TARGET]),
                         .sdk = item_word(a, &x[SETUP_SDK]),
                         .batch = item_count(a, &x[SETUP_BATCH]),
                         .workers = item_count(a, &x[SETUP_WORKERS]),
                         .devices = item_count(a, &x[SETUP_DEVICES]),
                         .input_dtypes = item_word(a, &x[SETUP_INPUT]),
                         .output_dtypes = output,
                         .permute_input = item_word(a, &x[SETUP_PERMUTE])};
}
