/* Lists the files of a written bundle, then the command line with its options. */
#include "advisor/cli/bundle_report.h"

#include "advisor/message/phrase.h"
#include "advisor/message/text_out.h"
#include "advisor/report/command_words.h"

static void put_options(TextOut *t, Arena *a, const Applied *done)
{
    text_putf(t, STYLE_FIX, " %s", command_shell_word(a, done->model));
    for (size_t i = 0; i < done->nword; i++)
        text_putf(t, STYLE_FIX, " %s", command_shell_word(a, done->word[i]));
}

/* How `after` is measured; the trace lies beside the bundle's files. */
static void put_measure(TextOut *t, Arena *a, const Applied *done, const char *folder)
{
    const char *trace = command_shell_word(a, arena_printf(a, "%s/measured.json", folder));
    Phrase p;
    text_paragraph(t, (TextPlace){0, 2}, STYLE_NONE,
                   phrase_format(&p, t->lang, PHRASE_MEASURE_BUNDLE, trace, NULL));
    text_line(t, 2, 6);
    t->command = true;
    text_put(t, STYLE_FIX, "npu-exec");
    put_options(t, a, done);
    text_putf(t, STYLE_FIX, " --runs 40 --trace %s", trace);
    text_end(t);
}

void bundle_report(Context *c, const View *view, const Applied *done, const char *folder)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    for (size_t i = 0; i < done->nfile; i++) {
        text_line(&t, 0, 8);
        text_put(&t, STYLE_NONE, phrase_text(t.lang, PHRASE_WROTE));
        text_putf(&t, STYLE_NONE, " %s/%s", folder, done->file[i]);
        text_end(&t);
    }
    text_line(&t, 0, 6);
    text_put(&t, STYLE_DIM, phrase_text(t.lang, PHRASE_NEXT));
    text_put(&t, STYLE_NONE, " ");
    t.command = true;
    text_put(&t, STYLE_FIX, "npu-advise");
    put_options(&t, c->arena, done);
    text_put(&t, STYLE_FIX, done->goals ? done->goals : "");
    text_end(&t);
    if (done->simulated)
        put_measure(&t, c->arena, done, folder);
}
