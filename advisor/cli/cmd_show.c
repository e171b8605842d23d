/* Implements `npu-advise show RESULT`, which prints a saved result in any form, without running its
 * gate.  The author of the file also wrote its gate, so the exit status is always 0. */
#include "advisor/act/gate/gate.h"
#include "advisor/cli/output.h"
#include "advisor/report/command_words.h"
#include "graph/onnx/onnx.h"
#include "graph/options/option.h"

/* The words for apply: the result, and its model, which is looked for beside it. */
static const char *apply_words(Arena *a, const char *path, const Result *r)
{
    int folder = (int)(file_base_name(path) - path);
    const char *beside = arena_printf(a, "%.*s%s", folder, path, r->model.file);
    const char *model = access(beside, R_OK) ? r->model.file : beside;
    return arena_printf(a, "%s %s %s", command_shell_word(a, model), option_flag(OPTION_RESULT),
                        command_shell_word(a, path));
}

Status cmd_show(Context *c, const Args *args)
{
    const Result *result = NULL;
    Status st = args_positional(args, 1, 1, "RESULT", c->diag);
    if (!st && onnx_begins(args->positional[0]))
        st = diag_set(c->diag, STATUS_USAGE, args->positional[0], NULL,
                      "is an ONNX model; `npu-advise MODEL --json FILE` writes a result");
    st = st ? st : result_load(c->arena, args->positional[0], &result, c->diag);
    if (!st && args_last(args, OPTION_LANG) && strcmp(language_tag(c->language), result->language))
        st = diag_set(c->diag, STATUS_USAGE, args->positional[0], NULL,
                      "its sentences are in '%s': run its command again with --lang %s",
                      result->language, language_tag(c->language));
    if (!st) {
        const char *path = args->positional[0];
        View view = view_of_result(c, args, result);
        view.again = NULL;
        view.again_apply = strcmp(path, "-") ? apply_words(c->arena, path, result) : NULL;
        view.front = true;
        c->exit_code = gate_exit_code(&result->gate, 0);
        st = output_result(c, args, result, &view);
        c->exit_code = 0;
    }
    return st;
}
