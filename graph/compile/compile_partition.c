/* Groups NPU ops into segments, as large as the order of host ops allows.
 *
 * A segment runs as one task, so nothing it reads may depend on a host op that reads from it.  Each
 * op gets a level: host ops that an NPU op waits for, chained, counted along the worst path.  NPU
 * ops of one level can run together; connected ones are one segment.  Levels are first as early as
 * possible; then whole pieces move later, to the level of who reads them, where no host op of an
 * earlier level waits for them, and what is still apart is tried pair by pair (compile_merge.c).
 * Everything is linear in the edges. */
#include "graph/compile/compile_partition.h"

#include "graph/base/messages.h"

enum { LEVEL_LAST = INT32_MAX - 1, ROUNDS = 4 };

typedef struct {
    Compile *c;
    int32_t
        *level; /* per op: NPU ops 0.., host ops the level of the NPU ops that come before, -1 */
    uint32_t *piece; /* per NPU op: connected ops of its level */
    int32_t *piece_level;
    uint32_t npiece;
} Partition;

static bool is_npu(const Partition *p, IrId i)
{
    return p->c->ir[i].on_npu && !p->c->ir[i].merged;
}

static void set_levels(Partition *p)
{
    const Compile *c = p->c;
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        int32_t level = op->on_npu ? 0 : -1;
        for (uint32_t k = 0; !op->merged && k < op->nin; k++) {
            IrId from = c->value[op->in[k]].producer;
            if (from == IR_NONE)
                continue;
            int32_t at = p->level[from] + (op->on_npu && !c->ir[from].on_npu);
            level = at > level ? at : level;
        }
        p->level[i] = level;
    }
}

static uint32_t find_root(uint32_t *up, uint32_t i)
{
    while (up[i] != i) {
        up[i] = up[up[i]];
        i = up[i];
    }
    return i;
}

/* The smaller root wins, so that a piece is named by its first op. */
static void union_sets(uint32_t *up, uint32_t a, uint32_t b)
{
    a = find_root(up, a);
    b = find_root(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

/* NPU ops of equal level that a value connects: its maker and its readers. */
static void connect_levels(const Partition *p, uint32_t *up)
{
    const Compile *c = p->c;
    uint32_t *seen = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 2); /* per level: value + 1 … */
    IrId *who = ARENA_ARRAY(c->scratch, IrId, c->nir + 2);          /* … and the op that has it */
    for (uint32_t v = 0; v < c->nvalue; v++) {
        const CompileValue *value = &c->value[v];
        for (uint32_t u = 0; u <= value->nuser; u++) {
            IrId op = u ? value->user[u - 1] : value->producer;
            if (op == IR_NONE || !is_npu(p, op))
                continue;
            int32_t level = p->level[op];
            if (seen[level] == v + 1)
                union_sets(up, who[level], op);
            seen[level] = v + 1;
            who[level] = op;
        }
    }
}

/* Numbers the connected NPU ops of equal level. */
static void set_pieces(Partition *p)
{
    const Compile *c = p->c;
    uint32_t *up = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 1);
    for (size_t i = 0; i < c->nir; i++)
        up[i] = (uint32_t)i;
    connect_levels(p, up);
    p->npiece = 0;
    for (size_t i = 0; i < c->nir; i++) {
        if (!is_npu(p, (IrId)i))
            continue;
        uint32_t root = find_root(up, (uint32_t)i);
        p->piece[i] = root == i ? p->npiece++ : p->piece[root];
        p->piece_level[p->piece[i]] = p->level[i];
    }
}

/* What limits how late something can run. */
typedef struct {
    int32_t bound; /* latest level that serves all who read it */
    int32_t npu;   /* smallest level of the NPU ops that read it, LEVEL_LAST for none */
} Late;

static void late_use(const Partition *p, const Late *late_host, IrId from, IrId user, Late *l)
{
    int32_t at;
    if (is_npu(p, user)) {
        if (is_npu(p, from) && p->piece[user] == p->piece[from])
            return;
        at = p->piece_level[p->piece[user]];
        l->npu = at < l->npu ? at : l->npu;
        at -= !is_npu(p, from); /* a host op comes before the level that it feeds */
    } else {
        at = late_host[user].bound;
    }
    l->bound = at < l->bound ? at : l->bound;
}

static Late late_of(const Partition *p, const Late *late_host, IrId i)
{
    const Compile *c = p->c;
    const Ir *op = &c->ir[i];
    Late l = {LEVEL_LAST, LEVEL_LAST};
    for (uint32_t k = 0; k < op->nout; k++) {
        const CompileValue *v = op->out[k] == VALUE_NONE ? NULL : &c->value[op->out[k]];
        for (uint32_t u = 0; v && u < v->nuser; u++)
            late_use(p, late_host, i, v->user[u], &l);
    }
    return l;
}

/* Ops sorted so that every reader comes before what it reads, pieces in one run each: by level
 * downwards, host ops of a level before its pieces, later ops first. */
static uint32_t *late_order(const Partition *p, size_t *ret_count)
{
    const Compile *c = p->c;
    int32_t top = 0;
    for (size_t i = 0; i < c->nir; i++)
        top = p->level[i] > top ? p->level[i] : top;
    size_t nbucket = 2 * ((size_t)top + 2), n = 0;
    uint32_t *start = ARENA_ARRAY(c->scratch, uint32_t, nbucket + 1);
    uint32_t *order = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 1);
#define BUCKET(i) (2 * (size_t)(top - p->level[i]) + (is_npu(p, (IrId)(i)) ? 1 : 0))
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            start[BUCKET(i) + 1]++, n++;
    for (size_t b = 0; b < nbucket; b++)
        start[b + 1] += start[b];
    for (size_t i = c->nir; i-- > 0;)
        if (!c->ir[i].merged)
            order[start[BUCKET(i)]++] = (uint32_t)i;
#undef BUCKET
    *ret_count = n;
    return order;
}

/* A piece moves to the level of its earliest NPU reader if all its readers can wait that long. */
static void move_pieces(Partition *p)
{
    const Compile *c = p->c;
    size_t n;
    uint32_t *order = late_order(p, &n);
    Late *host = ARENA_ARRAY(c->scratch, Late, c->nir + 1);
    Late *piece = ARENA_ARRAY(c->scratch, Late, (size_t)p->npiece + 1);
    for (uint32_t i = 0; i < p->npiece; i++)
        piece[i] = (Late){LEVEL_LAST, LEVEL_LAST};
    for (size_t k = 0; k < n;) {
        /* One level's pieces are read as a whole before any of them moves. */
        size_t end = k;
        int32_t level = p->level[order[k]];
        if (!is_npu(p, order[k])) {
            host[order[k]] = late_of(p, host, order[k]);
            k++;
            continue;
        }
        for (; end < n && is_npu(p, order[end]) && p->level[order[end]] == level; end++) {
            Late l = late_of(p, host, order[end]), *all = &piece[p->piece[order[end]]];
            all->bound = l.bound < all->bound ? l.bound : all->bound;
            all->npu = l.npu < all->npu ? l.npu : all->npu;
        }
        for (; k < end; k++) {
            const Late *all = &piece[p->piece[order[k]]];
            if (all->npu != LEVEL_LAST && all->npu <= all->bound)
                p->piece_level[p->piece[order[k]]] = all->npu;
        }
    }
    for (size_t i = 0; i < c->nir; i++)
        if (is_npu(p, (IrId)i))
            p->level[i] = p->piece_level[p->piece[i]];
}

/* Only views and copies: converting to int8 and back would be the only work. */
static bool is_work(const Ir *op)
{
    OpClass k = ir_class(op);
    return k != CLASS_VIEW && (k != CLASS_MOVE || op->op == OP_Resize);
}

static bool drop_idle_pieces(Partition *p)
{
    Compile *c = p->c;
    bool *works = ARENA_ARRAY(c->scratch, bool, (size_t)p->npiece + 1), dropped = false;
    for (size_t i = 0; i < c->nir; i++)
        if (is_npu(p, (IrId)i))
            works[p->piece[i]] |= is_work(&c->ir[i]);
    for (size_t i = 0; i < c->nir; i++) {
        Ir *op = &c->ir[i];
        if (!is_npu(p, (IrId)i) || works[p->piece[i]])
            continue;
        op->on_npu = false;
        op->reason = REASON_NO_NPU_WORK;
        op->why = MESSAGE(c->arena, MESSAGE_ID(WHY_NO_NPU_WORK), arg_text(ir_node(c, op)->op));
        dropped = true;
    }
    return dropped;
}

void compile_partition(Compile *c)
{
    if (c->machine->kind == MACHINE_ROWS)
        return; /* one memory: nothing is gained by tasks */
    Partition p = {.c = c,
                   .level = ARENA_ARRAY(c->scratch, int32_t, c->nir + 1),
                   .piece = ARENA_ARRAY(c->scratch, uint32_t, c->nir + 1),
                   .piece_level = ARENA_ARRAY(c->scratch, int32_t, c->nir + 1)};
    for (int round = 0; round < ROUNDS; round++) {
        set_levels(&p);
        set_pieces(&p);
        move_pieces(&p);
        set_pieces(&p);
        p.npiece = compile_merge(c, p.piece);
        /* When a piece went to the host, once more: what remains may grow together. */
        if (round + 1 == ROUNDS || !drop_idle_pieces(&p))
            break;
    }
    c->nsegment = p.npiece;
    for (size_t i = 0; i < c->nir; i++)
        c->ir[i].segment = is_npu(&p, (IrId)i) ? p.piece[i] : SEGMENT_NONE;
}
