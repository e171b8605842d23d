/* Matches by name, then by shapes; each operator and each step has one row. */
#include "cost_model/match/row_match.h"
#include "cost_model/match/span_match.h"

/* An operator or host step, as a row has it. */
typedef struct {
    const char *word, *in, *out; /* shapes as texts */
    const char *tensor;          /* that it hands over; "" */
    const NodeId *node;
    uint32_t nnode, id;
    bool product, taken;
} RowItem;

typedef struct {
    Arena *arena;
    const Program *program;
    RowItem *item;
    size_t nitem;
} RowMatch;

typedef bool RowLikeness(const RowMatch *m, const OpSpan *row, const RowItem *x);

/* Letters of the words that are equal. */
typedef struct {
    RowLikeness *alike;
    size_t letters;
} Pass;
enum { WHOLE_WORD = 64 };

/* The list begins with the shape, or with both of "A B". */
static bool begins_with_shape(const char *shapes, const char *first)
{
    size_t n = strlen(first);
    return shapes && !strncmp(shapes, first, n) && (!shapes[n] || shapes[n] == ' ');
}

static bool same_output(const RowMatch *m, const OpSpan *row, const RowItem *x)
{
    (void)m;
    return begins_with_shape(row->detail->out_shapes, x->out);
}

/* The compiler appends "_2conv", "_ConvAdd", "#1", "_group_3"; a number alone is another node's. */
static bool is_suffix(const char *s)
{
    return !*s || *s == '#' || (strchr("_-", *s) && s[1 + strspn(s + 1, "0123456789")]);
}

bool match_row_is_called(const char *row, const char *node)
{
    size_t n = strlen(node), all = strlen(row);
    return (n && !strncmp(row, node, n) && is_suffix(row + n)) ||
           (*row == '/' && n > all && !strcmp(node + n - all, row));
}

static bool same_name(const RowMatch *m, const OpSpan *row, const RowItem *x)
{
    const Node *node = m->program->model->graph->node;
    if (*x->tensor)
        return !strcmp(x->tensor, row->name);
    return same_output(m, row, x) &&
           LIST_ANY(k, x->nnode, match_row_is_called(row->name, node[x->node[k]].name));
}

static bool same_shapes(const RowMatch *m, const OpSpan *row, const RowItem *x)
{
    return same_output(m, row, x) && begins_with_shape(row->detail->in_shapes, x->in);
}

/* Of the first shape in the list; -1: there is none. */
static double elements_of(const char *shapes)
{
    double n = shapes && *shapes ? 1 : -1;
    for (char *end; n > 0 && *shapes && *shapes != ' '; shapes = end + (*end == 'x')) {
        n *= (double)strtoll(shapes, &end, 10);
        if (end == shapes)
            return -1;
    }
    return n;
}

static bool same_size(const char *shapes, const char *own)
{
    return elements_of(own) > 0 && elements_of(shapes) == elements_of(own);
}

/* A view, or axes in another order. */
static bool same_sizes(const RowMatch *m, const OpSpan *row, const RowItem *x)
{
    (void)m;
    return !x->product &&
           (same_size(row->detail->in_shapes, x->in) || same_size(row->detail->out_shapes, x->out));
}

/* Another activation was fused, or none. */
static bool same_convolution(const RowMatch *m, const OpSpan *row, const RowItem *x)
{
    return x->product && same_shapes(m, row, x);
}

static void match_alike(const RowMatch *m, Pass pass, const OpSpan *span, uint32_t nspan,
                        uint32_t *ret)
{
    for (uint32_t i = 0; i < nspan; i++) {
        const char *type = op_span_type(&span[i]);
        for (size_t k = 0; ret[i] == MATCH_NONE && k < m->nitem; k++) {
            RowItem *x = &m->item[k];
            if (x->taken || !type || strncmp(type, x->word, pass.letters) ||
                !pass.alike(m, &span[i], x))
                continue;
            ret[i] = x->id;
            x->taken = true;
        }
    }
}

static const char *nchw_text(Arena *a, int64_t n, int64_t c, int64_t h, int64_t w)
{
    return arena_printf(a, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64, n, c, h, w);
}

/* Shapes of weights tell a convolution from another of the same input and output. */
static void add_op(RowMatch *m, const LowOp *op)
{
    Arena *a = m->arena;
    const char *in = nchw_text(a, op->n, op->c_in, op->h_in, op->w_in);
    if (op->kind == LOWOP_CONV2D && op->group == 1)
        in = arena_printf(a, "%s %s", in,
                          nchw_text(a, op->c_out, op->c_in, op->kernel_h, op->kernel_w));
    m->item[m->nitem++] = (RowItem){.word = op->row ? op->row : "",
                                    .in = in,
                                    .out = nchw_text(a, op->n, op->c_out, op->h_out, op->w_out),
                                    .tensor = "",
                                    .node = op->node,
                                    .nnode = op->nnode,
                                    .id = op->id,
                                    .product = op->macs > 0};
}

static const char *ptensor_text(const RowMatch *m, const PTensorId *id, uint32_t n)
{
    const PTensor *t = n ? &m->program->tensor[*id] : NULL;
    return t ? nchw_text(m->arena, t->n, t->c, t->h, t->w) : "";
}

static void add_step(RowMatch *m, const Step *s)
{
    const Program *p = m->program;
    PTensorId edge = s->io == IO_INPUT && s->ninput     ? s->input[0]
                     : s->io == IO_OUTPUT && s->noutput ? s->output[0]
                                                        : PTENSOR_NONE;
    m->item[m->nitem++] = (RowItem){
        .word = s->op,
        .in = ptensor_text(m, s->input, s->ninput),
        .out = ptensor_text(m, s->output, s->noutput),
        .tensor = edge == PTENSOR_NONE ? "" : p->model->graph->tensor[p->tensor[edge].tensor].name,
        .node = s->node,
        .nnode = s->nnode,
        .id = s->id};
}

void match_rows(Arena *a, const Program *p, RowsOf of, const OpSpan *span, uint32_t nspan,
                uint32_t *ret)
{
    static const Pass pass[] = {{same_name, WHOLE_WORD},
                                {same_shapes, WHOLE_WORD},
                                {same_output, WHOLE_WORD},
                                {same_sizes, WHOLE_WORD},
                                {same_convolution, 4}};
    RowMatch m = {a, p, ARENA_ARRAY(a, RowItem, p->nop + p->nstep + 1), 0};
    for (size_t i = 0; of == ROWS_OF_NPU && i < p->nop; i++)
        add_op(&m, &p->op[i]);
    for (size_t i = 0; of == ROWS_OF_HOST && i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST)
            add_step(&m, &p->step[i]);
    for (uint32_t i = 0; i < nspan; i++)
        ret[i] = MATCH_NONE;
    bool few = ((size_t)nspan + 1) * (m.nitem + 1) <= MATCH_MAX_CELLS;
    for (size_t i = 0; few && i < sizeof pass / sizeof *pass; i++)
        match_alike(&m, pass[i], span, nspan, ret);
}
