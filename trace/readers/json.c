/* Finds the events in a JSON text, which are in an array, in an object, or one per line. The
 * text is walked in the window, never as a tree. */
#include "trace/readers/readers.h"

static Status read_more(TraceRead *r)
{
    const TraceReadOptions *o = r->options;
    uint64_t read = source_offset(&r->source);
    if (o->progress && read >= r->next_progress) {
        if (r->next_progress > 0)
            o->progress(o->progress_user, r->info.path, read);
        r->next_progress = read + PROGRESS_BYTES;
    }
    return source_more(&r->source, TRACE_MAX_TOKEN_BYTES, r->diag);
}

/* The next character that is not space, which stays unread; NUL at the end of the file. */
static Status peek_char(TraceRead *r, char *ret)
{
    Source *s = &r->source;
    for (;;) {
        s->p = scan_space(s->p, s->end);
        if (s->p < s->end || s->eof) {
            *ret = s->p < s->end ? *s->p : '\0';
            return STATUS_OK;
        }
        Status st = read_more(r);
        if (st)
            return st;
    }
}

static Status too_deep(TraceRead *r)
{
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                    "byte %" PRIu64 ": nested deeper than %d levels", source_offset(&r->source),
                    TRACE_MAX_DEPTH);
}

/* Where skip_value stands inside a value that may be longer than the window. */
typedef struct {
    int depth;
    bool in_string, escaped, started;
} Skip;

/* Goes on through the window; true when the value is over. */
static bool skip_on(Skip *k, const char **p, const char *end)
{
    const char *q = *p;
    for (; q < end; q++) {
        char c = *q;
        if (k->in_string) {
            k->in_string = k->escaped || c != '"';
            k->escaped = !k->escaped && c == '\\';
        } else if (k->depth == 0 && k->started && strchr(",]}: \t\n\r", c)) {
            break;
        } else {
            k->started = true;
            k->in_string = c == '"';
            k->depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        }
        if (k->depth > TRACE_MAX_DEPTH)
            break;
    }
    *p = q;
    return q < end;
}

/* Skips one value of any length.  At the end of the file it is simply over. */
static Status skip_value(TraceRead *r)
{
    Skip k = {0};
    while (!skip_on(&k, &r->source.p, r->source.end)) {
        if (r->source.eof)
            return STATUS_OK;
        Status st = read_more(r);
        if (st)
            return st;
    }
    return k.depth > TRACE_MAX_DEPTH ? too_deep(r) : STATUS_OK;
}

/* Whether the object at p is closed before the next event seems to begin. */
static bool is_closed(const Source *s, const char **ret_next)
{
    const char *inside = scan_find_event(s->p + 1, s->end);
    return scan_skip(s->p, inside ? inside : s->end, ret_next) == SCAN_OK;
}

/* To where an event begins again after the broken one at p, or to the end of the file. */
static Status skip_to_event(TraceRead *r)
{
    enum { OVERLAP = 64 }; /* what of a beginning may be in the window */
    Source *s = &r->source;
    uint64_t from = source_offset(s);
    const char *at;
    while (!(at = scan_find_event(s->p + 1, s->end)) && !s->eof) {
        if (s->end - s->p > OVERLAP)
            s->p = s->end - OVERLAP;
        Status st = read_more(r);
        if (st)
            return st;
    }
    s->p = at ? at : s->end;
    while (at && s->p > s->base && ((unsigned char)s->p[-1] <= ' ' || s->p[-1] == ','))
        s->p--; /* what separates it from the one before is read again */
    r->info.repairs.skipped_bytes += source_offset(s) - from;
    return STATUS_OK;
}

/* The object at p is no JSON.  What of it was understood counts where it is an event. */
static Status recover_event(TraceRead *r, const Event *e)
{
    const char *next;
    r->info.events++;
    if (is_closed(&r->source, &next)) {
        r->info.repairs.bad_event++;
        r->source.p = next;
        return STATUS_OK;
    }
    if (e && e->phase && e->has_time && (e->has_duration || e->phase != 'X'))
        reader_chrome_event(r, e);
    else
        r->info.repairs.bad_event++;
    return skip_to_event(r);
}

/* An object that does not end in the window, or at all. */
static Status read_on(TraceRead *r, Scan sc, bool *ret_broken)
{
    Source *s = &r->source;
    bool full = s->end - s->p >= TRACE_MAX_TOKEN_BYTES;
    *ret_broken = (sc == SCAN_DEEP || s->eof || full) && scan_find_event(s->p + 1, s->end);
    if (*ret_broken)
        return STATUS_OK;
    if (sc == SCAN_DEEP)
        return too_deep(r);
    if (!s->eof)
        return read_more(r);
    s->p = s->end;
    r->info.repairs.unterminated++;
    return STATUS_OK;
}

/* One object of the array, whole in the window. */
static Status read_object(TraceRead *r)
{
    Source *s = &r->source;
    Event event;
    const char *next;
    Scan sc;
    bool text = r->reader->element != NULL, broken = false;
    while ((sc = text ? scan_skip(s->p, s->end, &next) : scan_event(s->p, s->end, &event, &next)) ==
               SCAN_MORE ||
           sc == SCAN_DEEP) {
        Status st = read_on(r, sc, &broken);
        if (st || s->p == s->end)
            return st;
        if (broken)
            break;
    }
    if (sc)
        return recover_event(r, text || broken ? NULL : &event);
    r->info.events++;
    if (text)
        r->reader->element(r, s->p, (size_t)(next - s->p));
    else
        reader_chrome_event(r, &event);
    s->p = next;
    return STATUS_OK;
}

static Status end_of_file(TraceRead *r)
{
    r->info.repairs.unterminated++;
    return STATUS_OK;
}

/* Reads from after the `[` to after the `]`. */
static Status read_array(TraceRead *r)
{
    bool comma = false, first = true;
    for (;; first = false) {
        char c;
        Status st = peek_char(r, &c);
        if (st)
            return st;
        if (c == '\0' && r->source.p >= r->source.end)
            return end_of_file(r);
        if (c == ']') {
            r->source.p++;
            r->info.repairs.trailing_comma += comma;
            return STATUS_OK;
        }
        if (c == ',') {
            r->source.p++;
            r->info.repairs.trailing_comma += comma || first;
            comma = true;
            continue;
        }
        r->info.repairs.missing_comma += !comma && !first;
        comma = false;
        if (c == '}' || c == ':') { /* belongs to nothing */
            r->info.repairs.bad_event++;
            r->source.p++;
        } else if ((st = c == '{' ? read_object(r) : skip_value(r))) {
            return st;
        }
        if (r->too_many_open)
            return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                            "byte %" PRIu64 ": more than %d spans are open at once",
                            source_offset(&r->source), PAIR_MAX_OPEN);
    }
}

static Status read_key(TraceRead *r, bool *ret_events)
{
    Source *s = &r->source;
    Text key;
    Scan sc;
    const char *next;
    while ((sc = scan_string(s->p, s->end, &key, &next)) == SCAN_MORE && !s->eof) {
        Status st = read_more(r);
        if (st)
            return st;
    }
    *ret_events = sc == SCAN_OK && (text_is(&key, "traceEvents") || text_is(&key, "Layers"));
    s->p = sc == SCAN_OK ? next : s->end;
    return STATUS_OK;
}

/* Reads from after the colon. */
static Status read_member(TraceRead *r, bool events)
{
    char c;
    Status st = peek_char(r, &c);
    if (st || r->source.p >= r->source.end)
        return st;
    if (!events || c != '[')
        return skip_value(r);
    r->source.p++;
    return read_array(r);
}

/* Reads from after the `{` to after the `}`. */
static Status read_holder(TraceRead *r)
{
    bool comma = false, events = false;
    for (;;) {
        char c;
        Status st = peek_char(r, &c);
        if (st)
            return st;
        if (r->source.p >= r->source.end)
            return end_of_file(r);
        if (c == '"') {
            st = read_key(r, &events);
            comma = false;
        } else if (c == '{' || c == '[') {
            st = skip_value(r);
        } else {
            r->source.p++;
            r->info.repairs.trailing_comma += c == '}' && comma;
            comma = c == ',';
            if (c == ':')
                st = read_member(r, events);
        }
        if (st || c == '}')
            return st;
    }
}

/* An event at the very top: one per line, or many without brackets around them. */
static bool begins_with_event(TraceRead *r)
{
    enum { LONGEST = 64 << 10 };
    Event event;
    const char *p = r->source.p, *end = r->source.end, *next;
    return scan_event(p, end - p > LONGEST ? p + LONGEST : end, &event, &next) == SCAN_OK &&
           event.phase;
}

static Status read_lines(TraceRead *r)
{
    for (;;) {
        char c;
        Status st = peek_char(r, &c);
        if (st || r->source.p >= r->source.end)
            return st;
        if (c == '{') {
            st = read_object(r);
        } else {
            r->source.p++;
            r->info.repairs.bad_event += c != ',';
        }
        if (st)
            return st;
    }
}

Status reader_read_json(TraceRead *r)
{
    char c;
    Status st = peek_char(r, &c);
    if (!st && c == '{' && begins_with_event(r)) {
        st = read_lines(r);
    } else if (!st && (c == '[' || c == '{')) {
        r->source.p++;
        st = c == '[' ? read_array(r) : read_holder(r);
    } else if (!st) {
        st = skip_value(r); /* valid JSON may be a lone scalar */
    }
    st = st ? st : peek_char(r, &c);
    if (st)
        return st;
    r->info.repairs.trailing_bytes += r->source.p < r->source.end;
    while (!st && !r->source.eof) { /* the check and the hash want all of it */
        r->source.p = r->source.end;
        st = read_more(r);
    }
    return st;
}
