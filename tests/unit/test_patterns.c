/* Patterns: what each recogniser marks, and what it nearly would. */
#include "passes/patterns.h"
#include "tests/unit/check.h"
#include "tests/unit/model_text.h"

static Arena *arena;

/* The results of the nodes that are marked, by name and end: "attention of y: s t y; ". */
static const char *marks_of(const char *text, size_t without)
{
    const char *ret = "", *name = NULL;
    Model *m = model_of(arena, text);
    NodeId end = NODE_NONE;
    if (!m)
        return "no model";
    m->graph->nnode -= without; /* of the last nodes nobody knows */
    const Graph *g = m->graph;
    Patterns p = patterns_find(arena, g);
    for (size_t i = 0; i < g->nnode + (without > 0); i++) {
        if (!p.name[i])
            continue;
        if (p.name[i] != name || p.end[i] != end)
            ret = arena_printf(arena, "%s%s%s of %s:", ret, name ? "; " : "", p.name[i],
                               node_output(g, &g->node[p.end[i]], 0)->name);
        name = p.name[i];
        end = p.end[i];
        ret = arena_printf(arena, "%s %s", ret, node_output(g, &g->node[i], 0)->name);
    }
    return ret;
}

static void marks(int line, const char *text, const char *expected)
{
    const char *found = marks_of(text, 0);
    bool same = !strcmp(found, expected);
    if (!same)
        printf("line %d: '%s', not '%s'\n", line, found, expected);
    CHECK(same);
}
#define MARKS(text, expected) marks(__LINE__, text, expected)

/* ---- channels of an input ---- */

#define IMAGE                                                                                      \
    "x : 1 3 8 8\n"                                                                                \
    "i = # 0\n"                                                                                    \
    "j = # 1\n"                                                                                    \
    "k = 0.5\n"                                                                                    \
    "a = Gather x i axis=1\n"                                                                      \
    "b = Gather x j axis=1\n"

static void channel_checks(void)
{
    MARKS(IMAGE "y = Concat b a axis=1\n-> y\n", "channel selection of y: a b y");
    /* One of them scaled is enough, by what stands on either side. */
    MARKS(IMAGE "c = Mul a k\ny = Concat c b axis=1\n-> y\n", "input normalisation of y: a b c y");
    MARKS(IMAGE "c = Mul k a\ny = Concat c b axis=1\n-> y\n", "input normalisation of y: a b c y");
    MARKS(IMAGE "c = Div b k\nd = Sub c k\ny = Concat a d axis=1\n-> y\n",
          "input normalisation of y: a b c d y");
    MARKS(IMAGE "c = Add b k\nd = Identity c\ny = Concat a d axis=1\n-> y\n",
          "input normalisation of y: a b c y");
    /* Not two of them with each other, another operator, or with nothing taken out. */
    MARKS(IMAGE "c = Mul a b\ny = Concat c b axis=1\n-> y\n", "");
    MARKS(IMAGE "c = Relu a\ny = Concat c b axis=1\n-> y\n", "");
    MARKS(IMAGE "c = Max a k\ny = Concat c b axis=1\n-> y\n", "");
    MARKS(IMAGE "c = Mul x k\ny = Concat c b axis=1\n-> y\n", "");
    MARKS(IMAGE "y = Concat a x axis=1\n-> y\n", "");
    MARKS(IMAGE "y = Concat a axis=1\n-> y\n", "");
    MARKS(IMAGE "y = Concat a k axis=1\n-> y\n", "");
    MARKS("x : 1 4 8 8\na b = Split x axis=1\ny = Concat b a axis=1\n-> y\n",
          "channel selection of y: a y");
    /* Of one input, and of an input. */
    MARKS("x : 1 3 8 8\nz : 1 3 8 8\ni = # 0\na = Gather x i axis=1\nb = Gather z i axis=1\n"
          "y = Concat a b axis=1\n-> y\n",
          "");
    MARKS("z : 1 3 8 8\ni = # 0\nx = Relu z\na = Gather x i axis=1\nb = Gather x i axis=1\n"
          "y = Concat a b axis=1\n-> y\n",
          "");
}

/* One Gather of several channels, which do not follow each other, of a picture that is fed. */
static void selection_checks(void)
{
    MARKS("x : 1 3 8 8\ni = # 2 1 0\ny = Gather x i axis=1\n-> y\n", "channel selection of y: y");
    MARKS("x : 1 3 8 8\ni = # 0 1\ny = Gather x i axis=1\n-> y\n", "channel selection of y: y");
    MARKS("x : 1 3 8 8\ni = # 2\ny = Gather x i axis=1\n-> y\n", "");
    MARKS("x : 1 3 8 8\ni = # 2 1 0\ny = Gather x i axis=2\n-> y\n", "");
    MARKS("x : 3 8 8\ni = # 2 1 0\ny = Gather x i axis=1\n-> y\n", "");
    MARKS("x : 2 3 8 8\ni = # 1 0\ny = Gather x i\n-> y\n", "");
    /* Further down it is a shuffle, unless the numbers follow each other. */
    MARKS("x : 1 3 8 8\ni = # 2 1 0\nr = Relu x\ny = Gather r i axis=1\n-> y\n",
          "channel shuffle of y: y");
    MARKS("x : 1 3 8 8\ni = # 0 1\nr = Relu x\ny = Gather r i axis=1\n-> y\n", "");
    MARKS("x : 1 3 8 8\ni = # 1\nr = Relu x\ny = Gather r i axis=1\n-> y\n", "");
    MARKS("x : 3 8 8\ni = # 2 1 0\nr = Relu x\ny = Gather r i axis=1\n-> y\n", "");
    MARKS("x : 1 3 8 8\ni = # 1 0\nr = Relu x\ny = Gather r i axis=1\n-> y\n",
          "channel shuffle of y: y");
    MARKS("x : 1 4 8 8\ni = # 0 1 3\nr = Relu x\ny = Gather r i axis=1\n-> y\n", "");
    MARKS("w = [1 3 2 2]\nx : 3 2\ni = # 2 1 0\ny = Gather w i axis=1\nz = Relu x\n-> z y\n",
          "channel shuffle of y: y");
    MARKS("x : 1 3 8 8\ni = # 2 1 0\nr = Relu x\ny = Gather r i axis=2\n-> y\n", "");
    MARKS("x : 3 3 8 8\ni = # 2 1 0\nr = Relu x\ny = Gather r i\n-> y\n", "");
}

/* Eight steps from the Concat to the input are followed, and 64 nodes in all. */
static void channel_ends(void)
{
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (int n = 7; n <= 8; n++) {
        const char *text = "x : 1 3 8 8\ni = # 0\nj = # 1\nk = 0.5\na = Gather x i axis=1\n"
                           "z = Gather x j axis=1\n";
        const char *all = "a z";
        for (int i = 1; i < n; i++) {
            text = arena_printf(arena, "%s%s = Mul %s k\n", text, name[i], name[i - 1]);
            all = arena_printf(arena, "%s %s", all, name[i]);
        }
        marks(__LINE__, arena_printf(arena, "%sy = Concat z %s axis=1\n-> y\n", text, name[n - 1]),
              n == 7 ? arena_printf(arena, "input normalisation of y: %s y", all) : "");
        if (n == 8)
            marks(__LINE__, arena_printf(arena, "%sy = Concat h h axis=1\n-> y\n", text), "");
    }
    for (int n = 64; n <= 65; n++) {
        const char *text = "x : 1 3 8 8\ni = # 0\n", *all = "";
        for (int i = 0; i < n; i++) {
            text = arena_printf(arena, "%sa%d = Gather x i axis=1\n", text, i);
            all = arena_printf(arena, "%s a%d", all, i);
        }
        marks(__LINE__, arena_printf(arena, "%sy = Concat%s axis=1\n-> y\n", text, all),
              n == 64 ? arena_printf(arena, "channel selection of y:%s y", all) : "");
    }
}

/* ---- channel shuffles ---- */

/* x, r of 1 x 2 x 3 x 4 x 4, t in another order, y as x was; `how` says what stands for each. */
static const char *shuffle(const char *view, const char *order, const char *back)
{
    return arena_printf(arena,
                        "x : 1 6 4 4\ns = # 1 2 3 4 4\nb = # 1 6 4 4\nr = %s\nt = %s\ny = %s\n"
                        "-> y\n",
                        view, order, back);
}

static void shuffle_checks(void)
{
    static const char all[] = "channel shuffle of y: r t y";
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,2,1,3,4", "Reshape t b"), all);
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,2,1,4,3", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=2,0,1,3,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,1,2,3,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,2,3,1,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,3,1,2,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=1,2,0,3,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=3,2,1,0,4", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r", "Reshape t b"), "");
    MARKS(shuffle("Reshape x s", "Transpose r perm=0,2,1,3,4", "Relu t"), "");
    MARKS(shuffle("Expand x b", "Transpose r perm=0,2,1,3", "Reshape t b"), "");
    MARKS("x : 1 2 3 4 4\nb = # 1 6 4 4\nt = Transpose x perm=0,2,1,3,4\ny = Reshape t b\n-> y\n",
          "");
    /* An output, and what two read, is no part of it. */
    MARKS("x : 1 6 4 4\ns = # 1 2 3 4 4\nr = Reshape x s\nt = Transpose r perm=0,2,1,3,4\n-> t\n",
          "");
    /* Of four axes, not of three. */
    MARKS("x : 1 6 4\ns = # 1 2 3 4\nb = # 1 6 4\nr = Reshape x s\nt = Transpose r perm=0,2,1,3\n"
          "y = Reshape t b\n-> y\n",
          all);
    MARKS("x : 1 6\ns = # 1 2 3\nb = # 1 6\nr = Reshape x s\nt = Transpose r perm=0,2,1\n"
          "y = Reshape t b\n-> y\n",
          "");
    /* The first node is one as well. */
    MARKS("x : 1 6 4 4\ns : 5\nb = # 1 6 4 4\ni = # 2 1\ny = Gather x i axis=1\n-> y\n",
          "channel selection of y: y");
}

/* ---- normalisations ---- */

#define ROOT  "x : 2 3 4 4\ne = 0.001\nh = 0.5\ntwo = 2\none = 1\n"
#define BELOW "m = ReduceMean s axes=3\na = Add m e\nd = Sqrt a\n"

static void rms_checks(void)
{
    MARKS(ROOT "s = Mul x x\n" BELOW "y = Div x d\n-> y\n", "RMSNorm of y: s m a d y");
    MARKS(ROOT "s = Pow x two\n" BELOW "y = Div x d\n-> y\n", "RMSNorm of y: s m a d y");
    MARKS(ROOT "s = Pow x h\n" BELOW "y = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Mul x h\n" BELOW "y = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Add x x\n" BELOW "y = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Relu x\n" BELOW "y = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\n" BELOW "y = Div d x\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\n" BELOW "y = Sub x d\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Relu x\ny = Div r d\n-> y\n", "");
    /* The root as a power, and nothing added. */
    MARKS(ROOT "s = Mul x x\nm = ReduceMean s axes=3\nd = Pow m h\ny = Div x d\n-> y\n",
          "RMSNorm of y: s m d y");
    MARKS(ROOT "s = Mul x x\nm = ReduceMean s axes=3\nd = Pow m two\ny = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\nm = ReduceMax s axes=3\nd = Sqrt m\ny = Div x d\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\nm = GlobalAveragePool s\nd = Sqrt m\ny = Div x d\n-> y\n",
          "RMSNorm of y: s m d y");
    MARKS(ROOT "s = Mul x x\nm = ReduceMean s axes=3\na = Add e m\nd = Sqrt a\ny = Div x d\n-> y\n",
          "RMSNorm of y: s m a d y");
    MARKS(ROOT "s = Mul x x\nm = ReduceMean s axes=3\na = Add x m\nd = Sqrt a\ny = Div x d\n-> y\n",
          "");
    MARKS(ROOT "s = Mul x x\nm = ReduceMean s axes=3\na = Sub m e\nd = Sqrt a\ny = Div x d\n-> y\n",
          "");
    /* By a product with the inverse, on either side. */
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Reciprocal d\ny = Mul x r\n-> y\n",
          "RMSNorm of y: s m a d r y");
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Div one d\ny = Mul r x\n-> y\n",
          "RMSNorm of y: s m a d r y");
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Div two d\ny = Mul r x\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Mul one d\ny = Mul r x\n-> y\n", "");
    MARKS(ROOT "s = Mul x x\n" BELOW "r = Reciprocal d\ny = Div x r\n-> y\n", "");
    /* Nothing that is no more than input and output. */
    MARKS("x : 2 3 4 4\nm = ReduceMean x axes=3\nd = Sqrt m\ny = Div x d\n-> y\n", "");
    MARKS("x : 2 3 4 4\nr = Relu x\nm = ReduceMean r axes=3\nd = Sqrt m\ny = Div x d\n-> y\n", "");
    MARKS("x : 2 3 4 4\nd = Relu x\ny = Div x d\n-> y\n", "");
    MARKS("x : 2 3 4 4\nd = Sqrt x\ny = Mul x d\n-> y\n", "");
    /* What is left of a number is within a millionth. */
    MARKS("x : 2 3 4 4\ntwo = 2.0000005\ns = Pow x two\nm = ReduceMean s axes=3\nd = Sqrt m\n"
          "y = Div x d\n-> y\n",
          "RMSNorm of y: s m d y");
    MARKS("x : 2 3 4 4\ntwo = 2.000002\ns = Pow x two\nm = ReduceMean s axes=3\nd = Sqrt m\n"
          "y = Div x d\n-> y\n",
          "");
}

#define LESS  ROOT "u = ReduceMean x axes=3\nl = Sub x u\ns = Mul l l\n" BELOW
#define LAYER "LayerNorm of y: u l s m a d y"

static const char *of_axes(const char *mean)
{
    return arena_printf(arena,
                        ROOT "u = %s\nl = Sub x u\ns = Mul l l\nm = ReduceMean s axes=2,3\n"
                             "d = Sqrt m\ny = Div l d\n-> y\n",
                        mean);
}

static void layer_checks(void)
{
    MARKS(LESS "y = Div l d\n-> y\n", LAYER);
    /* The mean of something else, or of the whole taken from it. */
    MARKS(ROOT "r = Relu x\nu = ReduceMean r axes=3\nl = Sub x u\ns = Mul l l\n" BELOW
               "y = Div l d\n-> y\n",
          "RMSNorm of y: s m a d y");
    MARKS(ROOT "u = ReduceMean x axes=3\nl = Sub u x\ns = Mul l l\n" BELOW "y = Div l d\n-> y\n",
          "RMSNorm of y: s m a d y");
    MARKS(ROOT "u = ReduceMean x axes=3\nl = Add x u\ns = Mul l l\n" BELOW "y = Div l d\n-> y\n",
          "RMSNorm of y: s m a d y");
    /* Over height and width. */
    static const char image[] = "InstanceNorm of y: u l s m d y",
                      layer[] = "LayerNorm of y: u l s m d y";
    MARKS(of_axes("ReduceMean x axes=2,3"), image);
    MARKS(of_axes("ReduceMean x axes=-2,-1"), image);
    MARKS(of_axes("GlobalAveragePool x"), image);
    MARKS(of_axes("ReduceMean x axes=1,3"), layer);
    MARKS(of_axes("ReduceMean x axes=2,1"), layer);
    MARKS(of_axes("ReduceMean x axes=3"), layer);
    MARKS("x : 2 3 4 4 4\nu = ReduceMean x axes=2,3\nl = Sub x u\ns = Mul l l\n"
          "m = ReduceMean s axes=2,3\nd = Sqrt m\ny = Div l d\n-> y\n",
          layer);
    /* Operators of their own. */
    MARKS("x : 2 3 4\nw = [4]\ny = LayerNormalization x w\n-> y\n", "LayerNorm of y: y");
    MARKS("x : 2 3 4\nw = [3]\ny = InstanceNormalization x w w\n-> y\n", "InstanceNorm of y: y");
}

/* A weight and a bias behind it, in this order, that nothing else reads. */
static void weight_checks(void)
{
    MARKS(LESS "q = Div l d\nv = Mul q h\ny = Add v e\n-> y\n",
          "LayerNorm of y: u l s m a d q v y");
    MARKS(LESS "q = Div l d\nv = Mul h q\ny = Add e v\n-> y\n",
          "LayerNorm of y: u l s m a d q v y");
    MARKS(LESS "q = Div l d\nv = Add q h\ny = Mul v e\n-> y\n", "LayerNorm of q: u l s m a d q");
    MARKS(LESS "q = Div l d\nv = Mul q x\ny = Add v e\n-> y\n", "LayerNorm of q: u l s m a d q");
    MARKS(LESS "q = Div l d\nv = Mul q h\nw = Add v e\ny = Mul w h\n-> y\n",
          "LayerNorm of w: u l s m a d q v w");
    MARKS(LESS "q = Div l d\nv = Mul q h\ny = Add v x\n-> y\n", "LayerNorm of v: u l s m a d q v");
    MARKS(LESS "q = Div l d\nv = Mul q h\ny = Add v e\n-> y q\n", "LayerNorm of q: u l s m a d q");
}

/* ---- attention ---- */

#define QKV "q : 1 4 8\nk : 1 8 4\nv : 1 4 8\nc = 0.5\n"

static void attention_checks(void)
{
    MARKS(QKV "s = MatMul q k\nt = Softmax s\ny = MatMul t v\n-> y\n", "attention of y: s t y");
    MARKS(QKV "s = MatMul q k\nd = Div s c\nt = Softmax d\ny = MatMul t v\n-> y\n",
          "attention of y: s d t y");
    MARKS(QKV "s = MatMul q k\nd = Mul c s\ne = Add d c\nt = Softmax e\ny = MatMul t v\n-> y\n",
          "attention of y: s d e t y");
    MARKS(QKV "s = MatMul q k\nd = Relu s\nt = Softmax d\ny = MatMul t v\n-> y\n", "");
    MARKS(QKV "s = Gemm q k\nt = Softmax s\ny = MatMul t v\n-> y\n", "");
    MARKS(QKV "t = Softmax q\ny = MatMul t k\n-> y\n", "");
    MARKS(QKV "s = MatMul q k\nt = Softmax s\nr = Relu t\ny = MatMul r v\n-> y\n", "");
    MARKS(QKV "s = MatMul q k\nt = Softmax s\ny = MatMul t v\n-> y t\n", "");
    /* Neither product is with a constant. */
    MARKS(QKV "w = [8 4]\ns = MatMul q w\nt = Softmax s\ny = MatMul t v\n-> y\n", "");
    MARKS(QKV "w = [4 8]\ns = MatMul q k\nt = Softmax s\ny = MatMul t w\n-> y\n", "");
    MARKS(QKV "w = [4 4]\ns = MatMul w v\nt = Softmax s\ny = MatMul t k\n-> y\n", "");
    /* Four scalings, not five. */
    MARKS(QKV "s = MatMul q k\nd = Mul s c\ne = Mul d c\nf = Mul e c\ng = Mul f c\nt = Softmax g\n"
              "y = MatMul t v\n-> y\n",
          "attention of y: s d e f g t y");
    MARKS(QKV "s = MatMul q k\nd = Mul s c\ne = Mul d c\nf = Mul e c\ng = Mul f c\nh = Mul g c\n"
              "t = Softmax h\ny = MatMul t v\n-> y\n",
          "");
}

/* A Relu between two products, masks that something makes, and scores that nothing makes. */
static void mask_checks(void)
{
    MARKS(QKV "s = MatMul q k\nt = Relu s\ny = MatMul t v\n-> y\n", "");
    MARKS(QKV "s = MatMul q k\nm = Neg s\nd = Add s m\nt = Softmax d\ny = MatMul t v\n-> y\n",
          "attention of y: s d t y");
    MARKS(QKV "m : 4 4\ns = MatMul q k\nd = Add m s\nt = Softmax d\ny = MatMul t v\n-> y\n",
          "attention of y: s d t y");
    MARKS(QKV "d = Add q v\nt = Softmax d\ny = MatMul t k\n-> y\n", "");
    MARKS(QKV "d = Add c c\nt = Softmax d\ny = MatMul t k\n-> y\n", "");
    MARKS(QKV "s = MatMul q k\nd = Mul s\nt = Softmax d\ny = MatMul t v\n-> y\n", "");
    MARKS(QKV "t = Softmax\ny = MatMul t v\n-> y\n", "");
}

/* Seven conversions between two operators, and 64 operators up a projection. */
static void far_checks(void)
{
    for (int n = 7; n <= 8; n++) {
        const char *text = QKV "s = MatMul q k\ni0 = Softmax s\n";
        for (int i = 1; i <= n; i++)
            text = arena_printf(arena, "%si%d = Identity i%d\n", text, i, i - 1);
        marks(__LINE__, arena_printf(arena, "%sy = MatMul i%d v\n-> y\n", text, n),
              n == 7 ? "attention of y: s i0 y" : "");
    }
    for (int n = 64; n <= 65; n++) {
        const char *text = QKV "a0 = Relu q\n", *all = "";
        for (int i = 1; i <= n; i++) {
            text = arena_printf(arena, "%sa%d = Flatten a%d\n", text, i, i - 1);
            if (i > n - 64)
                all = arena_printf(arena, "%s a%d", all, i);
        }
        marks(__LINE__,
              arena_printf(arena, "%ss = MatMul a%d k\nt = Softmax s\ny = MatMul t v\n-> y\n", text,
                           n),
              arena_printf(arena, "attention of y:%s s t y", all));
    }
}

/* What the recognisers share. */
static void part_checks(void)
{
    const char *text = "x : 1 3\nc = 1\nt0 = Relu x\n";
    for (int i = 1; i <= 9; i++)
        text = arena_printf(arena, "%st%d = Identity t%d\n", text, i, i - 1);
    Model *m = model_of(arena, arena_printf(arena,
                                            "%sy = Add t9 c\nz = Add t9 c\ns = Shape x\n"
                                            "_ o = TopK x c\n-> y z s o\n",
                                            text));
    const Graph *g = m->graph;
#define TENSOR(name) strmap_get(&g->by_name, name)
#define MAKER(name)  g->tensor[TENSOR(name)].producer
    CHECK(pattern_root(g, TENSOR("t8")) == TENSOR("t0"));
    CHECK(pattern_root(g, TENSOR("t9")) == TENSOR("t1"));
    CHECK(pattern_root(g, TENSOR_NONE) == TENSOR_NONE);
    CHECK(pattern_maker(g, TENSOR("t8")) == &g->node[MAKER("t0")]);
    CHECK(!pattern_maker(g, TENSOR("x")) && !pattern_maker(g, TENSOR_NONE));
    const Node *y = &g->node[MAKER("y")];
    CHECK(pattern_input(g, y, 1) == TENSOR("c") && pattern_input(g, y, 2) == TENSOR_NONE);
    CHECK(pattern_is_constant(g, TENSOR("c")) && pattern_is_constant(g, TENSOR("s")));
    CHECK(!pattern_is_constant(g, TENSOR("x")) && !pattern_is_constant(g, TENSOR_NONE));
    CHECK(pattern_reader(g, MAKER("t0")) == NODE_NONE); /* after eight conversions */
    CHECK(pattern_reader(g, MAKER("t8")) == NODE_NONE); /* two read it */
    CHECK(pattern_reader(g, MAKER("y")) == NODE_NONE && pattern_reader(g, MAKER("o")) == NODE_NONE);
}

/* What turns and scales the projections, up to where something is computed. */
static void projection_checks(void)
{
    MARKS(QKV "a = Relu q\nb = Mul a c\nd = Transpose k perm=0,2,1\ne = Transpose d perm=0,2,1\n"
              "f = Identity v\ng = Div f c\ns = MatMul b e\nt = Softmax s\ny = MatMul t g\n-> y\n",
          "attention of y: b d e g s t y");
    MARKS(QKV "a = Mul c q\nb = Add k c\nd = Mul v v\ns = MatMul a b\nt = Softmax s\n"
              "y = MatMul t d\n-> y\n",
          "attention of y: s t y");
    MARKS(QKV "z = # 1 4 8\na = Reshape q z\nb = Transpose a perm=0,1,2\nd = Sub v c\n"
              "s = MatMul b k\nt = Softmax s\ny = MatMul t d\n-> y\n",
          "attention of y: a b s t y");
    MARKS(QKV "x : 4 8\nb = Transpose x perm=1,0\ns = MatMul q b\nt = Softmax s\nd = Transpose b\n"
              "y = MatMul t d\n-> y\n",
          "attention of y: b s t d y");
}

/* ---- nodes that the graph does not have ---- */

static void last_checks(void)
{
    static const char *const text[] = {
        IMAGE "y = Concat b a axis=1\n-> y\n",
        "x : 1 3 8 8\ni = # 2 1 0\ny = Gather x i axis=1\n-> y\n",
        "x : 1 3 8 8\ni = # 2 1 0\nr = Relu x\ny = Gather r i axis=1\n-> y\n",
        LESS "y = Div l d\n-> y\n",
        "x : 2 3 4\nw = [4]\ny = LayerNormalization x w\n-> y\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        CHECK(*marks_of(text[i], 0));
        CHECK(!*marks_of(text[i], 1));
    }
    CHECK(!*marks_of(QKV "s = MatMul q k\nt = Softmax s\ny = MatMul t v\n-> y\n", 2));
}

int main(void)
{
    arena = arena_new((size_t)1 << 30);
    channel_checks();
    selection_checks();
    channel_ends();
    shuffle_checks();
    rms_checks();
    layer_checks();
    weight_checks();
    attention_checks();
    mask_checks();
    far_checks();
    part_checks();
    projection_checks();
    last_checks();
    arena_free(arena);
    return check_failures() != 0;
}
