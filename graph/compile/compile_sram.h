/* Schedules weights and activations in SRAM. Shared by compile_sram.c, compile_spill.c and
 * compile_boxes.c. */
#pragma once

#include "graph/compile/compile_emit.h"

typedef struct {
    CompileEmit *e;
    Program *p;
    int64_t parts;     /* the task works on its images in so many groups, one after the other */
    int64_t arena;     /* SRAM of the program */
    int64_t act_cap;   /* what activations may take */
    LowOpId npinned;   /* ops below it have their weights pinned */
    int64_t pinned;    /* bytes of those */
    int64_t *live;     /* per op: activations, views counted once */
    uint32_t *by_rank; /* roots, the first to be spilled first */
    uint32_t nroot;
    bool *spilled; /* per buffer */
    size_t box_cap;
} Sram;

/* SRAM that the weights of an op take while they stream: large ones come in parts. */
int64_t sram_stream_bytes(const Sram *s, size_t op);

/* Needs: live.  Sets: act_cap, npinned, pinned: the longest prefix of ops whose weights can be
 * pinned; the rest streams one op ahead. */
void sram_pin_weights(Sram *s);

/* Needs: live, act_cap, by_rank.  Sets: spilled. */
void sram_choose_spilled(Sram *s);

/* Sets the program's boxes; a buffer for which only pieces of room are left is spilled too. */
void sram_place(Sram *s);
