/* Lists the items of one source as options and joins them into a sentence. */
#include "advisor/report/setup_text.h"

static SetupLine word_line(const ResultSetupWord *x)
{
    return (SetupLine){
        .value = x->value, .candidates = x->candidates, .source = x->source, .seen = x->seen};
}

static const char *count_text(Arena *a, ResultInt x)
{
    return x.known ? arena_printf(a, "%lld", (long long)x.value) : NULL;
}

static SetupLine count_line(Arena *a, const ResultSetupCount *x)
{
    const char **text = arena_calloc(a, x->candidates.count + 1, sizeof *text);
    for (size_t i = 0; i < x->candidates.count; i++)
        text[i] = count_text(a, (ResultInt){x->candidates.item[i], true});
    return (SetupLine){.value = count_text(a, x->value),
                       .candidates = {text, x->candidates.count},
                       .source = x->source,
                       .seen = count_text(a, x->seen)};
}

static SetupLine line_of(Arena *a, const ResultSetup *s, SetupItemId i)
{
    const ResultSetupWord *const word[SETUP_COUNT] = {[SETUP_TARGET] = &s->target,
                                                      [SETUP_SDK] = &s->sdk,
                                                      [SETUP_INPUT] = &s->input_dtypes,
                                                      [SETUP_OUTPUT] = &s->output_dtypes,
                                                      [SETUP_PERMUTE] = &s->permute_input};
    assert(i < SETUP_COUNT);
    return word[i]              ? word_line(word[i])
           : i == SETUP_BATCH   ? count_line(a, &s->batch)
           : i == SETUP_WORKERS ? count_line(a, &s->workers)
                                : count_line(a, &s->devices);
}

SetupLine setup_line(Arena *a, const ResultSetup *setup, SetupItemId i)
{
    SetupLine x = line_of(a, setup, i);
    x.option = setup_option(i);
    return x;
}

static size_t append_text(Phrase *p, size_t used, const char *text)
{
    int n = snprintf(p->text + used, sizeof p->text - used, "%s", text);
    size_t more = n > 0 ? (size_t)n : 0, left = sizeof p->text - used - 1;
    return used + (more < left ? more : left);
}

static size_t append_line(Phrase *p, size_t used, const SetupLine *x, const Language *lang)
{
    used = append_text(p, used, used ? " " : "");
    used = append_text(p, used, x->option);
    if (x->value) {
        used = append_text(p, used, " ");
        return append_text(p, used, x->value);
    }
    for (size_t i = 0; i < x->candidates.count; i++) {
        used = append_text(p, used, i ? phrase_text(lang, PHRASE_SETUP_OR) : " ");
        used = append_text(p, used, x->candidates.item[i]);
    }
    return used;
}

/* The decided items of a source; for ..._UNSET, those that the trace leaves open. */
static size_t append_lines(Phrase *p, const ResultSetup *setup, ResultSetupSource source,
                           const Language *lang)
{
    Arena *a = arena_new(0);
    size_t used = 0;
    p->text[0] = '\0';
    for (int i = 0; setup && i < SETUP_COUNT; i++) {
        SetupLine x = setup_line(a, setup, (SetupItemId)i);
        bool fits = source ? x.value && x.source == source : !x.value;
        if (fits && (!x.value || strcmp(x.value, "none")))
            used = append_line(p, used, &x, lang);
    }
    arena_free(a);
    return used;
}

const char *setup_sentence(Phrase *buf, const ResultSetup *setup, ResultSetupSource source,
                           const Language *lang)
{
    static const PhraseId phrase[] = {
        [RESULT_SETUP_SOURCE_OPTION] = PHRASE_SETUP_FROM_OPTION,
        [RESULT_SETUP_SOURCE_TRACE] = PHRASE_SETUP_FROM_TRACE,
        [RESULT_SETUP_SOURCE_SETTINGS] = PHRASE_SETUP_FROM_SETTINGS,
        [RESULT_SETUP_SOURCE_DEFAULT] = PHRASE_SETUP_FROM_DEFAULT,
    };
    static_assert(sizeof phrase / sizeof *phrase == RESULT_SETUP_SOURCE_COUNT, "each source");
    Phrase items, closed, open;
    closed.text[0] = open.text[0] = '\0';
    if (append_lines(&items, setup, source, lang))
        phrase_format(&closed, lang, phrase[source], items.text, NULL);
    if (source == RESULT_SETUP_SOURCE_TRACE &&
        append_lines(&items, setup, RESULT_SETUP_SOURCE_UNSET, lang))
        phrase_format(&open, lang, PHRASE_SETUP_OPEN, items.text, NULL);
    snprintf(buf->text, sizeof buf->text, "%.500s%s%.500s", closed.text,
             closed.text[0] && open.text[0] ? "; " : "", open.text);
    return buf->text;
}

const char *setup_open(Phrase *buf, const ResultSetup *setup, const Language *lang)
{
    Phrase items;
    if (!append_lines(&items, setup, RESULT_SETUP_SOURCE_UNSET, lang))
        return strcpy(buf->text, "");
    return phrase_format(buf, lang, PHRASE_SETUP_OPEN, items.text, NULL);
}

static const char *origin_text(Phrase *buf, const Result *r, const Language *lang)
{
    int64_t n = r->measured ? r->measured->inferences : 0;
    const ResultIssueList *x = &r->evidence.issues;
    if (!r->traces.count) /* the last of the issues says what there is instead */
        return x->count ? x->item[x->count - 1].text : phrase_text(lang, PHRASE_NO_TRACE);
    if (n && r->now && r->now->source == RESULT_SOURCE_PREDICTED)
        return phrase_text(lang, PHRASE_TRACE_UNUSED);
    return phrase_format(buf, lang, PHRASE_INFERENCES, COUNTED(n), NULL);
}

const char *setup_of_run(Phrase *buf, const Result *r, const Language *lang)
{
    Phrase origin;
    return phrase_format(buf, lang, PHRASE_SETUP_LINE, r->target, r->sdk,
                         COUNTED(r->options.batch.value), COUNTED(r->options.workers.value),
                         origin_text(&origin, r, lang), NULL);
}

const char *setup_of_compiled(Phrase *buf, const Result *r, const Language *lang)
{
    bool engine = r->compiled->kind == RESULT_KIND_TENSORRT,
         table = r->compiled->kind == RESULT_KIND_RKNN;
    const char *version =
        strcmp(r->sdk, "unknown") ? r->sdk : phrase_text(lang, PHRASE_WORD_UNKNOWN);
    return phrase_format(buf, lang,
                         engine  ? PHRASE_ENGINE_LINE
                         : table ? PHRASE_RKNN_LINE
                                 : PHRASE_COMPILED_LINE,
                         engine || table ? version : result_kind_words[r->compiled->kind], NULL);
}
