/* Formats an error as one line and keeps control characters out of it. */
#include "graph/base/diag.h"

#include "graph/base/log_command.h"
#include "graph/base/wording.h"

void text_make_visible(char *text)
{
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f || log_command_at(p))
            *p = '?';
}

enum { NAME_BYTES_MAX = DIAG_TEXT_SIZE / 4 };

/* Shortens a very long name to its end: the message needs room for the error itself. */
static void append_tail(Diag *d, const char *text, const char *separator)
{
    size_t used = strlen(d->text), n = text ? strlen(text) : 0;
    const char *from = n > NAME_BYTES_MAX ? text + n - NAME_BYTES_MAX : text;
    while (from && (*from & 0xC0) == 0x80) /* not in the middle of a character */
        from++;
    if (text)
        snprintf(d->text + used, sizeof d->text - used, "%s%s%s", from > text ? "…" : "", from,
                 separator);
}

Status diag_set(Diag *d, Status st, const char *file, const char *place, const char *fmt, ...)
{
    assert(st != STATUS_OK);
    d->text[0] = '\0';
    append_tail(d, file, ": ");
    append_tail(d, place ? wording_of(place) : NULL, ": ");
    size_t used = strlen(d->text);
    va_list ap;
    va_start(ap, fmt);
    wording_vprint(d->text + used, sizeof d->text - used, fmt, ap);
    va_end(ap);
    text_make_visible(d->text);
    return st;
}

int status_exit_code(Status st)
{
    static const int code[] = {
        [STATUS_OK] = 0, [STATUS_USAGE] = 2, [STATUS_INPUT] = 2, [STATUS_UNDECIDED] = 3};
    static_assert(sizeof code / sizeof *code == STATUS_UNDECIDED + 1, "a code for each status");
    assert(st <= STATUS_UNDECIDED);
    return code[st];
}
