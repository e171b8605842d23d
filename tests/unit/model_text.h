/* Small models from lines of text, for tests:
 *
 *   x : 1 3 8 8                   an input of floats; without dimensions nobody knows them
 *   k = 0.5 2                     a constant, or several along one axis; "k = # 0 2" of int64
 *   w = [4 3 1 1]                 weights; "w = i8 [4 3 1 1]" of codes, "z = u8 128" a zero point
 *   a b = Split x axis=1 perm=0,2,1   an operator; an input or output "_" is left out
 *   -> y z                        the outputs */
#pragma once

#include "graph/infer/shape.h"
#include "tests/unit/model_build.h"

#include <stdio.h>

enum { COMMAND_WORDS_MAX = 96 };

static inline size_t text_words(char *line, char **word)
{
    size_t n = 0;
    for (char *save, *w = strtok_r(line, " ", &save); w && n < COMMAND_WORDS_MAX;
         w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    return n;
}

static inline IntAttr text_attr(char *word)
{
    char *value = strchr(word, '=');
    IntAttr ret = {.name = word};
    *value++ = '\0';
    do
        ret.v[ret.n++] = strtoll(value + (*value == ','), &value, 10);
    while (*value == ',');
    ret.n = ret.n > 1 || !strcmp(word, "axes") ? ret.n : 0;
    return ret;
}

/* Codes: zeros of a shape, or one number. */
static inline void text_codes(ModelBuild *m, const char *name, char **word, size_t n)
{
    Bytes_ t = {0};
    size_t count = 1;
    bool shape = word[1][0] == '[';
    for (size_t k = 1; shape && k < n; k++) {
        int64_t dim = strtoll(word[k] + (k == 1), NULL, 10);
        put_int(&t, 1, dim);
        count *= (size_t)dim;
    }
    put_int(&t, 2, word[0][0] == 'u' ? 2 : 3);
    put_text(&t, 8, name);
    uint8_t *code = calloc(count, 1);
    code[0] = shape ? 0 : (uint8_t)strtol(word[1], NULL, 10);
    put_raw(&t, 9, code, count);
    free(code);
    put_part(&m->graph, 5, &t);
}

static inline void text_constant(ModelBuild *m, const char *name, char **word, size_t n)
{
    float f[COMMAND_WORDS_MAX];
    int64_t i[COMMAND_WORDS_MAX];
    bool whole = word[0][0] == '#', shape = word[0][0] == '[';
    for (size_t k = 0; k < n; k++) {
        f[k] = strtof(word[k], NULL);
        i[k] = strtoll(word[k] + (shape && !k), NULL, 10);
    }
    if (shape)
        build_weight(m, name, i, n);
    else
        build_const(m, name, whole ? 7 : 1, n - whole, whole ? (void *)(i + 1) : f,
                    whole ? (n - 1) * sizeof *i : n * sizeof *f);
}

static inline void text_join(char *to, char **word, size_t n)
{
    *to = '\0';
    for (size_t k = 0; k < n; k++) {
        strcat(to, k ? " " : "");
        strcat(to, strcmp(word[k], "_") ? word[k] : "");
    }
}

static inline void text_line(ModelBuild *m, char *line)
{
    char *word[COMMAND_WORDS_MAX] = {NULL}, inputs[512], outputs[512];
    IntAttr attr[4];
    size_t n = text_words(line, word), at = 0, nattr = 0;
    while (at < n && strcmp(word[at], ":") && strcmp(word[at], "=") && strcmp(word[at], "->"))
        at++;
    if (!strcmp(word[at], "->")) {
        for (size_t k = at + 1; k < n; k++)
            build_output(m, word[k]);
    } else if (!strcmp(word[at], ":")) {
        int64_t dim[COMMAND_WORDS_MAX];
        for (size_t k = at + 1; k < n; k++)
            dim[k - at - 1] = strtoll(word[k], NULL, 10);
        build_input(m, word[0], 1, n > at + 1 ? dim : NULL, n - at - 1);
    } else if (!strcmp(word[at + 1], "u8") || !strcmp(word[at + 1], "i8")) {
        text_codes(m, word[0], word + at + 1, n - at - 1);
    } else if (strchr("#[-0123456789", word[at + 1][0])) {
        text_constant(m, word[0], word + at + 1, n - at - 1);
    } else {
        for (; strchr(word[n - 1], '='); n--)
            attr[nattr++] = text_attr(word[n - 1]);
        text_join(outputs, word, at);
        text_join(inputs, word + at + 2, n - at - 2);
        build_node(m, word[at + 1], inputs, outputs, attr, nattr);
    }
}

/* Shapes, types and values are known; NULL, and why, when it is no model. */
static inline Model *model_of(Arena *a, const char *text)
{
    ModelBuild b = {0};
    Notes *notes = ARENA_NEW(a, Notes);
    Diag diag = {0};
    char *copy = arena_strdup(a, text), *save;
    notes_init(notes, a);
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        text_line(&b, line);
    Model *m = build_load(&b, a, notes, &diag);
    if (m)
        shape_infer(m, NULL, 0, 0);
    else
        printf("  %s\n", diag.text);
    return m;
}
