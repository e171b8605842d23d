/* Groups layers of both graphs that share a node or weight (union-find), then compares the groups.
 */
#include "advisor/act/diff/diff_layers.h"

/* A layer of either side; `group` leads to another of its group, or to itself. */
typedef struct {
    const ResultStep *step; /* has a layer */
    int side;
    uint32_t group;
} Node;

typedef struct {
    Arena *a;
    Node *node;
    size_t n, cap;
    StrMap by_word; /* node of the model or weight -> a layer that names it */
} Pairing;

/* Of a piece of the network. */
typedef struct {
    double ns[2];
    size_t layers[2];
    bool timed[2];
    const char *name, *types[2];
} Piece;

static uint32_t group_root(Pairing *p, uint32_t i)
{
    while (p->node[i].group != i) {
        p->node[i].group = p->node[p->node[i].group].group;
        i = p->node[i].group;
    }
    return i;
}

/* The layer that comes first leads its group. */
static void merge_groups(Pairing *p, uint32_t a, uint32_t b)
{
    a = group_root(p, a);
    b = group_root(p, b);
    if (a < b)
        p->node[b].group = a;
    else
        p->node[a].group = b;
    assert(group_root(p, a) == group_root(p, b));
}

static void take_word(Pairing *p, uint32_t i, const char *word)
{
    uint32_t other = strmap_get(&p->by_word, word);
    if (!*word)
        return;
    if (other == STRMAP_NONE)
        strmap_put(&p->by_word, word, i);
    else
        merge_groups(p, i, other);
}

/* What a layer is for: "Reformatting CopyNode for Input Tensor 0 to A + B" is for A + B. */
static const char *work_name(const char *name)
{
    const char *to = strncmp(name, "Reformatting CopyNode", 21) == 0 ? strstr(name, " to ") : NULL;
    return to ? to + 4 : name;
}

/* "Conv_206": a number that another export gives to another node.  "layer4.1.conv2.weight" is none.
 */
static bool is_numbered(const char *word)
{
    size_t letters = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    const char *bar = word + letters;
    return letters && *bar == '_' && bar[1] && bar[1 + strspn(bar + 1, "0123456789")] == '\0';
}

/* Numbered words count only where a layer has no other. */
static bool has_names(const char *text)
{
    while (text) {
        const char *next = strstr(text, " + ");
        size_t len = next ? (size_t)(next - text) : strlen(text);
        char word[256];
        if (len >= sizeof word)
            return true;
        memcpy(word, text, len);
        word[len] = '\0';
        if (!is_numbered(word))
            return true;
        text = next ? next + 3 : NULL;
    }
    return false;
}

static void take_words(Pairing *p, uint32_t i)
{
    const ResultStep *step = p->node[i].step;
    for (size_t k = 0; k < step->onnx_nodes.count; k++)
        take_word(p, i, step->onnx_nodes.item[k]);
    char *s = arena_strdup(p->a, work_name(step->layer->name));
    bool named = has_names(s);
    while (s) {
        char *next = strstr(s, " + ");
        if (next)
            *next = '\0';
        if (!named || !is_numbered(s))
            take_word(p, i, s);
        s = next ? next + 3 : NULL;
    }
}

static void take_side(Pairing *p, const ResultStepList *steps, int side)
{
    for (size_t k = 0; k < steps->count; k++) {
        uint32_t i = (uint32_t)p->n;
        if (!steps->item[k].layer)
            continue;
        *VEC_PUSH(p->a, p->node, p->n, p->cap) = (Node){&steps->item[k], side, i};
        take_words(p, i);
    }
}

static const char *first_type(const ResultLayerTensorList *list)
{
    return list->count ? list->item[0].dtype : "?";
}

static const char *types_of(Arena *a, const ResultLayer *layer)
{
    return arena_printf(a, "%.20s to %.20s", first_type(&layer->inputs),
                        first_type(&layer->outputs));
}

/* The longest of a side speaks for its types. */
static void add_to(Pairing *p, Piece *x, const Node *n)
{
    const ResultMeasuredNs *measured = n->step->measured_ns;
    bool timed = measured && measured->mean.known;
    double ns = timed ? (double)measured->mean.value : 0;
    if (timed && ns <= 0)
        return;
    x->layers[n->side]++;
    if (!x->types[n->side] || (timed && ns > x->ns[n->side]))
        x->types[n->side] = types_of(p->a, n->step->layer);
    x->timed[n->side] |= timed;
    x->ns[n->side] += ns;
    if (!x->name)
        x->name = work_name(n->step->layer->name);
}

static const char *describe_change(Arena *a, const Piece *x)
{
    const char *text = "";
    if (x->layers[0] && x->layers[1] && x->layers[0] != x->layers[1])
        text = arena_printf(a, "%zu layer%s, now %zu", x->layers[0], x->layers[0] == 1 ? "" : "s",
                            x->layers[1]);
    if (x->types[0] && x->types[1] && strcmp(x->types[0], x->types[1]))
        text = arena_printf(a, "%s%s%s, now %s", text, *text ? "; " : "", x->types[0], x->types[1]);
    return text;
}

static DiffValue piece_value(const Piece *x, int side)
{
    return (DiffValue){
        .known = x->timed[side], .lo = x->ns[side], .mid = x->ns[side], .hi = x->ns[side]};
}

void diff_layers(Arena *a, cJSON *list, const ResultStepList *old, const ResultStepList *new)
{
    Pairing p = {.a = a};
    strmap_init(&p.by_word, a, 256);
    take_side(&p, old, 0);
    take_side(&p, new, 1);
    Piece *piece = ARENA_ARRAY(a, Piece, p.n + 1);
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t root = group_root(&p, i);
        assert(root <= i); /* the first layer leads its group */
        add_to(&p, &piece[root], &p.node[i]);
    }
    for (size_t i = 0; i < p.n; i++) {
        const Piece *x = &piece[i];
        if (!x->layers[0] && !x->layers[1])
            continue;
        diff_add(list, "layer", x->name, "ns", piece_value(x, 0), piece_value(x, 1));
        cJSON_AddStringToObject(list->child->prev, "how", describe_change(a, x));
    }
    diff_sort(list);
}
