/* Maps the layers of an engine to the nodes of the ONNX model that it was built from. */
#include "advisor/advise/compiled/compiled.h"
#include "advisor/advise/compiled/compiled_tie.h"

#include "advisor/message/phrase.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"

typedef struct {
    CompiledRun *run;
    StrMap node; /* by name and by the tensors that they make */
    const Graph *graph;
    const char **label; /* of the layer at hand */
    size_t nlabel, cap;
    size_t tied; /* layers with nodes */
} Tie;

/* "A + B" parts outside of brackets; PWN(…) and its like are opened. */
static size_t part_length(const char *s)
{
    int depth = 0;
    size_t i = 0;
    for (; s[i]; i++) {
        if (s[i] == '(' || s[i] == '[' || s[i] == '{')
            depth++;
        else if (s[i] == ')' || s[i] == ']' || s[i] == '}')
            depth -= depth > 0;
        else if (depth == 0 && (!strncmp(s + i, " + ", 3) || !strncmp(s + i, " || ", 4)))
            break;
    }
    return i;
}

/* Adds the node of that name or output to the layer, once. */
static void add_node(Tie *t, const char *name, size_t len)
{
    Arena *a = t->run->arena;
    uint32_t id = strmap_get(&t->node, arena_strndup(a, name, len));
    if (id == STRMAP_NONE)
        return;
    const char *label = node_label(a, &t->graph->node[id]);
    for (size_t i = 0; i < t->nlabel; i++)
        if (!strcmp(t->label[i], label))
            return;
    *VEC_PUSH(a, t->label, t->nlabel, t->cap) = arena_strdup(a, label);
}

static void open_part(Tie *t, const char *s, size_t len, int depth)
{
    const char *open = memchr(s, '(', len);
    bool wrapped = open && len && s[len - 1] == ')' &&
                   (!strncmp(s, "PWN(", 4) || !strncmp(s, "fusedPointwiseNode(", 19));
    if (!wrapped || depth == 0) {
        add_node(t, s, len);
        return;
    }
    const char *at = open + 1, *end = s + len - 1;
    while (at < end) {
        size_t part = 0;
        int inner = 0;
        for (; at + part < end && (inner || strncmp(at + part, ", ", 2)); part++)
            inner += at[part] == '(' ? 1 : at[part] == ')' ? -1 : 0;
        open_part(t, at, part, depth - 1);
        at += part + 2;
    }
}

static void tie_layer(Tie *t, ImportOp *op)
{
    ImportLayer *l = &op->layer;
    t->label = NULL;
    t->nlabel = t->cap = 0;
    for (size_t i = 0; i < l->nnode; i++)
        add_node(t, l->node[i], strlen(l->node[i]));
    for (const char *s = op->name; !l->nnode && *s;) {
        size_t len = part_length(s);
        open_part(t, s, len, 8);
        s += len;
        s += !strncmp(s, " + ", 3) ? 3 : !strncmp(s, " || ", 4) ? 4 : 0;
    }
    /* The vendor numbers names of nodes anew, and keeps those of tensors. */
    for (size_t i = 0; !t->nlabel && i < op->noutput; i++) {
        const char *made = t->run->graph->tensor[op->output[i]].name;
        add_node(t, made, strlen(made));
    }
    l->node = t->label;
    l->nnode = t->nlabel;
    t->tied += l->nnode > 0;
}

/* An operator that no page lists is int8 in the file, too: that is no other place. */
static bool runs_on_host(const Program *p, NodeId node)
{
    return LIST_ANY(i, p->nstep,
                    p->step[i].kind == STEP_HOST && !p->step[i].place_unknown &&
                        LIST_ANY(k, p->step[i].nnode, p->step[i].node[k] == node));
}

#define DOT_SDK "0.9" /* the one whose quantizer writes it */

/* The vendor's file decides where an operator runs; says where we would have placed it elsewhere.
 */
static void note_places(const Tie *t, const Model *m)
{
    CompiledRun *run = t->run;
    const Program *p = compiled_tie_program(run->arena, m, NULL, DOT_SDK);
    const char *first = NULL;
    size_t others = 0;
    for (size_t i = 0; p && i < run->graph->nop; i++) {
        const ImportOp *op = &run->graph->op[i];
        bool host = op->work == WORK_HOST;
        uint32_t id =
            op->noutput ? strmap_get(&t->node, run->graph->tensor[op->output[0]].name) : 0;
        if (!op->layer.nnode || id == STRMAP_NONE || (!host && op->work != WORK_COMPUTE) ||
            runs_on_host(p, id) == host)
            continue;
        first = first ? first : op->layer.node[0];
        others++;
    }
    if (others)
        notes_add(run->notes, "placed-elsewhere", phrase_arg(PHRASE_NOTE_PLACED_ELSEWHERE),
                  arg_size(others), arg_text(first));
}

Status compiled_tie(CompiledRun *run, const char *onnx, Diag *diag)
{
    Model *m = NULL;
    Status st = model_load(run->arena, onnx, run->notes, &m, diag);
    if (st)
        return st;
    Tie t = {.run = run, .graph = m->graph};
    graph_index_names(run->arena, m->graph, &t.node);
    for (size_t i = 0; !run->graph->rknn && i < run->graph->nop; i++)
        tie_layer(&t, &run->graph->op[i]);
    if (run->graph->rknn)
        t.tied = compiled_tie_rows(run->graph, m);
    notes_add(run->notes, "tied", phrase_arg(PHRASE_NOTE_TIED), arg_size(t.tied),
              arg_size(run->graph->nop), arg_text(file_base_name(onnx)));
    if (run->graph->vendor)
        note_places(&t, m);
    model_close(m);
    return STATUS_OK;
}
