/* Balances models over the shards by predicted cost, the largest first, with a heap. */
#include "advisor/fleet/shards.h"

Status shards_parse(const char *text, int *ret_shard, int *ret_of, Diag *diag)
{
    char *end;
    long shard = strtol(text, &end, 10), of = 0;
    if (*end == '/' && end != text)
        of = strtol(end + 1, &end, 10);
    if (*end || shard < 1 || of < shard || of > SHARDS_MAX)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shard '%s' is not I/N with 1 <= I <= N <= %d, such as 1/4", text,
                        SHARDS_MAX);
    *ret_shard = (int)shard;
    *ret_of = (int)of;
    return STATUS_OK;
}

int shards_shard_of(const ShardPlan *p, size_t i)
{
    assert(i < p->nmodel && p->of > 0);
    return p->part ? p->part[i] : (int)(i % (size_t)p->of) + 1;
}

bool shards_has(const ShardPlan *p, size_t i)
{
    return shards_shard_of(p, i) == p->shard;
}

const char *shards_model_name(const ShardPlan *p, size_t i)
{
    return p->item ? p->item[i].model.name : p->model[i];
}

const char *shards_settings(const ShardPlan *p, size_t i)
{
    return p->item && *p->item[i].settings ? p->item[i].settings : NULL;
}

/* ---- sharing out ---- */

typedef struct {
    int64_t cost_us;
    size_t i;
} Dear;

ORDER_BY(by_cost, Dear, COMPARE(b->cost_us, a->cost_us), COMPARE(a->i, b->i))

typedef struct {
    int64_t load_us;
    int shard;
} Load;

static bool is_less(Load a, Load b)
{
    return a.load_us != b.load_us ? a.load_us < b.load_us : a.shard < b.shard;
}

/* The root of a heap grew. */
static void sift_down(Load *heap, size_t n)
{
    Load x = heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_less(heap[child + 1], heap[child]))
            child++;
        if (!is_less(heap[child], x))
            break;
        heap[at] = heap[child];
    }
    heap[at] = x;
}

void shards_balance(Arena *a, ShardPlan *p)
{
    if (!p->item)
        return;
    assert(p->of > 0 && p->of <= SHARDS_MAX);
    size_t shards = (size_t)p->of;
    Dear *dear = ARENA_ARRAY(a, Dear, p->nmodel + 1);
    Load *heap = ARENA_ARRAY(a, Load, shards);
    int *part = ARENA_ARRAY(a, int, p->nmodel + 1);
    for (size_t i = 0; i < p->nmodel; i++)
        dear[i] = (Dear){p->item[i].cost_us, i};
    for (size_t k = 0; k < shards; k++)
        heap[k] = (Load){0, (int)k + 1};
    ORDER_LIST(dear, p->nmodel, by_cost);
    for (size_t i = 0; i < p->nmodel; i++) {
        part[dear[i].i] = heap[0].shard;
        heap[0].load_us += dear[i].cost_us;
        sift_down(heap, shards);
    }
    p->part = part;
}
