/* Infers shapes of operators with state or attention over a sequence axis. */
#include "graph/infer/infer.h"

/* ---- RNN, GRU, LSTM ---- */

/* X [length, batch, input] (layout 1: batch first) ->
 * Y [length, directions, batch, hidden] (layout 1: [batch, length, directions, hidden]),
 * Y_h and Y_c [directions, batch, hidden] (layout 1: batch first). */
void shape_rnn(InferContext *c)
{
    bool batch_first = node_attr_int(c->node, "layout", 0) != 0;
    bool both = strcmp(node_attr_string(c->node, "direction", "forward"), "bidirectional") == 0;
    Dim hidden = dim_of(node_attr_int(c->node, "hidden_size", DIM_UNKNOWN));
    for (uint32_t k = 0; k < 3; k++)
        infer_set_dtype(c, k, infer_dtype(c, 0));
    if (!dim_known(hidden) && infer_rank(c, 2) == 3)
        hidden = infer_dim(c, 2, 2); /* R: [directions, gates * hidden, hidden] */
    Dim length = infer_dim(c, 0, batch_first), batch = infer_dim(c, 0, !batch_first);
    Dim *y = infer_dims(c, 4), *state = infer_dims(c, 3);
    y[0] = batch_first ? batch : length;
    y[1] = batch_first ? length : dim_of(1 + both);
    y[2] = batch_first ? dim_of(1 + both) : batch;
    y[3] = state[2] = hidden;
    state[0] = batch_first ? batch : dim_of(1 + both);
    state[1] = batch_first ? dim_of(1 + both) : batch;
    infer_set_shape(c, 0, 4, y);
    infer_set_shape(c, 1, 3, state);
    infer_set_shape(c, 2, 3, state);
}

/* ---- attention ---- */

/* Head count and size of Q, K or V: rank 4 has them as axes, rank 3 as attribute and quotient. */
static void heads_of(InferContext *c, uint32_t input, const char *attr, Dim *ret_heads,
                     Dim *ret_size, Dim *ret_length)
{
    int32_t rank = infer_rank(c, input);
    int64_t count = node_attr_int(c->node, attr, 0);
    *ret_heads = rank == 4 ? infer_dim(c, input, 1) : dim_of(count > 0 ? count : DIM_UNKNOWN);
    *ret_length = infer_dim(c, input, rank - 2);
    *ret_size = infer_dim(c, input, rank - 1);
    if (rank == 3 && dim_known(*ret_heads))
        *ret_size = dim_div(*ret_size, ret_heads->value);
}

/* Cached keys or values with the new ones after them. */
static void set_present(InferContext *c, uint32_t output, uint32_t past, Dim heads, Dim length,
                        Dim size)
{
    Dim *dim = infer_dims(c, 4);
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = heads;
    dim[2] = infer_has(c, past) ? dim_add(infer_dim(c, past, 2), length) : length;
    dim[3] = size;
    infer_set(c, output, infer_dtype(c, 0), 4, dim);
}

/* (Q, K, V, mask, past key, past value) -> (Y, present key, present value, scores). */
void shape_attention(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    Dim q_heads, q_size, q_length, k_heads, k_size, k_length, v_heads, v_size, v_length;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if ((rank != 3 && rank != 4) || infer_rank(c, 1) != rank || infer_rank(c, 2) != rank)
        return;
    heads_of(c, 0, "q_num_heads", &q_heads, &q_size, &q_length);
    heads_of(c, 1, "kv_num_heads", &k_heads, &k_size, &k_length);
    heads_of(c, 2, "kv_num_heads", &v_heads, &v_size, &v_length);
    Dim *y = infer_dims(c, 4), *scores = infer_dims(c, 4);
    y[0] = scores[0] = infer_dim(c, 0, 0);
    y[1] = rank == 4 ? q_heads : q_length;
    y[2] = rank == 4 ? q_length : dim_mul(q_heads, v_size);
    y[3] = v_size;
    infer_set_shape(c, 0, rank, y);
    set_present(c, 1, 4, k_heads, k_length, k_size);
    set_present(c, 2, 5, v_heads, v_length, v_size);
    scores[1] = q_heads;
    scores[2] = q_length;
    scores[3] = infer_has(c, 4) ? dim_add(infer_dim(c, 4, 2), k_length) : k_length;
    infer_set(c, 3, infer_dtype(c, 0), 4, scores);
}

/* Attention of com.microsoft: input [batch, length, in], weights [in, q + k + v]. */
void shape_ms_attention(InferContext *c)
{
    List sizes = infer_list(c, "qkv_hidden_sizes", -1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (infer_rank(c, 0) != 3)
        return;
    Dim *dim = infer_dims(c, 3);
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = infer_dim(c, 0, 1);
    dim[2] = sizes.given ? list_size(&sizes, 2) : dim_div(infer_dim(c, 1, 1), 3);
    infer_set_shape(c, 0, 3, dim);
}

/* (query, key, value, …) -> [batch, length, hidden of the values]. */
void shape_multi_head_attention(InferContext *c)
{
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (infer_rank(c, 0) != 3 || infer_rank(c, 2) != 3)
        return;
    Dim *dim = infer_dims(c, 3);
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = infer_dim(c, 0, 1);
    dim[2] = infer_dim(c, 2, 2);
    infer_set_shape(c, 0, 3, dim);
}
