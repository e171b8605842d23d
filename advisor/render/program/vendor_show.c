/* Prints operators in the order in which they run, each with the tensors that it writes. */
#include "advisor/render/program/vendor_show.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "graph/model/dtype.h"

static const char *name_of_tensor(const PhraseOut *o, const VendorTensor *t)
{
    if (t->nsource)
        return t->source_name[0];
    return *t->name ? t->name : arena_printf(o->arena, "#%" PRIu32, t->id);
}

/* "int8 1x3x32x32 NxCxHxW, scale 0.00392, zero point -128" */
static void put_type(const PhraseOut *o, const VendorGraph *g, const VendorTensor *t)
{
    fprintf(o->out, "%s %s", dtype_name(t->dtype), vendor_shape_text(g->arena, &t->shape));
    if (t->quantized)
        PHRASE_PUT(o, phrase_arg(PHRASE_VENDOR_SCALE), arg_digits(vendor_tensor_scale(t, 0), 9),
                   arg_count(vendor_tensor_zero_point(t, 0)));
    if (t->axis >= 0)
        PHRASE_PUT(o, phrase_arg(PHRASE_VENDOR_AXIS), arg_size(t->nscale), arg_count(t->axis));
    if (t->is_constant)
        PHRASE_PUT(o, phrase_arg(PHRASE_VENDOR_CONSTANT), arg_size(t->constant_bytes));
}

static void put_tensor(const PhraseOut *o, const VendorGraph *g, PhraseId what, uint32_t tensor)
{
    const VendorTensor *t = &g->tensor[tensor];
    fprintf(o->out, "       %s ", phrase_text(o->lang, what));
    plain_put(o->out, name_of_tensor(o, t), 34);
    fputs("  ", o->out);
    put_type(o, g, t);
    putc('\n', o->out);
}

static void put_attributes(const PhraseOut *o, const VendorGraph *g, const VendorOp *op)
{
    uint32_t has = vendor_op_attributes(op->kind);
    const char *between = "       ";
    for (unsigned id = 0; id < VENDOR_ATTRIBUTES; id++)
        if (has >> id & 1) {
            fprintf(o->out, "%s%s", between,
                    vendor_attribute_text(g->arena, op, (VendorAttribute)id));
            between = "; ";
        }
    if (has)
        putc('\n', o->out);
}

/* Of an operator of an unknown number it is not known. */
static const char *type_word(const VendorGraph *g, const VendorOp *op, const char *host)
{
    if (op->kind == VENDOR_OTHER)
        return "?";
    return vendor_op_on_host(g, op) ? host : "int8";
}

static void put_operator(const PhraseOut *o, const VendorGraph *g, size_t index, bool every)
{
    const VendorOp *op = &g->op[index];
    bool onnx = op->kind == VENDOR_ONNX_RUNTIME;
    const char *host = phrase_text(o->lang, PHRASE_LANE_HOST);
    fprintf(o->out, "%5zu  ", index);
    plain_put(o->out, type_word(g, op, host), plain_width(host));
    fputs("  ", o->out);
    plain_put(o->out, onnx ? op->onnx_type : op->type, 20);
    Plain p;
    fprintf(o->out, " %s%s\n",
            *op->name ? plain(&p, op->name, 60) : phrase_text(o->lang, PHRASE_VENDOR_NO_NAME),
            onnx ? " (ONNX Runtime)" : "");
    if (every)
        put_attributes(o, g, op);
    for (size_t i = 0; i < op->input.count && every; i++)
        put_tensor(o, g, PHRASE_VENDOR_IN, op->input.tensor[i]);
    for (size_t i = 0; i < op->output.count; i++)
        put_tensor(o, g, PHRASE_VENDOR_OUT, op->output.tensor[i]);
}

static void put_ends(const PhraseOut *o, const VendorGraph *g, PhraseId heading,
                     const VendorPorts *ends)
{
    PHRASE_LINE(o, phrase_arg(heading));
    for (size_t i = 0; i < ends->count; i++) {
        fputs("  ", o->out);
        plain_put(o->out, name_of_tensor(o, &g->tensor[ends->tensor[i]]), 36);
        fputs("  ", o->out);
        put_type(o, g, &g->tensor[ends->tensor[i]]);
        putc('\n', o->out);
    }
}

/* Constants, without the ONNX models of host operators. */
static void put_totals(const PhraseOut *o, const VendorGraph *g)
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
    PHRASE_PUT(o, phrase_arg(PHRASE_VENDOR_TOTALS), arg_size(g->nop), arg_size(nhost),
               arg_size(g->ntensor), arg_size((nconstant - nmodel)),
               arg_text(figure_bytes(&f[0], bytes - model_bytes)));
    if (nmodel)
        PHRASE_PUT(o, phrase_arg(PHRASE_VENDOR_MODELS), arg_size(nmodel),
                   arg_text(figure_bytes(&f[1], model_bytes)));
    putc('\n', o->out);
}

void vendor_show_text(const PhraseOut *o, const VendorGraph *g, bool every)
{
    PHRASE_LINE(o, phrase_arg(PHRASE_VENDOR_HEAD),
                arg_text(g->file == VENDOR_FILE_DFG ? ".dfg" : "DOT"));
    put_totals(o, g);
    put_ends(o, g, PHRASE_INSPECT_INPUTS, &g->input);
    put_ends(o, g, PHRASE_INSPECT_OUTPUTS, &g->output);
    PHRASE_LINE(o, phrase_arg(PHRASE_VENDOR_OPERATORS));
    for (size_t i = 0; i < g->nop; i++)
        put_operator(o, g, i, every);
}
