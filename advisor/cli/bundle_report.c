/* Lists the files of a written bundle, then the command line with its options. */
#include "advisor/cli/bundle_report.h"

#include "advisor/message/phrase.h"
#include "advisor/message/text_out.h"
#include "advisor/report/command_words.h"

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
    text_putf(&t, STYLE_FIX, "npu-advise %s", command_shell_word(c->arena, done->model));
    for (size_t i = 0; i < done->nword; i++)
        text_putf(&t, STYLE_FIX, " %s", command_shell_word(c->arena, done->word[i]));
    text_put(&t, STYLE_FIX, done->goals ? done->goals : "");
    text_end(&t);
}
