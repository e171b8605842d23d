/* Small models made in memory, for tests: a wire-level writer of ModelProto. */
#pragma once

#include "graph/base/notes.h"
#include "graph/onnx/onnx.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *data;
    size_t size, cap;
} Bytes_;

static inline void put_byte(Bytes_ *b, uint8_t v)
{
    if (b->size == b->cap)
        b->data = realloc(b->data, b->cap = b->cap ? 2 * b->cap : 256);
    b->data[b->size++] = v;
}

static inline void put_varint(Bytes_ *b, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        put_byte(b, (uint8_t)(v | 128));
    put_byte(b, (uint8_t)v);
}

static inline void put_int(Bytes_ *b, unsigned field, int64_t v)
{
    put_varint(b, field << 3);
    put_varint(b, (uint64_t)v);
}

static inline void put_raw(Bytes_ *b, unsigned field, const void *data, size_t n)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, n);
    for (size_t i = 0; i < n; i++)
        put_byte(b, ((const uint8_t *)data)[i]);
}

static inline void put_text(Bytes_ *b, unsigned field, const char *s)
{
    put_raw(b, field, s, strlen(s));
}

/* Closes `part` into `b` as a message of this field. */
static inline void put_part(Bytes_ *b, unsigned field, Bytes_ *part)
{
    put_raw(b, field, part->data, part->size);
    free(part->data);
    *part = (Bytes_){0};
}

typedef struct {
    Bytes_ graph;
} ModelBuild;

static inline void build_value(ModelBuild *m, unsigned field, const char *name, int type,
                               const int64_t *dim, size_t rank)
{
    Bytes_ value = {0}, proto = {0}, tensor = {0}, shape = {0};
    for (size_t i = 0; i < rank; i++) {
        Bytes_ d = {0};
        put_int(&d, 1, dim[i]);
        put_part(&shape, 1, &d);
    }
    put_int(&tensor, 1, type);
    if (dim)
        put_part(&tensor, 2, &shape);
    put_part(&proto, 1, &tensor);
    put_text(&value, 1, name);
    put_part(&value, 2, &proto);
    put_part(&m->graph, field, &value);
}
#define DIMS(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

static inline void build_input(ModelBuild *m, const char *name, int type, const int64_t *dim,
                               size_t rank)
{
    build_value(m, 11, name, type, dim, rank);
}

static inline void build_output(ModelBuild *m, const char *name)
{
    build_value(m, 12, name, 1, NULL, 0);
}

/* A float32 initializer of zeros. */
static inline void build_weight(ModelBuild *m, const char *name, const int64_t *dim, size_t rank)
{
    Bytes_ t = {0};
    size_t n = 4;
    for (size_t i = 0; i < rank; i++) {
        put_int(&t, 1, dim[i]);
        n *= (size_t)dim[i];
    }
    put_int(&t, 2, 1);
    put_text(&t, 8, name);
    uint8_t *zero = calloc(n, 1);
    put_raw(&t, 9, zero, n);
    free(zero);
    put_part(&m->graph, 5, &t);
}

/* An initializer of so many numbers, of one axis where there are several. */
static inline void build_const(ModelBuild *m, const char *name, int type, size_t n,
                               const void *data, size_t nbyte)
{
    Bytes_ t = {0};
    if (n > 1)
        put_int(&t, 1, (int64_t)n);
    put_int(&t, 2, type);
    put_text(&t, 8, name);
    put_raw(&t, 9, data, nbyte);
    put_part(&m->graph, 5, &t);
}

typedef struct {
    const char *name;
    int64_t v[8];
    size_t n; /* 0: an int, v[0] */
} IntAttr;

/* Inputs and outputs separated by blanks. */
static inline void build_node(ModelBuild *m, const char *op, const char *inputs,
                              const char *outputs, const IntAttr *attr, size_t nattr)
{
    Bytes_ node = {0};
    const char *lists[] = {inputs, outputs};
    for (unsigned k = 0; k < 2; k++)
        for (const char *p = lists[k]; *p;) {
            size_t len = strcspn(p, " ");
            put_raw(&node, k + 1, p, len);
            p += len + (p[len] == ' ');
        }
    put_text(&node, 3, outputs);
    put_text(&node, 4, op);
    for (size_t i = 0; i < nattr; i++) {
        Bytes_ a = {0};
        put_text(&a, 1, attr[i].name);
        if (attr[i].n == 0)
            put_int(&a, 3, attr[i].v[0]);
        for (size_t k = 0; k < attr[i].n; k++)
            put_int(&a, 8, attr[i].v[k]);
        put_int(&a, 20, attr[i].n ? 7 : 2);
        put_part(&node, 5, &a);
    }
    put_part(&m->graph, 1, &node);
}

/* The whole file; the caller frees its data. */
static inline Bytes_ build_model(ModelBuild *m)
{
    Bytes_ model = {0}, opset = {0};
    put_int(&model, 1, 7);
    put_int(&opset, 2, 13);
    put_part(&model, 8, &opset);
    put_part(&model, 7, &m->graph);
    return model;
}

/* Loads what was built; the bytes belong to the arena. NULL on failure. */
static inline Model *build_load(ModelBuild *m, Arena *a, Notes *notes, Diag *diag)
{
    Bytes_ model = build_model(m);
    uint8_t *copy = arena_alloc(a, model.size);
    memcpy(copy, model.data, model.size);
    Model *ret = NULL;
    if (onnx_load_bytes(a, "built", copy, model.size, notes, &ret, diag))
        ret = NULL;
    free(model.data);
    return ret;
}
