/* Describes every input and output of the graph as the application sees it. */
#include "passes/rewritable.h"
#include "graph/compile/options.h"
#include "graph/model/stored_ranges.h"
#include "passes/pixels.h"

/* As the application feeds it: permute_input relabels the axes. */
static Shape application_shape(Arena *a, const Program *p, const Tensor *t, uint32_t input)
{
    const CompileOptions *o = &p->options;
    if (input >= o->npermute || o->permute[input].rank == 0 ||
        o->permute[input].rank != t->shape.rank)
        return t->shape;
    Dim *dim = ARENA_ARRAY(a, Dim, (size_t)t->shape.rank);
    for (int i = 0; i < t->shape.rank; i++)
        dim[i] = t->shape.dim[o->permute[input].axis[i]];
    return (Shape){t->shape.rank, dim};
}

static const char *permuted_layout(const Program *p, const char *layout, uint32_t input)
{
    const CompileOptions *o = &p->options;
    if (input >= o->npermute || o->permute[input].rank != 4)
        return layout;
    const int8_t *axis = o->permute[input].axis;
    bool nhwc = strcmp(layout, "nhwc") == 0, nchw = strcmp(layout, "nchw") == 0;
    if (!nhwc && !nchw)
        return layout;
    int width = nhwc ? 2 : 3, channel = nhwc ? 3 : 1;
    if (axis[3] == width && axis[1] == channel)
        return "nchw";
    return axis[3] == channel && axis[2] == width ? "nhwc" : "other";
}

/* Type that the application feeds or takes: the option's, else the model's. */
static DType application_dtype(const IoType *list, size_t n, const Tensor *t, DType own)
{
    DType d = own;
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, t->name) == 0)
            d = list[i].dtype;
    return d;
}

static int64_t last_axis(const Shape *s)
{
    return s->rank > 0 ? s->dim[s->rank - 1].value : DIM_UNKNOWN;
}

#define WIDTH_MAX (INT64_C(1) << 40) /* no image is wider; the next multiple is a number */

/* Widths to go to when this one is no multiple: the next and the one before (0: there is none). */
static void add_widths(FindingList *out, Finding *f, int64_t width, int64_t multiple)
{
    bool known = width > 0 && width < WIDTH_MAX && multiple > 0 && multiple < WIDTH_MAX;
    finding_text(out, f, "width-multiple",
                 !known                  ? "unknown"
                 : width % multiple == 0 ? "yes"
                                         : "no");
    finding_int(out, f, "width-up", known ? (width + multiple - 1) / multiple * multiple : 0);
    finding_int(out, f, "width-down", known ? width / multiple * multiple : 0);
}

static void add_pixels(FindingList *out, Finding *f, const Shape *s, const char *layout, IoKind io,
                       int64_t multiple)
{
    Pixels px = pixels_of(s, layout);
    finding_text(out, f, "layout", layout);
    finding_text(out, f, "image",
                 strcmp(layout, "other") == 0 ? "no" : pixels_are_image(&px, io == IO_INPUT));
    finding_int(out, f, "channels", px.c);
    finding_int(out, f, "height", px.h);
    finding_int(out, f, "width", px.w);
    finding_text(out, f, "last-axis-is-width", strcmp(layout, "nchw") == 0 ? "yes" : "no");
    finding_int(out, f, "last-axis", last_axis(s));
    add_widths(out, f, px.w == DIM_UNKNOWN ? last_axis(s) : px.w, multiple);
}

static void add_tensor(FindingList *out, Finding *f, const Tensor *t, const Shape *s, uint32_t i,
                       DType dtype)
{
    finding_int(out, f, "index", i);
    finding_text(out, f, "name", t->name);
    finding_text(out, f, "dtype", dtype_name(dtype));
    finding_int(out, f, "rank", s->rank);
    finding_text(out, f, "shape", shape_text(out->arena, s));
    finding_int(out, f, "elements", shape_elements(s));
}

enum { PERMUTE_LIST_MAX = 64 }; /* inputs; no one writes a longer list */

static const char *axes_text(Arena *a, Permutation p, int rank)
{
    const char *text = "";
    for (int k = 0; k < rank; k++)
        text = arena_printf(a, "%s%s%d", text, k ? ", " : "", p.rank == rank ? p.axis[k] : k);
    return text;
}

/* permute_input as it has to read for this input to be fed with its width last, the others as they
 * are; one list per input.  "" when that is the order of the model's own axes everywhere. */
static const char *permute_list(Arena *a, const Program *p, uint32_t input)
{
    static const Permutation width_last = {{0, 3, 1, 2}, 4};
    const Graph *g = p->model->graph;
    const char *list = "";
    bool any = false;
    for (uint32_t i = 0; i < g->ninput && g->ninput <= PERMUTE_LIST_MAX; i++) {
        Permutation use =
            i < p->options.npermute ? p->options.permute[i] : (Permutation){.rank = 0};
        if (i == input)
            use = options_compose_permutation(use, width_last);
        any |= use.rank > 0;
        list = arena_printf(a, "%s%s[%s]", list, i ? ", " : "",
                            axes_text(a, use, g->tensor[g->input[i]].shape.rank));
    }
    return any ? arena_printf(a, "[%s]", list) : "";
}

static void add_input(const PassInput *in, FindingList *out, uint32_t i)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    const Tensor *t = &g->tensor[g->input[i]];
    Shape s = application_shape(out->arena, p, t, i);
    const char *layout = permuted_layout(p, pixels_input_layout(g, g->input[i]), i);
    Finding *f = finding_add(out, "input");
    f->tensor = g->input[i];
    add_tensor(out, f, t, &s, i,
               application_dtype(p->options.input_dtype, p->options.ninput_dtype, t,
                                 model_input_dtype(p->model, t)));
    add_pixels(out, f, &s, layout, IO_INPUT, p->machine->width_multiple);
    finding_text(out, f, "permute-list", permute_list(out->arena, p, i));
}

/* A Transpose that ends the graph, or precedes the last operators that take every element alike:
 * the order of axes that undoes it, and in the first case the tensor that it reads. */
static void add_order(const PassInput *in, FindingList *out, Finding *f, TensorId output)
{
    const Scene s = rewritable_scene(in);
    int64_t back[REWRITE_MAX_RANK];
    int32_t rank = 0;
    bool direct = false, found = rewrite_order_before(&s, output, back, &rank, &direct);
    const char *text = "", *before = "";
    for (int32_t i = 0; found && i < rank; i++)
        text = arena_printf(out->arena, "%s%s%d", text, i ? "," : "", (int)back[i]);
    if (found && direct)
        before = s.graph->tensor[s.graph->node[f->node].input[0]].name;
    finding_text(out, f, "before-transpose", before);
    finding_text(out, f, "transpose-back", text);
}

static void add_output(const PassInput *in, FindingList *out, uint32_t i)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    const Tensor *t = &g->tensor[g->output[i]];
    Finding *f = finding_add(out, "output");
    f->tensor = g->output[i];
    f->node = t->producer;
    add_tensor(out, f, t, &t->shape, i,
               application_dtype(p->options.output_dtype, p->options.noutput_dtype, t,
                                 model_output_dtype(p->model, t)));
    add_pixels(out, f, &t->shape, pixels_output_layout(g, g->output[i]), IO_OUTPUT,
               p->machine->width_multiple);
    finding_text(out, f, "range", pixels_output_range(p->model, g->output[i]));
    add_order(in, out, f, g->output[i]);
}

void pass_boundaries(const PassInput *in, FindingList *out)
{
    const Graph *g = in->program->model->graph;
    for (uint32_t i = 0; i < g->ninput; i++)
        add_input(in, out, i);
    for (uint32_t i = 0; i < g->noutput; i++)
        add_output(in, out, i);
}
