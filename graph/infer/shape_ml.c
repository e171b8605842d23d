/* Infers shapes of ai.onnx.ml and of the training operators. The former work on [N, features]
 * or on one row [features]. */
#include "graph/infer/infer.h"

static Dim row_count(const InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    return rank == 1 ? dim_of(1) : rank == 2 ? infer_dim(c, 0, 0) : dim_of(DIM_UNKNOWN);
}

/* Entries of a list attribute of any type; -1 when it is absent. */
static int64_t count_of(const InferContext *c, const char *name)
{
    const Attr *a = node_attr(c->node, name);
    return a ? (int64_t)a->count : -1;
}

static void set_matrix(InferContext *c, uint32_t output, DType t, Dim columns)
{
    Dim *dim = infer_dims(c, 2);
    dim[0] = row_count(c);
    dim[1] = columns;
    infer_set(c, output, t, 2, dim);
}

/* (label of each row, score of each class): the labels' attribute says type and count. */
void shape_classifier(InferContext *c)
{
    static const char *const integer_labels[] = {"classlabels_int64s", "classlabels_ints"};
    bool pairwise = c->node->op_id == OP_MlSVMClassifier; /* columns depend on the decision form */
    int64_t labels = count_of(c, "classlabels_strings");
    DType t = labels > 0 ? DT_STRING : DT_INT64;
    for (size_t i = 0; i < sizeof integer_labels / sizeof *integer_labels; i++)
        if (count_of(c, integer_labels[i]) > 0)
            labels = count_of(c, integer_labels[i]);
    Dim *dim = infer_dims(c, 1);
    dim[0] = row_count(c);
    infer_set(c, 0, t, 1, dim);
    set_matrix(c, 1, DT_FLOAT32, dim_of(pairwise || labels < 1 ? DIM_UNKNOWN : labels));
}

void shape_linear_regressor(InferContext *c)
{
    set_matrix(c, 0, DT_FLOAT32, dim_of(node_attr_int(c->node, "targets", 1)));
}

void shape_svm_regressor(InferContext *c)
{
    set_matrix(c, 0, DT_FLOAT32, dim_of(1));
}

void shape_tree_regressor(InferContext *c)
{
    set_matrix(c, 0, DT_FLOAT32, dim_of(node_attr_int(c->node, "n_targets", DIM_UNKNOWN)));
}

void shape_tree_ensemble(InferContext *c)
{
    set_matrix(c, 0, infer_dtype(c, 0), dim_of(node_attr_int(c->node, "n_targets", DIM_UNKNOWN)));
}

/* The type of the values that keys map to. */
void shape_label_encoder(InferContext *c)
{
    static const struct {
        const char *attr;
        DType dtype;
    } values[] = {
        {"values_int64s", DT_INT64},
        {"values_floats", DT_FLOAT32},
        {"values_strings", DT_STRING},
    };
    const Attr *tensor = node_attr(c->node, "values_tensor");
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, DT_UNKNOWN);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (count_of(c, values[i].attr) >= 0)
            infer_set_dtype(c, 0, values[i].dtype);
    if (tensor && tensor->type == ATTR_TENSOR)
        infer_set_dtype(c, 0, tensor->tensor->dtype);
    if (count_of(c, "classes_strings") >= 0) /* version 1: both ways between int64 and string */
        infer_set_dtype(c, 0, infer_dtype(c, 0) == DT_STRING ? DT_INT64 : DT_STRING);
}

void shape_category_mapper(InferContext *c)
{
    DType t = infer_dtype(c, 0);
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, t == DT_STRING ? DT_INT64 : t == DT_INT64 ? DT_STRING : DT_UNKNOWN);
}

/* One column per category after the input's axes. */
void shape_one_hot_encoder(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    int64_t n =
        count_of(c, "cats_int64s") >= 0 ? count_of(c, "cats_int64s") : count_of(c, "cats_strings");
    infer_set_dtype(c, 0, DT_FLOAT32);
    Dim *dim = infer_dims_of(c, 0, 1);
    if (!dim)
        return;
    dim[rank] = dim_of(n);
    infer_set_shape(c, 0, rank + 1, dim);
}

void shape_feature_vectorizer(InferContext *c)
{
    List each = infer_list(c, "inputdimensions", -1);
    Dim columns = dim_of(each.known ? 0 : DIM_UNKNOWN);
    for (int64_t i = 0; each.known && i < each.n; i++)
        columns = dim_add(columns, dim_of(each.e[i].i));
    set_matrix(c, 0, DT_FLOAT32, columns);
}

/* ---- ai.onnx.preview.training ---- */

/* (rate, count, then groups of n tensors: X, gradients, one or two states) -> (X, states). */
void shape_optimizer(InferContext *c)
{
    uint32_t groups = c->node->op_id == OP_TrainingAdam ? 4 : 3;
    uint32_t n = c->node->ninput > 2 ? (c->node->ninput - 2) / groups : 0;
    for (uint32_t k = 0; n && k < c->node->noutput; k++) {
        uint32_t group = k / n == 0 ? 0 : k / n + 1; /* gradients are not given back */
        infer_copy(c, k, 2 + group * n + k % n);
    }
}

/* The gradient with respect to each of the first inputs. */
void shape_gradient(InferContext *c)
{
    for (uint32_t k = 0; k < c->node->noutput; k++)
        infer_copy(c, k, k);
}
