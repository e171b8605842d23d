/* Looks at each layer alone, then at its neighbours, then at the traits of those neighbours. */
#include "advisor/advise/compiled/layer_traits.h"
#include "advisor/message/phrase.h"
#include "graph/model/dtype.h"

typedef struct {
    Arena *a;
    const LayerTimes *t;
    const Imported *g;
    LayerTraits *look;
    uint32_t *reader, *reader_at; /* operators that read tensor i: reader[reader_at[i] … [i + 1]) */
    uint32_t *seen, stamp;        /* operators reached in the walk at hand */
} Looking;

const char *layer_kind_key(LayerKind k)
{
    static const char *const key[] = {
#define X(id, key) key,
        LAYER_KINDS(X)
#undef X
    };
    assert((unsigned)k < LAYER_KIND_COUNT);
    return key[k];
}

ENUM_WORDS(layer_answer_key, Answer, ANSWER_UNKNOWN + 1, "no", "yes", "unknown")

bool layer_is_quantized_type(DType t)
{
    return t == DT_INT8 || t == DT_INT4 || t == DT_FLOAT4E2M1 || t == DT_FLOAT8E4M3FN ||
           t == DT_FLOAT8E5M2;
}

static bool is_real(DType t)
{
    return dtype_is_float(t) && !layer_is_quantized_type(t);
}

/* ---- kinds ---- */

typedef struct {
    const char *word;
    LayerKind kind;
} KindWord;

/* The first row whose word is in the type or operation; longer words come first. */
static const KindWord kind_word[] = {
#define WORD(text, kind) {text, LAYER_##kind},
#define ROW(text, kind)
#include "advisor/advise/compiled/layer_words.def"
};

/* For a table of RKNN: a word is the beginning of a type, or for pointwise types any part. */
static const KindWord row_word[] = {
#define WORD(text, kind)
#define ROW(text, kind) {text, LAYER_##kind},
#include "advisor/advise/compiled/layer_words.def"
};

static LayerKind kind_of_row(const char *type)
{
    static const char *const pointwise[] = {"Add",  "Sub",  "Mul",   "Div",     "Relu", "Clip",
                                            "Tanh", "Gelu", "Swish", "Sigmoid", "Mish"};
    bool point = LIST_ANY(i, sizeof pointwise / sizeof *pointwise, strstr(type, pointwise[i]));
    return LIST_VALUE(i, sizeof row_word / sizeof *row_word,
                      !strncmp(type, row_word[i].word, strlen(row_word[i].word)), row_word[i].kind,
                      point ? LAYER_POINTWISE : LAYER_OTHER);
}

static LayerKind kind_of_word(const char *text)
{
    for (size_t i = 0; text && i < sizeof kind_word / sizeof *kind_word; i++)
        if (strcasestr(text, kind_word[i].word))
            return kind_word[i].kind;
    return LAYER_OTHER;
}

/* Of a layer whose name is all that is known. */
static LayerKind kind_of_name(const char *name)
{
    if (strstr(name, "{ForeignNode["))
        return LAYER_OPAQUE;
    if (strncmp(name, "Reformatting CopyNode", 21) == 0)
        return LAYER_REFORMAT;
    if (strncmp(name, "[trainStation", 13) == 0)
        return LAYER_SYNC;
    return LAYER_OTHER;
}

/* Kernels that Myelin makes say by their tactic whether they are a convolution or a product; fused
 * attention is neither.  A ForeignNode is many kernels. */
static LayerKind kind_of_kernel(const ImportOp *op)
{
    static const char *const made[] = {"fusion", "kgen", "Myelin"},
                             *const conv[] = {"fprop", "conv"}, *const gemm[] = {"gemm", "cublas"};
    bool is_made = LIST_ANY(i, sizeof made / sizeof *made, !strcasecmp(op->type, made[i]));
    if (!is_made || !op->layer.tactic || strstr(op->name, "{ForeignNode[") ||
        strcasestr(op->layer.tactic, "mha"))
        return LAYER_OTHER;
    if (LIST_ANY(i, sizeof conv / sizeof *conv, strcasestr(op->layer.tactic, conv[i])))
        return LAYER_CONV;
    return LIST_ANY(i, sizeof gemm / sizeof *gemm, strcasestr(op->layer.tactic, gemm[i]))
               ? LAYER_GEMM
               : LAYER_OTHER;
}

static LayerKind kind_of_op(const ImportOp *op)
{
    if (!op->type)
        return kind_of_name(op->name);
    LayerKind by_kernel = kind_of_kernel(op);
    if (by_kernel != LAYER_OTHER)
        return by_kernel;
    LayerKind by_type = kind_of_word(op->type);
    bool decided = by_type == LAYER_NOOP || by_type == LAYER_PLUGIN || by_type == LAYER_PAD ||
                   by_type == LAYER_OPAQUE || by_type == LAYER_SYNC;
    if (by_type == LAYER_PLUGIN && op->layer.plugin &&
        kind_of_word(op->layer.plugin) == LAYER_SELECT)
        return LAYER_SELECT;
    LayerKind by_operation = kind_of_word(op->layer.operation);
    return decided || by_operation == LAYER_OTHER ? by_type : by_operation;
}

/* ---- neighbours ---- */

static void index_readers(Looking *l)
{
    const Imported *g = l->g;
    l->reader_at = ARENA_ARRAY(l->a, uint32_t, g->ntensor + 2);
    size_t all = 0;
    for (size_t i = 0; i < g->nop; i++)
        for (size_t k = 0; k < g->op[i].ninput; k++, all++)
            l->reader_at[g->op[i].input[k] + 1]++;
    for (size_t t = 0; t < g->ntensor; t++)
        l->reader_at[t + 1] += l->reader_at[t];
    l->reader = ARENA_ARRAY(l->a, uint32_t, all + 1);
    uint32_t *next = ARENA_ARRAY(l->a, uint32_t, g->ntensor + 1);
    memcpy(next, l->reader_at, (g->ntensor) * sizeof *next);
    for (size_t i = 0; i < g->nop; i++)
        for (size_t k = 0; k < g->op[i].ninput; k++)
            l->reader[next[g->op[i].input[k]]++] = (uint32_t)i;
}

typedef struct {
    uint32_t *list;
    size_t n, cap;
    bool reaches_end; /* an input or output of the engine */
} Reach;

static void reach_neighbours(Looking *l, uint32_t op, bool back, bool through_layout, Reach *r,
                             int depth);

static void reach_one(Looking *l, uint32_t op, bool back, bool through_layout, Reach *r, int depth)
{
    const ImportOp *o = &l->g->op[op];
    if (l->seen[op] == l->stamp)
        return;
    l->seen[op] = l->stamp;
    if (depth > 0 && (o->work == WORK_RENAME || (o->work == WORK_VIEW && o->ninput) ||
                      (through_layout && o->work == WORK_LAYOUT)))
        reach_neighbours(l, op, back, through_layout, r, depth - 1);
    else
        *VEC_PUSH(l->a, r->list, r->n, r->cap) = op;
}

static void reach_neighbours(Looking *l, uint32_t op, bool back, bool through_layout, Reach *r,
                             int depth)
{
    const ImportOp *o = &l->g->op[op];
    for (size_t k = 0; k < (back ? o->ninput : o->noutput); k++) {
        uint32_t t = back ? o->input[k] : o->output[k];
        const ImportTensor *x = &l->g->tensor[t];
        if (back && x->producer != IMPORT_NONE)
            reach_one(l, x->producer, back, through_layout, r, depth);
        else
            r->reaches_end |= x->bound;
        for (uint32_t i = l->reader_at[t]; !back && i < l->reader_at[t + 1]; i++)
            reach_one(l, l->reader[i], back, through_layout, r, depth);
    }
}

enum { LOOK_THROUGH = 16 }; /* views and moves in a row */

static Reach reach_from(Looking *l, size_t op, bool back, bool through_layout)
{
    Reach r = {.list = NULL};
    l->stamp++;
    l->seen[op] = l->stamp;
    reach_neighbours(l, (uint32_t)op, back, through_layout, &r, LOOK_THROUGH);
    return r;
}

/* ---- what each layer is ---- */

/* Words in the names of kernels that use tensor cores. */
static Answer uses_tensor_core(const ImportOp *op)
{
    static const char *const word[] = {"imma", "hmma", "xmma",  "mma",   "884",
                                       "1688", "8816", "16816", "16832", "tensor"};
    if (!op->layer.tactic || !*op->layer.tactic)
        return ANSWER_UNKNOWN;
    return LIST_ANY(i, sizeof word / sizeof *word, strstr(op->layer.tactic, word[i])) ? ANSWER_YES
                                                                                      : ANSWER_NO;
}

/* Float16 takes channels by eight, int8 by sixteen. */
static Answer is_aligned(const LayerTraits *x)
{
    int64_t unit = x->in == DT_FLOAT16 || x->in == DT_BFLOAT16 ? 8
                   : layer_is_quantized_type(x->in)            ? 16
                                                               : 0;
    if (unit == 0 || x->c < 1 || x->k < 1)
        return ANSWER_UNKNOWN;
    return x->c % unit == 0 && x->k % unit == 0 ? ANSWER_YES : ANSWER_NO;
}

static bool contains_word(const char *text, const char *word)
{
    return text && strcasestr(text, word);
}

static void look_at_types(Looking *l, const ImportOp *op, LayerTraits *x)
{
    const Imported *g = l->g;
    size_t real = 0, all = op->ninput + op->noutput, quantized = 0;
    for (size_t k = 0; k < all; k++) {
        DType t = g->tensor[layer_tensor(op, k)].dtype;
        real += is_real(t);
        quantized += layer_is_quantized_type(t);
    }
    x->touches_int8 = quantized > 0;
    x->is_float = real > 0 && quantized == 0;
    x->quantized_in = layer_is_quantized_type(x->in);
    x->quantized_out = layer_is_quantized_type(x->out);
}

/* A slice whose output is larger is padding. */
static bool makes_larger(const ImportTensor *in, const ImportTensor *out)
{
    bool larger = false;
    for (int i = 0; in && out && in->rank == out->rank && i < in->rank; i++)
        larger |= in->dim[i] >= 0 && out->dim[i] > in->dim[i];
    return larger;
}

/* The next size that is not 1, from *at on; -1: none. */
static int64_t next_extent(const ImportTensor *t, int *at)
{
    while (*at < t->rank && t->dim[*at] == 1)
        ++*at;
    return *at < t->rank ? t->dim[(*at)++] : -1;
}

/* The same sizes in another order: a move of data, not another view of it. */
static bool moves_axes(const ImportTensor *in, const ImportTensor *out)
{
    int64_t sum = 0, product_in = 1, product_out = 1;
    bool differ = false;
    if (!in || !out || in->rank != out->rank)
        return false;
    for (int i = 0; i < in->rank; i++) {
        bool fits = in->dim[i] > 0 && out->dim[i] > 0 &&
                    !__builtin_mul_overflow(product_in, in->dim[i], &product_in) &&
                    !__builtin_mul_overflow(product_out, out->dim[i], &product_out);
        if (!fits)
            return false;
        sum += in->dim[i] - out->dim[i];
    }
    for (int i = 0, k = 0, n = 0; n < in->rank; n++)
        differ |= next_extent(in, &i) != next_extent(out, &k);
    return differ && sum == 0 && product_in == product_out;
}

static void look_alone(Looking *l, size_t i)
{
    const ImportOp *op = &l->g->op[i];
    LayerTraits *x = &l->look[i];
    const ImportTensor *in = import_first(l->g, op->input, op->ninput),
                       *out = import_first(l->g, op->output, op->noutput);
    x->kind = l->g->rknn ? kind_of_row(op->type) : kind_of_op(op);
    if (x->kind == LAYER_SLICE && makes_larger(in, out))
        x->kind = LAYER_PAD;
    x->transposes = op->layer.transposes || (x->kind == LAYER_SHUFFLE && !op->layer.tells_axes &&
                                             op->ninput == 1 && moves_axes(in, out));
    x->in = in ? in->dtype : DT_UNKNOWN;
    x->out = out ? out->dtype : DT_UNKNOWN;
    x->in_layout = in ? in->layout : NULL;
    x->out_layout = out ? out->layout : NULL;
    x->c = in && in->rank > 1 ? in->dim[1] : -1;
    x->k = op->layer.out_maps;
    look_at_types(l, op, x);
    x->tensor_core = uses_tensor_core(op);
    x->aligned = is_aligned(x);
    x->norm_plugin = x->kind == LAYER_PLUGIN && contains_word(op->layer.plugin, "Normalization");
    x->batch_norm = x->kind == LAYER_SCALE && contains_word(op->name, "BatchNorm");
    x->on_dla_border = (x->in_layout && !strncmp(x->in_layout, "DLA", 3)) !=
                       (x->out_layout && !strncmp(x->out_layout, "DLA", 3));
    x->on_dla_border &= x->kind == LAYER_REFORMAT;
}

static bool is_product(LayerKind k)
{
    return k == LAYER_CONV || k == LAYER_GEMM;
}

static bool all_touch_int8(const Looking *l, const Reach *r)
{
    return LIST_ALL(i, r->n, l->look[r->list[i]].touches_int8) && r->n > 0;
}

static bool any_is(const Looking *l, const Reach *r, LayerKind k)
{
    return LIST_ANY(i, r->n, l->look[r->list[i]].kind == k);
}

static void look_around(Looking *l, size_t i)
{
    const ImportOp *op = &l->g->op[i];
    LayerTraits *x = &l->look[i];
    Reach back = reach_from(l, i, true, false), on = reach_from(l, i, false, false);
    x->at_input = back.reaches_end;
    x->at_output = on.reaches_end;
    for (size_t k = 0; k < op->ninput + op->noutput; k++) {
        const ImportTensor *y = &l->g->tensor[layer_tensor(op, k)];
        x->at_border |= y->bound && (k >= op->ninput || y->producer == IMPORT_NONE);
    }
    x->before = back.list;
    x->nbefore = back.n;
    x->behind = on.list;
    x->nbehind = on.n;
    x->falls_out = is_product(x->kind) && x->quantized_in && is_real(x->out) && !x->at_output;
    x->attention =
        x->kind == LAYER_SOFTMAX && any_is(l, &back, LAYER_GEMM) && any_is(l, &on, LAYER_GEMM);
    if (!(op->work == WORK_COMPUTE && x->kind != LAYER_OPAQUE && x->kind != LAYER_SYNC) ||
        !x->is_float || is_product(x->kind))
        return;
    Reach far_back = reach_from(l, i, true, true), far_on = reach_from(l, i, false, true);
    x->island = all_touch_int8(l, &far_back) && all_touch_int8(l, &far_on);
}

/* What looks at what its neighbours turned out to be. */
static void look_again(Looking *l, size_t i)
{
    LayerTraits *x = &l->look[i];
    Reach back = {.list = x->before, .n = x->nbefore};
    x->behind_transpose =
        x->kind == LAYER_REFORMAT &&
        LIST_ANY(k, back.n, l->look[back.list[k]].transposes && l->look[back.list[k]].at_input);
    for (size_t k = 0; k < back.n && x->kind == LAYER_SCALE; k++) {
        const LayerTraits *y = &l->look[back.list[k]];
        x->norm_scale |= y->norm_plugin;
        for (size_t m = 0; m < y->nbefore && y->kind == LAYER_REFORMAT; m++)
            x->norm_scale |= l->look[y->before[m]].norm_plugin;
    }
}

/* ---- messages of the log ---- */

static void mark_messages(Looking *l)
{
    const EngineTimes *t = l->t->times;
    StrMap subject;
    strmap_init(&subject, l->a, t->nmessage);
    for (size_t i = 0; i < t->nmessage; i++)
        if (t->message[i].subject)
            strmap_put(&subject, t->message[i].subject, (uint32_t)t->message[i].kind);
    for (size_t i = 0; t->nmessage && i < l->g->nop; i++) {
        const ImportOp *op = &l->g->op[i];
        uint32_t kind = strmap_get(&subject, op->name);
        l->look[i].fell_back = kind == ENGINE_DLA_FALLBACK;
        l->look[i].missing_scale = kind == ENGINE_INT8_REJECTED;
        for (size_t k = 0; k < op->ninput + op->noutput; k++) {
            uint32_t id = layer_tensor(op, k);
            l->look[i].missing_scale |=
                strmap_get(&subject, l->g->tensor[id].name) == ENGINE_MISSING_SCALE;
        }
    }
}

/* ---- kinds that no rule knows ---- */

/* Types that are known, without a rule for them alone. */
static bool is_plain_type(const char *type)
{
    static const char *const word[] = {"Resize", "Reduce", "Gather",   "Scatter",       "Concat",
                                       "Unary",  "Select", "Fill",     "Cast",          "Identity",
                                       "Einsum", "Loop",   "Quantize", "Normalization", "RNN",
                                       "signal", "wait"};
    return LIST_ANY(i, sizeof word / sizeof *word, strcasestr(type, word[i]));
}

static bool is_listed(const char *list, const char *type)
{
    size_t n = strlen(type);
    for (const char *at = list; list && (at = strstr(at, type)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

static void name_unknown_kinds(Looking *l, LayerTimes *t)
{
    enum { NAMED = 8 };
    const char *list = NULL;
    size_t n = 0, named = 0;
    double ns = 0;
    for (size_t i = 0; l->g->kind == IMPORT_TENSORRT && i < l->g->nop; i++) {
        const char *type = l->g->op[i].type;
        if (l->look[i].kind != LAYER_OTHER || !type || !*type || t->ns[i] == 0 ||
            is_plain_type(type))
            continue;
        n++;
        ns += t->ns[i] > 0 ? t->ns[i] : 0;
        if (named < NAMED && !is_listed(list, type) && ++named)
            list = list ? arena_printf(l->a, "%s, %s", list, type) : type;
    }
    if (n && t->times->nrow)
        layer_times_issue(l->a, t, "unknown-kinds",
                          MESSAGE(l->a, phrase_arg(PHRASE_UNKNOWN_KINDS), arg_size(n), arg_time(ns),
                                  arg_text(list)));
}

LayerTraits *layer_traits_find(Arena *a, LayerTimes *t)
{
    const Imported *g = t->graph;
    Looking l = {.a = a, .t = t, .g = g, .look = ARENA_ARRAY(a, LayerTraits, g->nop + 1)};
    l.seen = ARENA_ARRAY(a, uint32_t, g->nop + 1);
    index_readers(&l);
    for (size_t i = 0; i < g->nop; i++)
        look_alone(&l, i);
    for (size_t i = 0; i < g->nop; i++)
        look_around(&l, i);
    for (size_t i = 0; i < g->nop; i++)
        look_again(&l, i);
    mark_messages(&l);
    name_unknown_kinds(&l, t);
    return l.look;
}
