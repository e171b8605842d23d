/* graph/import/vendor_*: both forms of a graph of the vendor's quantizer give one description. */
#include "graph/import/vendor_graph.h"
#include "graph/import/vendor_model.h"
#include "tests/unit/check.h"

#define PAIRS "tests/cases/graph/vendor-pairs/"

static VendorGraph *graph_of(Arena *a, const char *path)
{
    Diag diag = {{0}};
    InFile file;
    VendorGraph *g = NULL;
    if (file_in_open(&file, path, 0, &diag) || vendor_graph_read(a, file, &g, &diag))
        printf("FAILED %s\n", diag.text);
    return g;
}

/* Every operator comes after those that write what it reads. */
static bool is_sorted(const VendorGraph *g)
{
    for (size_t i = 0; i < g->nop; i++)
        for (size_t k = 0; k < g->op[i].input.count; k++) {
            uint32_t maker = g->tensor[g->op[i].input.tensor[k]].producer;
            if (maker != VENDOR_NONE && maker >= i)
                return false;
        }
    return true;
}

static const VendorTensor *tensor_with_id(const VendorGraph *g, uint32_t id)
{
    for (size_t i = 0; i < g->ntensor; i++)
        if (g->tensor[i].id == id)
            return &g->tensor[i];
    return NULL;
}

static void same_operators(Arena *a, const VendorGraph *dfg, const VendorGraph *dot)
{
    CHECK(dfg->nop == dot->nop && dfg->ntensor == dot->ntensor);
    for (size_t i = 0; i < dfg->nop && i < dot->nop; i++) {
        const VendorOp *x = &dfg->op[i], *y = &dot->op[i];
        CHECK(x->kind == y->kind && same_text(x->name, y->name) && x->model == y->model);
        for (unsigned id = 0; id < VENDOR_ATTRIBUTES; id++)
            if (vendor_op_attributes(x->kind) >> id & 1)
                CHECK(same_text(vendor_attribute_text(a, x, (VendorAttribute)id),
                                vendor_attribute_text(a, y, (VendorAttribute)id)));
    }
}

/* A .dfg has the bytes and every range, a DOT their number and the first range. */
static void same_tensors(const VendorGraph *dfg, const VendorGraph *dot)
{
    for (size_t i = 0; i < dfg->ntensor && i < dot->ntensor; i++) {
        const VendorTensor *x = &dfg->tensor[i], *y = &dot->tensor[i];
        CHECK(x->id == y->id && x->dtype == y->dtype && x->axis == y->axis);
        CHECK(x->nscale == y->nscale && x->nrange == x->nscale);
        CHECK(x->is_constant == y->is_constant && x->constant_bytes == y->constant_bytes);
        CHECK(!x->is_constant || (x->constant.data && x->constant.size == x->constant_bytes));
        CHECK(memcmp(&x->shape.dim, &y->shape.dim, sizeof x->shape.dim) == 0);
        if (x->quantized)
            CHECK_NEAR(vendor_tensor_scale(x, 0), vendor_tensor_scale(y, 0), 1e-15);
    }
}

/* Figures of CumSum.dot, as text in its labels: "(s: 0.0068…, o: 1)", "in#0", "[8x16x3x3]". */
static void figures(const VendorGraph *g)
{
    const VendorTensor *conv = tensor_with_id(g, 13), *weight = tensor_with_id(g, 18);
    CHECK(conv && weight);
    if (!conv || !weight)
        return;
    CHECK_NEAR(vendor_tensor_scale(conv, 0), 0.006829574295118743, 1e-15);
    CHECK(vendor_tensor_zero_point(conv, 0) == 1);
    CHECK(weight->axis == 0 && weight->nscale == 8 && weight->constant_bytes == 1152);
    CHECK(vendor_shape_elements(&weight->shape) == 1152 && weight->shape.axis[1] == 'C');
    CHECK(g->input.count == 1 && g->tensor[g->input.tensor[0]].id == 10);
    CHECK(g->op[0].kind == VENDOR_QUANTIZE && g->op[1].kind == VENDOR_CONV2D);
    CHECK(g->op[3].kind == VENDOR_ONNX_RUNTIME && same_text(g->op[3].onnx_type, "CumSum"));
    CHECK(vendor_op_on_host(g, &g->op[3]) && !vendor_op_on_host(g, &g->op[1]));
}

/* The nodes that the file runs in float are marked, and those in int8 are not. */
static void model_marks_host(Arena *a)
{
    Diag diag = {{0}};
    InFile file;
    Notes notes;
    Model *m = NULL;
    notes_init(&notes, a);
    CHECK(!file_in_open(&file, PAIRS "CumSum.dfg", 0, &diag));
    CHECK(!vendor_model_load(a, file, &notes, &m, &diag));
    for (size_t i = 0; m && i < m->graph->nnode; i++) {
        const Node *n = &m->graph->node[i];
        if (strcmp(n->op, "CumSum") == 0 || strcmp(n->op, "Conv") == 0)
            CHECK(n->on_host == (strcmp(n->op, "CumSum") == 0));
    }
}

int main(void)
{
    static const char *const name[] = {"CumSum",  "pixels_npo",         "sm_pool_flat",
                                       "tr_0213", "Resize_linear_half", "no_lp_pattern"};
    Arena *a = arena_new(0);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        VendorGraph *dfg = graph_of(a, arena_printf(a, PAIRS "%s.dfg", name[i]));
        VendorGraph *dot = graph_of(a, arena_printf(a, PAIRS "%s.dot", name[i]));
        CHECK(dfg && dot && is_sorted(dfg) && is_sorted(dot));
        if (!dfg || !dot)
            continue;
        same_operators(a, dfg, dot);
        same_tensors(dfg, dot);
        if (i == 0)
            figures(dfg);
    }
    model_marks_host(a);
    arena_free(a);
    return check_failures() != 0;
}
