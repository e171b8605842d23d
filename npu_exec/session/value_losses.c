/* Sums the errors of each QuantizeLinear that has one scale. */
#include "npu_exec/session/value_losses.h"
#include "graph/infer/ops.h"

#include <cjson/cJSON.h>

#define MAX_DB 200.0 /* of what loses nothing */

typedef struct {
    TensorId from, to;
    double scale, lo, hi; /* a step, and the values of the codes at the ends */
    int64_t zero;
    Value *held; /* of `from`, until `to` is there */
    double signal2, error2, count, clipped;
} Row;

struct ValueLosses {
    const Graph *graph;
    Row *row;
    size_t n;
};

static bool read_row(const Graph *g, const Node *n, Row *ret)
{
    const Tensor *scale = node_input(g, n, 1), *zero = node_input(g, n, 2),
                 *y = node_output(g, n, 0);
    bool quantizes = n->op_id == OP_QuantizeLinear || n->op_id == OP_MsQuantizeLinear;
    *ret = (Row){0};
    if (!quantizes || !scale || !scale->value || scale->value->nelem != 1 ||
        !const_float(scale->value, 0, &ret->scale) || !(ret->scale > 0) || !y ||
        (zero &&
         !(zero->value && zero->value->nelem == 1 && const_int(zero->value, 0, &ret->zero))))
        return false;
    bool negative = y->dtype == DT_INT8;
    ret->from = n->input[0];
    ret->to = n->output[0];
    ret->lo = ((negative ? -128 : 0) - (double)ret->zero) * ret->scale;
    ret->hi = ((negative ? 127 : 255) - (double)ret->zero) * ret->scale;
    return negative || y->dtype == DT_UINT8;
}

ValueLosses *value_losses_new(Arena *a, const Graph *g)
{
    ValueLosses *l = ARENA_NEW(a, ValueLosses);
    *l = (ValueLosses){.graph = g, .row = ARENA_ARRAY(a, Row, g->nnode)};
    for (size_t i = 0; i < g->nnode; i++)
        l->n += read_row(g, &g->node[i], &l->row[l->n]);
    return l;
}

static void let_go(Row *r)
{
    value_release(r->held);
    r->held = NULL;
}

void value_losses_close(ValueLosses *l)
{
    for (size_t i = 0; i < l->n; i++)
        let_go(&l->row[i]);
}

static bool compare_values(Row *r, const Value *codes)
{
    const float *x = value_floats(r->held);
    for (int64_t i = 0; x && i < codes->count && i < r->held->count; i++) {
        double v = (double)x[i], off = v - (value_byte(codes, i) - (double)r->zero) * r->scale;
        if (!isfinite(v))
            continue;
        r->signal2 += v * v;
        r->error2 += off * off;
        r->count += 1;
        r->clipped += v < r->lo - r->scale / 2 || v > r->hi + r->scale / 2;
    }
    return x != NULL;
}

Status value_losses_add(void *losses, TensorId id, Value *v, Diag *diag)
{
    ValueLosses *l = losses;
    bool ok = true;
    for (size_t i = 0; i < l->n; i++) {
        Row *r = &l->row[i];
        if (r->from == id) {
            let_go(r);
            r->held = v;
            v->refs++;
        }
        if (r->to == id && r->held && value_is_bytes(v)) {
            ok = compare_values(r, v) && ok;
            let_go(r);
        }
    }
    return ok ? STATUS_OK : diag_set(diag, STATUS_INPUT, NULL, NULL, "no memory for values");
}

static double sqnr_db(const Row *r)
{
    return r->error2 > 0 ? fmin(10 * log10(r->signal2 / r->error2), MAX_DB) : MAX_DB;
}

ORDER_BY(by_loss, Row, COMPARE(sqnr_db(a), sqnr_db(b)), COMPARE(a->to, b->to))

Status value_losses_write(ValueLosses *l, size_t images, const char *path, Diag *diag)
{
    ORDER_LIST(l->row, l->n, by_loss);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "images", (double)images);
    cJSON *list = cJSON_AddArrayToObject(root, "tensors");
    for (size_t i = 0; i < l->n; i++) {
        const Row *r = &l->row[i];
        if (!(r->signal2 > 0))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "tensor", l->graph->tensor[r->from].name);
        cJSON_AddNumberToObject(o, "sqnr_db", round(100 * sqnr_db(r)) / 100);
        cJSON_AddNumberToObject(o, "clipped", r->clipped / r->count);
        cJSON_AddItemToArray(list, o);
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return file_out_write_text(path, text, diag);
}
