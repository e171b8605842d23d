/* Prints operators in the order in which they run, each with the tensors that it writes. */
#include "advisor/render/program/vendor_show.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "graph/model/dtype.h"

static const char *name_of_tensor(const VendorGraph *g, const VendorTensor *t)
{
    if (t->nsource)
        return t->source_name[0];
    return *t->name ? t->name : arena_printf(g->arena, "tensor %" PRIu32, t->id);
}

/* "int8 1x3x32x32 NxCxHxW, scale 0.00392, zero point -128" */
static void put_type(FILE *out, const VendorGraph *g, const VendorTensor *t)
{
    fprintf(out, "%s %s", dtype_name(t->dtype), vendor_shape_text(g->arena, &t->shape));
    if (t->quantized)
        fprintf(out, ", scale %.9g, zero point %" PRId64, vendor_tensor_scale(t, 0),
                vendor_tensor_zero_point(t, 0));
    if (t->axis >= 0)
        fprintf(out, " (the first of %zu along axis %d)", t->nscale, t->axis);
    if (t->is_constant)
        fprintf(out, ", constant of %zu B", t->constant_bytes);
}

static void put_tensor(FILE *out, const VendorGraph *g, const char *what, uint32_t tensor)
{
    const VendorTensor *t = &g->tensor[tensor];
    fprintf(out, "       %s ", what);
    plain_put(out, name_of_tensor(g, t), 34);
    fputs("  ", out);
    put_type(out, g, t);
    putc('\n', out);
}

static void put_attributes(FILE *out, const VendorGraph *g, const VendorOp *op)
{
    uint32_t has = vendor_op_attributes(op->kind);
    const char *between = "       ";
    for (unsigned id = 0; id < VENDOR_ATTRIBUTES; id++)
        if (has >> id & 1) {
            fprintf(out, "%s%s", between, vendor_attribute_text(g->arena, op, (VendorAttribute)id));
            between = "; ";
        }
    if (has)
        putc('\n', out);
}

/* Of an operator of an unknown number it is not known. */
static const char *type_word(const VendorGraph *g, const VendorOp *op)
{
    if (op->kind == VENDOR_OTHER)
        return "?";
    return vendor_op_on_host(g, op) ? "host" : "int8";
}

static void put_operator(FILE *out, const VendorGraph *g, size_t index, bool every)
{
    const VendorOp *op = &g->op[index];
    bool onnx = op->kind == VENDOR_ONNX_RUNTIME;
    fprintf(out, "%5zu  %-4s  ", index, type_word(g, op));
    plain_put(out, onnx ? op->onnx_type : op->type, 20);
    Plain p;
    fprintf(out, " %s%s\n", *op->name ? plain(&p, op->name, 60) : "(no name)",
            onnx ? " (ONNX Runtime)" : "");
    if (every)
        put_attributes(out, g, op);
    for (size_t i = 0; i < op->input.count && every; i++)
        put_tensor(out, g, "in ", op->input.tensor[i]);
    for (size_t i = 0; i < op->output.count; i++)
        put_tensor(out, g, "out", op->output.tensor[i]);
}

static void put_ends(FILE *out, const VendorGraph *g, const char *heading, const VendorPorts *ends)
{
    fprintf(out, "%s\n", heading);
    for (size_t i = 0; i < ends->count; i++) {
        fputs("  ", out);
        plain_put(out, name_of_tensor(g, &g->tensor[ends->tensor[i]]), 36);
        fputs("  ", out);
        put_type(out, g, &g->tensor[ends->tensor[i]]);
        putc('\n', out);
    }
}

/* Constants, without the ONNX models of host operators. */
static void put_totals(FILE *out, const VendorGraph *g)
{
    size_t nhost = 0, nconstant = 0, nmodel = 0;
    double bytes = 0, model_bytes = 0;
    for (size_t i = 0; i < g->ntensor; i++) {
        nconstant += g->tensor[i].is_constant;
        bytes += (double)g->tensor[i].constant_bytes;
    }
    for (size_t i = 0; i < g->nop; i++) {
        const VendorOp *op = &g->op[i];
        nhost += vendor_op_on_host(g, op);
        nmodel += op->model != VENDOR_NONE;
        model_bytes += op->model != VENDOR_NONE ? (double)g->tensor[op->model].constant_bytes : 0;
    }
    Figure f[2];
    fprintf(out, "%zu operators, %zu of them on the host; %zu tensors, %zu constants of %s", g->nop,
            nhost, g->ntensor, nconstant - nmodel, figure_bytes(&f[0], bytes - model_bytes));
    if (nmodel)
        fprintf(out, ", %zu ONNX model%s of %s", nmodel, nmodel == 1 ? "" : "s",
                figure_bytes(&f[1], model_bytes));
    putc('\n', out);
}

void vendor_show_text(FILE *out, const VendorGraph *g, bool every)
{
    fprintf(out, "graph of the vendor's quantizer (%s)\n",
            g->file == VENDOR_FILE_DFG ? ".dfg of SDK 0.9" : "DOT of SDK 0.9");
    put_totals(out, g);
    put_ends(out, g, "inputs", &g->input);
    put_ends(out, g, "outputs", &g->output);
    fputs("operators, those in int8 and those in float on the host\n", out);
    for (size_t i = 0; i < g->nop; i++)
        put_operator(out, g, i, every);
}
