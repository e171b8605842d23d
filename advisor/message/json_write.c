/* Writes a JSON tree with fixed indentation, escapes and digits. */
#include "advisor/message/json.h"

#include "advisor/message/plain.h"
#include "graph/base/file.h"
#include "graph/base/log_command.h"

enum { JSON_PRINT_DEPTH = 1000 }; /* as deep as cJSON reads */

/* \u202e; beyond the first plane as a pair of surrogates. */
static void put_escape(FILE *out, uint32_t c)
{
    assert(c <= 0x10ffff);
    if (c > 0xffff)
        fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)),
                (unsigned)(0xdc00 | (c & 0x3ff)));
    else
        fprintf(out, "\\u%04x", (unsigned)c);
}

/* Bytes at the beginning of `s` that need no escape. */
static size_t unescaped_length(const char *s)
{
    size_t n = 0;
    while (s[n] >= ' ' && s[n] < 0x7f && s[n] != '"' && s[n] != '\\' && !log_command_at(s + n))
        n++;
    return n;
}

static void put_string(FILE *out, const char *s)
{
    putc('"', out);
    while (*s) {
        size_t run = unescaped_length(s);
        if (run) {
            fwrite(s, 1, run, out);
            s += run;
            continue;
        }
        bool command = log_command_at(s);
        uint32_t c = plain_decode(&s);
        char utf8[5];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (int)c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (command || plain_is_invisible(c))
            put_escape(out, c);
        else
            fputs(plain_encode(utf8, c), out);
    }
    putc('"', out);
}

const char *json_number_text(char text[40], double v)
{
    if (!isfinite(v)) /* JSON cannot express it */
        return strcpy(text, "null");
    if (v == floor(v) && fabs(v) < 9007199254740992.0) {
        char *digit = &text[39];
        *digit = '\0';
        for (uint64_t rest = (uint64_t)fabs(v); rest || !*digit; rest /= 10)
            *--digit = (char)('0' + rest % 10);
        if (v < 0)
            *--digit = '-';
        return digit;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    return text;
}

static void put_indent(FILE *out, int depth)
{
    static const char blanks[] = "                                ";
    putc('\n', out);
    for (; depth > 0; depth -= 16)
        fwrite(blanks, 2, depth < 16 ? (size_t)depth : 16, out);
}

static void put_value(FILE *out, const cJSON *v, int depth, bool lines);

/* Arrays of plain numbers and strings ([1, 3, 640, 640]) stay on one line. */
static bool is_flat(const cJSON *v)
{
    for (const cJSON *c = v->child; c; c = c->next)
        if (cJSON_IsObject(c) || cJSON_IsArray(c))
            return false;
    return cJSON_IsArray(v);
}

static void put_members(FILE *out, const cJSON *v, int depth, bool lines)
{
    bool flat = !lines || is_flat(v);
    for (const cJSON *c = v->child; c; c = c->next) {
        if (!flat)
            put_indent(out, depth + 1);
        if (cJSON_IsObject(v)) {
            put_string(out, c->string ? c->string : "");
            fputs(lines ? ": " : ":", out);
        }
        put_value(out, c, depth + 1, lines);
        if (c->next)
            fputs(flat && lines ? ", " : ",", out);
    }
    if (v->child && !flat)
        put_indent(out, depth);
}

static void put_value(FILE *out, const cJSON *v, int depth, bool lines)
{
    if (cJSON_IsString(v)) {
        put_string(out, v->valuestring);
    } else if (cJSON_IsNumber(v)) {
        char text[40];
        fputs(json_number_text(text, v->valuedouble), out);
    } else if (cJSON_IsBool(v)) {
        fputs(cJSON_IsTrue(v) ? "true" : "false", out);
    } else if (cJSON_IsRaw(v)) {
        fputs(v->valuestring, out);
    } else if ((cJSON_IsObject(v) || cJSON_IsArray(v)) && depth < JSON_PRINT_DEPTH) {
        putc(cJSON_IsObject(v) ? '{' : '[', out);
        put_members(out, v, depth, lines);
        putc(cJSON_IsObject(v) ? '}' : ']', out);
    } else {
        fputs("null", out);
    }
}

void json_print(FILE *out, const cJSON *tree)
{
    put_value(out, tree, 0, true);
    putc('\n', out);
}

void json_print_part(FILE *out, const cJSON *tree)
{
    put_value(out, tree, 0, false);
}

void json_print_line(FILE *out, const cJSON *tree)
{
    json_print_part(out, tree);
    putc('\n', out);
}

Status json_save(const cJSON *tree, const char *path, FILE *out, Diag *diag)
{
    if (path[0] == '-' && !path[1]) {
        json_print(out, tree);
        return STATUS_OK;
    }
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    json_print(f.stream, tree);
    return file_out_commit(&f, diag);
}
