/* Rewrites the progress line only where stderr is a terminal. */
#include "advisor/cli/progress.h"

Progress progress_of(const Context *c, const Args *args, PhraseId what)
{
    return (Progress){c->err, what, isatty(fileno(c->err)) && !args_flag(args, OPTION_QUIET)};
}

void progress_show(void *progress, size_t done, size_t all)
{
    const Progress *p = progress;
    Phrase text;
    assert(done <= all);
    if (!p->shown)
        return;
    phrase_format(&text, language_spoken(), p->what, COUNTED(done), COUNTED(all), NULL);
    fprintf(p->out, "\r%s", done < all ? text.text : "\033[K");
    fflush(p->out);
}
