/* Measures what the model's own scales and integer weights have lost by quantization.
 *
 * Rounding adds noise of 1/12 of a code squared, so weights whose codes are small are mostly noise:
 * the ratio is 12 times their mean square (SQNR).  Activations have no values in a model; only
 * scales that can mean nothing are found for them. */
#include "passes/pass.h"

enum {
    CODES_MIN = 64,       /* smaller tensors are biases and tables */
    CODES_SEEN = 1 << 14, /* of a tensor, at even distances */
};
#define SQNR_MIN_DB   20.0 /* a tenth of the amplitude is noise */
#define SATURATED_MAX 0.05 /* of the codes at an end of the range */

typedef struct {
    double square, saturated; /* mean square of the codes; share at an end */
    double zeros;
} Codes;

/* Elements of 8 bits are counted as bytes: weights are most of a file, and 256 counts say all. */
static Codes value_distribution(const Const *c, int64_t zero)
{
    int64_t step = c->nelem / CODES_SEEN + 1, n = 0, count[256] = {0};
    int64_t low = c->dtype == DT_INT8 ? -128 : 0, high = low + 255, square = 0, saturated = 0;
    assert(dtype_bits(c->dtype) == 8);
    for (int64_t i = 0; i < c->nelem && (uint64_t)i < c->nbyte; i += step, n++)
        count[c->data[i]]++;
    if (n == 0)
        return (Codes){.zeros = 1};
    for (int64_t b = 0; b < 256; b++) {
        int64_t code = c->dtype == DT_INT8 ? (int8_t)b : b;
        square += count[b] * (code - zero) * (code - zero);
        /* -127 is the end of symmetric weights. */
        if (code == high || code <= low + (c->dtype == DT_INT8))
            saturated += count[b];
    }
    int64_t zeros = zero >= low && zero <= high ? count[(uint8_t)zero] : 0;
    return (Codes){(double)square / (double)n, (double)saturated / (double)n,
                   (double)zeros / (double)n};
}

static void add_loss(FindingList *out, NodeId node, TensorId tensor, const char *what, double db,
                     double saturated)
{
    Finding *f = finding_add(out, "quantisation-loss");
    f->node = node;
    f->tensor = tensor;
    finding_text(out, f, "what", what);
    finding_real(out, f, "sqnr-db", round(db * 10) / 10);
    finding_real(out, f, "threshold-db", SQNR_MIN_DB);
    finding_real(out, f, "saturated", round(saturated * 1000) / 1000);
    finding_real(out, f, "saturated-threshold", SATURATED_MAX);
}

static void look_at_weights(FindingList *out, const Graph *g, NodeId id, uint32_t data,
                            uint32_t zero_input)
{
    const Node *n = &g->node[id];
    const Tensor *t = node_input(g, n, data), *z = node_input(g, n, zero_input);
    int64_t zero = 0;
    bool one_zero = !z || (z->value && z->value->nelem >= 1 && const_int(z->value, 0, &zero));
    if (!(t && t->value && t->value->data && t->value->nelem >= CODES_MIN &&
          (t->value->dtype == DT_INT8 || t->value->dtype == DT_UINT8)) ||
        !one_zero)
        return;
    Codes c = value_distribution(t->value, zero);
    if (c.zeros >= 1) /* weights that are not there were written as zeros */
        return;
    const Tensor *s = node_input(g, n, data + 1);
    int64_t ends = s && s->value ? s->value->nelem - 1 : 0; /* the largest of each channel */
    double db = 10 * log10(12 * c.square);
    if (db < SQNR_MIN_DB)
        add_loss(out, id, n->input[data], "few-codes", db, c.saturated);
    else if (c.saturated > SATURATED_MAX + (double)ends / (double)t->value->nelem)
        add_loss(out, id, n->input[data], "saturated", db, c.saturated);
}

/* A scale of zero or less, infinite or none: every value becomes the same code. */
static bool is_degenerate(const Tensor *scale)
{
    double s = 1;
    return scale && scale->value &&
           LIST_ANY(i, scale->value->nelem,
                    i < CODES_SEEN && const_float(scale->value, i, &s) && !(s > 0 && isfinite(s)));
}

void pass_quantisation(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    int64_t quantised = 0;
    for (NodeId i = 0; i < g->nnode; i++) {
        const Node *n = &g->node[i];
        bool dq = n->op_id == OP_DequantizeLinear, q = n->op_id == OP_QuantizeLinear;
        bool conv = n->op_id == OP_QLinearConv;
        if (!dq && !q && !conv)
            continue;
        quantised++;
        uint32_t scale = conv ? 4 : 1;
        if (is_degenerate(node_input(g, n, scale)))
            add_loss(out, i, n->input[0], "degenerate-scale", 0, 1);
        else if (dq || conv)
            look_at_weights(out, g, i, conv ? 3 : 0, conv ? 5 : 2);
    }
    if (quantised == 0)
        return;
    Finding *f = finding_add(out, "quantisation");
    finding_int(out, f, "nodes", quantised);
}
