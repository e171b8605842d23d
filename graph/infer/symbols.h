/* Tracks which symbolic dimensions are equal or have a known number. A symbol is a name for one
 * number. Two symbols that must be equal become one; a symbol that must be a number becomes it. */
#pragma once

#include "graph/model/model.h"

typedef struct {
    const char *name;
    uint32_t parent; /* itself if it represents its class */
    int64_t value;   /* of a class: DIM_UNKNOWN until a number is known */
} Symbol;

typedef struct {
    Arena *arena;
    StrMap by_name;
    Symbol *item;
    size_t nitem, cap;
    bool changed; /* something was bound or equated: shapes stored earlier are to be resolved */
} Symbols;

void symbols_init(Symbols *s, Arena *a);

/* Gives the symbol a value; false when it has another one already. */
bool symbols_bind(Symbols *s, const char *name, int64_t value);

/* The dimension with its symbol replaced by the number or by the symbol of its class. */
Dim symbols_resolve(Symbols *s, Dim d);

/* Makes two dimensions equal; anonymous unknowns agree with anything.  False when both are numbers
 * and differ.  *ret is the better known of the two. */
bool symbols_equate(Symbols *s, Dim a, Dim b, Dim *ret);
