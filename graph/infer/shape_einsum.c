/* Infers the shape of Einsum from its equation. */
#include "graph/infer/einsum.h"
#include "graph/infer/infer.h"

static Dim broadcast_letter(void *context, Dim a, Dim b)
{
    return infer_broadcast_dim(context, a, b);
}

typedef struct {
    Dim dim[INFER_MAX_RANK];
    int32_t rank;
} Output;

static void put_ellipsis(const Einsum *e, Output *out)
{
    for (int i = e->ellipsis_rank - 1; i >= 0 && out->rank < INFER_MAX_RANK; i--)
        out->dim[out->rank++] = e->ellipsis[i];
}

/* "->…": as written. */
static void explicit_output(const Einsum *e, Output *out)
{
    bool dots = false;
    for (const char *at = e->output; *at && out->rank < INFER_MAX_RANK; at++) {
        int k = einsum_letter(*at);
        if (k >= 0 && e->letter_uses[k])
            out->dim[out->rank++] = e->letter[k];
        if (*at == '.' && !dots)
            put_ellipsis(e, out);
        dots = dots || *at == '.';
    }
}

/* Without an arrow: the ellipsis, then letters that occur once, in alphabetical order. */
static void implicit_output(const Einsum *e, Output *out)
{
    put_ellipsis(e, out);
    for (int k = 0; k < EINSUM_LETTERS && out->rank < INFER_MAX_RANK; k++)
        if (e->letter_uses[k] == 1)
            out->dim[out->rank++] = e->letter[k];
}

void shape_einsum(InferContext *c)
{
    Einsum e;
    Output out = {.rank = 0};
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!einsum_read(c->graph, c->node, broadcast_letter, c, &e))
        return;
    if (e.output)
        explicit_output(&e, &out);
    else
        implicit_output(&e, &out);
    Dim *dim = infer_dims(c, out.rank);
    for (int32_t i = 0; dim && i < out.rank; i++)
        dim[i] = symbols_resolve(&c->run->symbols, out.dim[i]);
    infer_set_shape(c, 0, dim ? out.rank : RANK_UNKNOWN, dim);
}
