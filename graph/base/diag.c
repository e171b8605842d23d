/* Errors and notes: one line each. */
#include "graph/base/diag.h"

#include "graph/base/log_command.h"

#include <stdio.h>
#include <string.h>

/* Control characters would forge lines or colours in a terminal and in CI logs. */
static void make_visible(char *text)
{
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f || log_command_at(p))
            *p = '?';
}

static void append(Diag *d, const char *text, const char *separator)
{
    size_t used = strlen(d->text);
    if (text)
        snprintf(d->text + used, sizeof d->text - used, "%s%s", text, separator);
}

Status diag_set(Diag *d, Status st, const char *file, const char *place, const char *fmt, ...)
{
    d->text[0] = '\0';
    append(d, file, ": ");
    append(d, place, ": ");
    size_t used = strlen(d->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(d->text + used, sizeof d->text - used, fmt, ap);
    va_end(ap);
    make_visible(d->text);
    return st;
}

int status_exit_code(Status st)
{
    static const int code[] = {
        [STATUS_OK] = 0, [STATUS_USAGE] = 2, [STATUS_INPUT] = 2, [STATUS_UNDECIDED] = 3};
    return code[st];
}

void notes_init(Notes *n, Arena *a)
{
    *n = (Notes){.arena = a};
}

void notes_add(Notes *n, const char *cause, const char *fmt, ...)
{
    if (!n->by_cause.cap)
        strmap_init(&n->by_cause, n->arena, 16);
    if (strmap_get(&n->by_cause, cause) != STRMAP_NONE)
        return;
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(n->arena, fmt, ap);
    va_end(ap);
    make_visible(text);
    const char *key = arena_strdup(n->arena, cause);
    strmap_put(&n->by_cause, key, (uint32_t)n->nnote);
    *VEC_PUSH(n->arena, n->note, n->nnote, n->cap) = (Note){.cause = key, .text = text};
}
