/* Implements `npu-advise show RESULT`, which prints a saved result in any form, without running its
 * gate.  The author of the file also wrote its gate, so the exit status is always 0. */
#include "advisor/cli/output.h"

Status cmd_show(Context *c, const Args *args)
{
    View view;
    const Result *result = NULL;
    Status st = args_positional(args, 1, 1, "RESULT", c->diag);
    st = st ? st : result_load(c->arena, args->positional[0], &result, c->diag);
    if (!st && args_last(args, OPTION_LANG) && strcmp(language_tag(c->language), result->language))
        st = diag_set(c->diag, STATUS_USAGE, args->positional[0], NULL,
                      "its sentences are in '%s': run its command again with --lang %s",
                      result->language, language_tag(c->language));
    st = st ? st : view_of_result(c, args, result, &view);
    if (!st) {
        view.again = NULL;
        view.front = true;
        output_notes(c, result);
        st = output_result(c, args, result, &view);
    }
    return st;
}
