/* Holds the table of known keys and parses files of keys and values. */
#include "graph/compile/compiler_config.h"

#include "graph/options/suggest.h"
#include "graph/base/messages.h"

enum { CONFIG_LIMIT_BYTES = 1 << 20, CONFIG_MAX_KEYS = 1000 };

typedef enum { VALUE_ANY, VALUE_BOOL } ValueKind;

typedef struct {
    const char *key;
    ValueKind kind;
    Sdk since, until;
} ConfigKey;

static const ConfigKey config_key[] = {
#define KEY(name, kind, since, until) {name, VALUE_##kind, since, until},
#include "graph/compile/compiler_keys.def"
};
enum { CONFIG_KEY_COUNT = sizeof config_key / sizeof *config_key };

bool compiler_config_moves_work(const char *key)
{
    return strcmp(key, KEY_REMOVE_LOWER) == 0 || strcmp(key, KEY_REMOVE_UNLOWER) == 0;
}

static const char *nearest_config_key(const char *word)
{
    const char *key[CONFIG_KEY_COUNT];
    for (size_t i = 0; i < CONFIG_KEY_COUNT; i++)
        key[i] = config_key[i].key;
    return suggest_nearest(word, key, CONFIG_KEY_COUNT);
}

const char *compiler_config_get(const CompileOptions *o, const char *key)
{
    for (size_t i = o->nconfig; i-- > 0;)
        if (strcmp(o->compiler_config[i].key, key) == 0)
            return o->compiler_config[i].value;
    return NULL;
}

bool compiler_config_on(const CompileOptions *o, const char *key)
{
    const char *v = compiler_config_get(o, key);
    return v && strcasecmp(v, "true") == 0;
}

static Status refuse_key(Arena *a, Diag *diag, Sdk sdk, const char *key, const Message *fact)
{
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "--compiler-config: SDK %s refuses '%s': %s",
                    sdk_text(sdk), key, message_format(a, NULL, fact));
}

static Status check_unknown(const CompileOptions *o, const char *key, Notes *notes, Diag *diag)
{
    const char *meant = nearest_config_key(key);
    const Message *fact = meant
                              ? MESSAGE(notes->arena, MESSAGE_ID(KEY_UNKNOWN_NEAR), arg_text(meant))
                              : MESSAGE(notes->arena, MESSAGE_ID(KEY_UNKNOWN));
    if (o->sdk >= 10)
        return refuse_key(notes->arena, diag, o->sdk, key, fact);
    notes_add(notes, arena_printf(notes->arena, "compiler-config-%s", key),
              MESSAGE_ID(KEY_WITHOUT_EFFECT), arg_text(key), arg_message(fact),
              arg_text(sdk_text(o->sdk)));
    return STATUS_OK;
}

static Status check_one(const CompileOptions *o, const KeyValue *kv, Notes *notes, Diag *diag)
{
    const ConfigKey *k =
        LIST_FIND(i, config_key, CONFIG_KEY_COUNT, strcmp(config_key[i].key, kv->key) == 0);
    if (!k)
        return check_unknown(o, kv->key, notes, diag);
    bool in_sdk = o->sdk >= k->since && (!k->until || o->sdk < k->until);
    Arena *a = notes->arena;
    const Message *range = k->until && o->sdk >= k->until
                               ? MESSAGE(a, MESSAGE_ID(KEY_REMOVED), arg_text(sdk_text(k->until)))
                               : MESSAGE(a, MESSAGE_ID(KEY_SINCE), arg_text(sdk_text(k->since)));
    if (!in_sdk && o->sdk >= 10)
        return refuse_key(a, diag, o->sdk, kv->key, range);
    if (!in_sdk)
        notes_add(notes, arena_printf(a, "compiler-config-%s", kv->key),
                  MESSAGE_ID(KEY_WITHOUT_EFFECT_ON_SDK), arg_text(kv->key),
                  arg_text(sdk_text(o->sdk)), arg_message(range));
    if (k->kind == VALUE_BOOL && strcasecmp(kv->value, "true") != 0 &&
        strcasecmp(kv->value, "false") != 0 && o->sdk >= 10)
        return refuse_key(a, diag, o->sdk, kv->key, MESSAGE(a, MESSAGE_ID(KEY_BOOL)));
    return STATUS_OK;
}

Status compiler_config_check(const CompileOptions *o, Notes *notes, Diag *diag)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < o->nconfig && !st; i++)
        st = check_one(o, &o->compiler_config[i], notes, diag);
    return st;
}

/* Reading: entries "key: value" end at a comma or line outside brackets and quotes; lines that are
 * indented or begin with '-' belong to the entry above.  Enough for the SDK's samples. */
typedef struct {
    Arena *arena;
    const char *path;
    const char *p, *end;
    KeyValue *pair;
    size_t n, cap;
} Reader;

static void skip_blank(Reader *r)
{
    while (r->p < r->end) {
        if (*r->p == '#') {
            while (r->p < r->end && *r->p != '\n')
                r->p++;
        } else if (isspace((unsigned char)*r->p) || *r->p == ',') {
            r->p++;
        } else {
            return;
        }
    }
}

static const char *trim_item(Arena *a, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from >= 2 && (*from == '"' || *from == '\'') && to[-1] == *from)
        from++, to--;
    return arena_strndup(a, from, (size_t)(to - from));
}

/* The end of the value at r->p; a comment after it is not part of it. */
static const char *value_end(const Reader *r)
{
    int depth = 0;
    char quote = 0;
    for (const char *s = r->p; s < r->end; s++) {
        if (quote) {
            quote = *s == quote ? 0 : quote;
        } else if (*s == '"' || *s == '\'') {
            quote = *s;
        } else if (*s == '[' || *s == '{') {
            depth++;
        } else if (*s == ']' || *s == '}') {
            if (depth-- == 0)
                return s;
        } else if (depth == 0 && (*s == ',' || (*s == '#' && isspace((unsigned char)s[-1])))) {
            return s;
        } else if (depth == 0 && *s == '\n') {
            const char next = s + 1 < r->end ? s[1] : '\n';
            if (next != ' ' && next != '\t' && next != '-')
                return s;
        }
    }
    return r->end;
}

/* Block lists of flow lists, "- [0, 3, 1, 2]" per line, become one flow list. */
static const char *flow_list(Arena *a, const char *value)
{
    if (value[0] != '-')
        return value;
    const char *out = "";
    for (const char *s = value; s && *s;) {
        const char *line = s + strspn(s, " \t-"), *end = strchr(line, '\n');
        const char *item = trim_item(a, line, end ? end : line + strlen(line));
        out = arena_printf(a, "%s%s%s", out, *out ? "," : "", item);
        s = end ? end + 1 : NULL;
    }
    return arena_printf(a, "[%s]", out);
}

static Status entry_read(Reader *r, Diag *diag)
{
    const char *colon = memchr(r->p, ':', (size_t)(r->end - r->p));
    const char *line = memchr(r->p, '\n', (size_t)(r->end - r->p));
    if (r->n == CONFIG_MAX_KEYS)
        return diag_set(diag, STATUS_USAGE, r->path, NULL,
                        "a compiler configuration has at most %d entries", CONFIG_MAX_KEYS);
    if (!colon || (line && line < colon))
        return diag_set(diag, STATUS_USAGE, r->path, NULL,
                        "not a compiler configuration: expected lines of KEY: VALUE");
    const char *key = trim_item(r->arena, r->p, colon);
    r->p = colon + 1;
    const char *end = value_end(r);
    const char *value = flow_list(r->arena, trim_item(r->arena, r->p, end));
    r->p = end < r->end && *end != '}' && *end != '#' ? end + 1 : end;
    *VEC_PUSH(r->arena, r->pair, r->n, r->cap) = (KeyValue){key, value};
    return STATUS_OK;
}

static Status entries_read(Reader *r, Diag *diag)
{
    skip_blank(r);
    bool braces = r->p < r->end && *r->p == '{';
    r->p += braces;
    for (;;) {
        skip_blank(r);
        if (r->end - r->p >= 3 && memcmp(r->p, "---", 3) == 0) {
            r->p += 3;
            continue;
        }
        if (r->p == r->end || (braces && *r->p == '}'))
            return STATUS_OK;
        Status st = entry_read(r, diag);
        if (st)
            return st;
    }
}

Status compiler_config_read(Arena *a, const char *path, KeyValue **ret, size_t *ret_n, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, CONFIG_LIMIT_BYTES, diag);
    if (st)
        return st;
    if (f.size > CONFIG_LIMIT_BYTES) {
        file_in_close(&f);
        return diag_set(diag, STATUS_USAGE, path, NULL,
                        "a compiler configuration has at most %d bytes", CONFIG_LIMIT_BYTES);
    }
    const char *text = arena_strndup(a, f.data ? (const char *)f.data : "", f.size);
    file_in_close(&f);
    Reader r = {.arena = a, .path = path, .p = text, .end = text + strlen(text)};
    st = entries_read(&r, diag);
    if (st)
        return st;
    *ret = r.pair;
    *ret_n = r.n;
    return STATUS_OK;
}
