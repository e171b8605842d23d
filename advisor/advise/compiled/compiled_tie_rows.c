/* Maps the rows of a table of RKNN to the nodes of the ONNX model: by name where shapes agree, else
 * by type and shapes in order, for exports name their nodes differently. */
#include "advisor/advise/compiled/compiled_tie.h"

#include "graph/infer/shape.h"

typedef struct {
    Arena *a;
    Imported *table;
    const Graph *g;
    StrMap name; /* of nodes, and of the tensors that they make */
    bool *used;  /* nodes */
    NodeId *of;  /* of each row; NODE_NONE */
} RowTie;

/* ---- shapes ---- */

static bool dims_agree(const Tensor *t, const ImportTensor *x)
{
    const Shape *s = t ? tensor_shape(t) : NULL;
    if (!s || s->rank == RANK_UNKNOWN || x->rank < 0)
        return true;
    return s->rank == x->rank &&
           LIST_ALL(i, s->rank, s->dim[i].value < 0 || s->dim[i].value == x->dim[i]);
}

static const ImportTensor *row_tensor(const RowTie *t, size_t row, bool output, size_t k)
{
    const ImportOp *op = &t->table->op[row];
    if (k >= (output ? op->noutput : op->ninput))
        return NULL;
    return &t->table->tensor[output ? op->output[k] : op->input[k]];
}

/* The row's first output, and its first `inputs`: the activation, then the weights. */
static bool shapes_agree(const RowTie *t, size_t row, NodeId id, size_t inputs)
{
    const Node *n = &t->g->node[id];
    const ImportTensor *out = row_tensor(t, row, true, 0);
    if (!out || (!inputs && out->rank < 0) || !dims_agree(node_output(t->g, n, 0), out))
        return false;
    bool weights = !strncmp(n->op, "Conv", 4) && node_attr_int(n, "group", 1) == 1;
    for (size_t k = 0; k < inputs && (k == 0 || weights); k++) {
        const ImportTensor *in = row_tensor(t, row, false, k);
        const Tensor *x = node_input(t->g, n, (uint32_t)k);
        if (in && x && !dims_agree(x, in))
            return false;
    }
    return true;
}

/* ---- what is fused to a node ---- */

/* The node that reads what `id` makes, of that type; through a Q/DQ pair, of two nodes. */
static NodeId next_of(const Graph *g, NodeId id, const char *op, int through)
{
    const Tensor *t = node_output(g, &g->node[id], 0);
    for (uint32_t i = 0; t && i < t->nconsumer; i++) {
        NodeId next = t->consumer[i];
        bool passes = through && strstr(g->node[next].op, "uantizeLinear");
        if (!strcmp(g->node[next].op, op))
            return next;
        if (passes && (next = next_of(g, next, op, through - 1)) != NODE_NONE)
            return next;
    }
    return NODE_NONE;
}

static void add_label(RowTie *t, ImportLayer *l, NodeId id)
{
    const char **list = ARENA_ARRAY(t->a, const char *, l->nnode + 1);
    if (l->nnode)
        memcpy(list, l->node, l->nnode * sizeof *list);
    list[l->nnode++] = arena_strdup(t->a, node_label(t->a, &t->g->node[id]));
    l->node = list;
}

/* As the row's type spells what follows: "ConvExSwish" is Conv, Sigmoid, Mul. */
static void add_fused(RowTie *t, size_t row)
{
    static const struct {
        const char *word, *op[3];
    } fused[] = {
#define FUSED(word, a, b, c) {word, {a, b, c}},
#include "advisor/advise/compiled/fused_words.def"
    };
    enum { WORDS = sizeof fused / sizeof *fused };
    ImportOp *op = &t->table->op[row];
    NodeId at = t->of[row];
    const char *s = op->type;
    s += !strncmp(s, "ConvTranspose", 13) ? 13
         : !strncmp(s, "Conv", 4)         ? 4
         : !strncmp(s, "ex", 2)           ? 2
                                          : strlen(s);
    while (*s) {
        size_t w = LIST_INDEX(i, (size_t)WORDS, !strncmp(s, fused[i].word, strlen(fused[i].word)));
        if (w == WORDS)
            return;
        for (size_t k = 0; k < 3 && *fused[w].op[k]; k++) {
            NodeId next = next_of(t->g, at, fused[w].op[k], 2);
            if (next == NODE_NONE)
                return;
            add_label(t, &op->layer, at = next);
            t->used[next] = true;
        }
        s += strlen(fused[w].word);
    }
}

/* Claims its nodes: a fused node has no other row. */
static void set_node(RowTie *t, size_t row, NodeId id)
{
    t->of[row] = id;
    t->used[id] = true;
    add_label(t, &t->table->op[row].layer, id);
    add_fused(t, row);
}

/* ---- by name ---- */

/* One name occurs in many networks: a convolution has the same weights, all else as many elements.
 * What the compiler made of several nodes has the name of the first. */
static bool sizes_agree(const RowTie *t, size_t row, NodeId id)
{
    const Node *n = &t->g->node[id];
    const ImportTensor *weights = row_tensor(t, row, false, 1), *out = row_tensor(t, row, true, 0);
    const Tensor *made = node_output(t->g, n, 0);
    int64_t all = 1, elements = made ? shape_elements(tensor_shape(made)) : DIM_UNKNOWN;
    if (!strncmp(n->op, "Conv", 4))
        return !weights || node_attr_int(n, "group", 1) > 1 ||
               dims_agree(node_input(t->g, n, 1), weights);
    for (int i = 0; out && i < out->rank; i++)
        if (__builtin_mul_overflow(all, out->dim[i], &all))
            return false;
    return !strncmp(t->table->op[row].type, "ex", 2) || !out || elements < 0 || elements == all;
}

/* The compiler's suffixes begin with '_', '-' or '#' and are not plain numbers: "_2conv",
 * "_ConvAdd", "#1_2sdpa", "_group_3". */
static bool is_compiler_suffix(const char *s, size_t len)
{
    bool number = len > 1 && LIST_ALL(i, len - 1, isdigit((unsigned char)s[i + 1]));
    return !number || *s == '#' || (s[-1] == 'p' && len > 1);
}

static NodeId node_of_name(const RowTie *t, const char *name)
{
    char *s = arena_strdup(t->a, name);
    for (size_t end = strlen(s);;) {
        uint32_t id = strmap_get(&t->name, s);
        if (id != STRMAP_NONE)
            return id;
        size_t cut = end;
        while (cut > 1 && !strchr("_-#", s[cut - 1]))
            cut--;
        if (cut <= 1 || !is_compiler_suffix(s + cut - 1, end - cut + 1))
            return NODE_NONE;
        s[end = cut - 1] = '\0';
    }
}

/* The only node whose path ends so: "/model.1/conv/Conv" of "/net/model.1/conv/Conv". */
static NodeId node_of_path(const RowTie *t, const char *name)
{
    NodeId found = NODE_NONE;
    size_t n = strlen(name);
    for (NodeId i = 0; *name == '/' && i < t->g->nnode; i++) {
        size_t all = strlen(t->g->node[i].name);
        if (all < n || strcmp(t->g->node[i].name + all - n, name) != 0)
            continue;
        if (found != NODE_NONE)
            return NODE_NONE;
        found = i;
    }
    return found;
}

static bool is_end(const RowTie *t, size_t row)
{
    const char *type = t->table->op[row].type;
    return !strcmp(type, "InputOperator") || !strcmp(type, "OutputOperator");
}

static void tie_by_name(RowTie *t, NodeId (*find)(const RowTie *t, const char *name))
{
    for (size_t i = 0; i < t->table->nop; i++) {
        if (t->of[i] != NODE_NONE || is_end(t, i))
            continue;
        NodeId id = find(t, t->table->op[i].name);
        if (id != NODE_NONE && sizes_agree(t, i, id))
            set_node(t, i, id);
    }
}

/* ---- by structure ---- */

static bool types_agree(const char *row, const char *op)
{
    static const char *const called[][2] = {{"exMatMul", "MatMul"},
                                            {"exSoftmax13", "Softmax"},
                                            {"exNorm", "LayerNormalization"},
                                            {"exGelu", "Gelu"}};
    size_t n = strlen(op);
    if (!strncmp(op, "Conv", 4))
        return strcmp(row, "Concat") != 0 && !strncmp(row, op, n) &&
               (n > 4 || strncmp(row, "ConvTranspose", 13) != 0);
    return !strcmp(row, op) || LIST_ANY(i, sizeof called / sizeof *called,
                                        !strcmp(row, called[i][0]) && !strcmp(op, called[i][1]));
}

/* The k-th row of a type and shapes is the k-th node of them that has no row. */
static void tie_by_shapes(RowTie *t, size_t inputs)
{
    for (size_t i = 0; i < t->table->nop; i++)
        for (NodeId id = 0; t->of[i] == NODE_NONE && id < t->g->nnode; id++)
            if (!t->used[id] && types_agree(t->table->op[i].type, t->g->node[id].op) &&
                shapes_agree(t, i, id, inputs))
                set_node(t, i, id);
}

static bool same_shape(const ImportTensor *x, const ImportTensor *y)
{
    return x && y && x->rank == y->rank && x->rank > 0 &&
           !memcmp(x->dim, y->dim, sizeof *x->dim * (size_t)x->rank);
}

/* A stem that the exporter took apart: a row without a node whose output the next row reads, where
 * the node of that one reads what this row does. */
static void tie_split_stem(RowTie *t)
{
    for (size_t i = t->table->nop; i-- > 1;) {
        const ImportTensor *out = row_tensor(t, i - 1, true, 0), *in = row_tensor(t, i, false, 0),
                           *first = row_tensor(t, i - 1, false, 0);
        if (t->of[i - 1] != NODE_NONE || t->of[i] == NODE_NONE || !first || !same_shape(in, out))
            continue;
        const Node *n = &t->g->node[t->of[i]];
        if (!strncmp(n->op, "Conv", 4) && dims_agree(node_input(t->g, n, 0), first))
            t->of[i - 1] = t->of[i];
    }
}

/* A large pooling window is several equal rows, one after the other. */
static void tie_repeated(RowTie *t)
{
    for (size_t i = 1; i < t->table->nop; i++)
        if (t->of[i] == NODE_NONE && !strcmp(t->table->op[i].type, t->table->op[i - 1].type) &&
            same_shape(row_tensor(t, i, false, 0), row_tensor(t, i - 1, false, 0)) &&
            same_shape(row_tensor(t, i, true, 0), row_tensor(t, i - 1, true, 0)))
            t->of[i] = t->of[i - 1];
}

/* ---- the ends ---- */

/* The node that first reads the input, or makes the output: by name, else the only one of its
 * shape. */
static NodeId node_at_end(const RowTie *t, size_t row)
{
    const char *type = t->table->op[row].type;
    bool output = *type == 'O';
    size_t n = output ? t->g->noutput : t->g->ninput;
    NodeId found = NODE_NONE;
    for (size_t i = 0; i < n; i++) {
        const Tensor *x = &t->g->tensor[output ? t->g->output[i] : t->g->input[i]];
        NodeId id = output ? x->producer : x->nconsumer ? x->consumer[0] : NODE_NONE;
        if (!strcmp(x->name, t->table->op[row].name))
            return id;
        const ImportTensor *shape = row_tensor(t, row, output, 0);
        if (shape && dims_agree(x, shape))
            found = id;
    }
    return found;
}

enum { COMPARISONS_MAX = 1 << 28 };

static void find_nodes(RowTie *t)
{
    tie_by_name(t, node_of_name);
    if (t->table->nop > COMPARISONS_MAX / (t->g->nnode + 1))
        return;
    tie_by_name(t, node_of_path);
    tie_by_shapes(t, 2);
    tie_by_shapes(t, 0);
    tie_split_stem(t);
    tie_repeated(t);
    for (size_t i = 0; i < t->table->nop; i++)
        if (is_end(t, i))
            t->of[i] = node_at_end(t, i);
}

size_t compiled_tie_rows(Imported *table, Model *m)
{
    Arena *a = table->arena;
    const Graph *g = m->graph;
    RowTie t = {a, table, g, .used = ARENA_ARRAY(a, bool, g->nnode + 1),
                .of = ARENA_ARRAY(a, NodeId, table->nop + 1)};
    size_t tied = 0;
    shape_infer(m, NULL, 0, 1);
    strmap_init(&t.name, a, 2 * g->nnode);
    for (NodeId i = (NodeId)g->nnode; i-- > 0;)
        for (uint32_t k = 0; k < g->node[i].noutput; k++)
            if (g->node[i].output[k] != TENSOR_NONE)
                strmap_put(&t.name, g->tensor[g->node[i].output[k]].name, i);
    for (NodeId i = (NodeId)g->nnode; i-- > 0;)
        if (g->node[i].name && *g->node[i].name)
            strmap_put(&t.name, g->node[i].name, i);
    memset(t.of, 0xff, sizeof *t.of * table->nop);
    find_nodes(&t);
    for (size_t i = 0; i < table->nop; i++) {
        if (t.of[i] != NODE_NONE && !table->op[i].layer.nnode)
            add_label(&t, &table->op[i].layer, t.of[i]);
        tied += t.of[i] != NODE_NONE;
    }
    return tied;
}
