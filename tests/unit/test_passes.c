/* Passes one by one, on graphs small enough to see what they have to find. */
#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/compile/options.h"
#include "graph/infer/shape.h"
#include "passes/node_time.h"
#include "passes/order_only.h"
#include "passes/pass.h"
#include "tests/unit/check.h"
#include "tests/unit/model_text.h"

static Arena *arena;
static Machine *machine;
static Costs *costs;

static Model *loaded(ModelBuild *b)
{
    Notes *notes = ARENA_NEW(arena, Notes);
    Diag diag = {0};
    notes_init(notes, arena);
    Model *m = build_load(b, arena, notes, &diag);
    if (m)
        shape_infer(m, NULL, 0, 0);
    else
        printf("  %s\n", diag.text);
    return m;
}

/* "kind name=value …" of each finding, a line each. */
static const char *text_of(const FindingList *l)
{
    const char *text = "";
    for (size_t i = 0; i < l->nitem; i++) {
        const Finding *f = &l->item[i];
        text = arena_printf(arena, "%s%s", text, f->kind);
        for (size_t k = 0; k < f->nattr; k++)
            text = arena_printf(arena, "%s %s=%s", text, f->attr[k].name, f->attr[k].value);
        text = arena_printf(arena, "%s\n", text);
    }
    return text;
}

static bool same(const char *found, const char *expected)
{
    if (strcmp(found, expected))
        printf("---- found\n%s---- expected\n%s", found, expected);
    return !strcmp(found, expected);
}

/* ---- order-only ---- */

static const char *choices_of(const Model *m)
{
    Program p = {.model = m};
    PassInput in = {.program = &p};
    FindingList out = {.arena = arena};
    pass_order_only(&in, &out);
    const char *text = "";
    for (size_t i = 0; i < out.nitem; i++) {
        const Finding *f = &out.item[i];
        text = arena_printf(arena, "%s%s of %s: %s of '%s', %s %s %s; ", text, f->attr[1].value,
                            f->attr[2].value, f->attr[0].value, f->attr[3].value, f->attr[4].value,
                            f->attr[5].value, f->attr[6].value);
    }
    return text;
}

/* x -> `before` -> t -> choice -> `after` -> y, of 2 x 3 x 4; "" leaves a node out. */
static const char *choice(const char *before, int64_t own, const char *op, int64_t axis,
                          const char *after)
{
    ModelBuild b = {0};
    IntAttr at[] = {{"axis", {own}, 0}}, along[] = {{"axis", {axis}, 0}};
    build_input(&b, "x", 1, DIMS(2, 3, 4));
    if (*before)
        build_node(&b, before, "x", "t", at, own != 99);
    build_node(&b, op, *before ? "t" : "x", *after ? "c" : "y", along, axis != 99);
    if (*after)
        build_node(&b, after, "c", "y", NULL, 0);
    build_output(&b, "y");
    return choices_of(loaded(&b));
}

#define OF_X(op) "0 of y: " op " of '', 2x3x4 float32 no; "
#define OF_T(op) "0 of y: " op " of 't', 2x3x4 float32 no; "
enum { NONE = 99 }; /* no such attribute */

static void order_checks(void)
{
    CHECK(same(choice("", NONE, "ArgMax", 1, ""), OF_X("ArgMax")));
    CHECK(same(choice("", NONE, "ArgMax", 1, "Identity"), OF_X("ArgMax")));
    CHECK(same(choice("", NONE, "ArgMax", 1, "Cast"), OF_X("ArgMax")));
    CHECK(same(choice("", NONE, "ArgMax", 1, "Neg"), ""));
    CHECK(same(choice("", NONE, "ArgMin", 1, ""), ""));
    /* Elements alike, or a Softmax along the axis, however either counts it. */
    CHECK(same(choice("Sigmoid", NONE, "ArgMax", 1, ""), OF_X("ArgMax")));
    CHECK(same(choice("Neg", NONE, "ArgMax", 1, ""), OF_T("ArgMax")));
    CHECK(same(choice("Softmax", 1, "ArgMax", 1, ""), OF_X("ArgMax")));
    CHECK(same(choice("Softmax", 1, "ArgMax", -2, ""), OF_X("ArgMax")));
    CHECK(same(choice("Softmax", -2, "ArgMax", 1, ""), OF_X("ArgMax")));
    CHECK(same(choice("Softmax", 2, "ArgMax", 1, ""), OF_T("ArgMax")));
    CHECK(same(choice("Softmax", NONE, "ArgMax", 2, ""), OF_X("ArgMax")));
    CHECK(same(choice("Softmax", NONE, "ArgMax", NONE, ""), OF_T("ArgMax")));
    CHECK(same(choice("LogSoftmax", 0, "ArgMax", NONE, ""), OF_X("ArgMax")));
    CHECK(same(choice("Softmax", 0, "ArgMax", 0, ""), OF_X("ArgMax")));
}

/* What has no input makes no choice, nor what leaves its first out. */
static void order_without_input(void)
{
    ModelBuild b = {0};
    IntAttr shape[] = {{"shape", {2, 2}, 2}};
    build_input(&b, "x", 1, DIMS(2, 3));
    build_node(&b, "RandomNormal", "", "r", shape, 1);
    build_node(&b, "ArgMax", " x", "s", NULL, 0);
    build_node(&b, "ArgMax", "", "t", NULL, 0);
    build_node(&b, "ArgMax", "x", "y", NULL, 0);
    for (const char *name = "rsty"; *name; name++)
        build_output(&b, (char[]){*name, '\0'});
    build_output(&b, "x");
    CHECK(same(choices_of(loaded(&b)), "3 of y: ArgMax of '', 2x3 float32 no; "));
}

/* Indices alone, of TopK along its last axis; not where anybody takes the values. */
static void order_of_indices(void)
{
    static const int64_t one = 1;
    static const struct {
        const char *op, *reader, *outputs, *expected;
    } list[] = {
        {"Softmax", "", "v y", OF_X("TopK")}, {"Softmax", "", " y", OF_X("TopK")},
        {"Softmax", "Relu", "v y", ""},       {"Softmax", "out", "v y", ""},
        {"Neg", "", "v y", OF_T("TopK")},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ModelBuild b = {0};
        build_input(&b, "x", 1, DIMS(2, 3, 4));
        build_const(&b, "k", 7, 1, &one, sizeof one);
        build_node(&b, list[i].op, "x", "t", NULL, 0);
        build_node(&b, "TopK", "t k", list[i].outputs, NULL, 0);
        if (!strcmp(list[i].reader, "Relu"))
            build_node(&b, "Relu", "v", "z", NULL, 0);
        build_output(&b, "y");
        if (!strcmp(list[i].reader, "out"))
            build_output(&b, "v");
        CHECK(same(choices_of(loaded(&b)), list[i].expected));
    }
}

/* What others read as well has to stay, and so does what is an output itself. */
static void order_of_shared(void)
{
    for (int k = 0; k < 3; k++) {
        ModelBuild b = {0};
        build_input(&b, "x", 1, DIMS(2, 3, 4));
        build_node(&b, "Sigmoid", "x", "t", NULL, 0);
        build_node(&b, "ArgMax", "t", "y", NULL, 0);
        build_output(&b, "y");
        if (k == 1)
            build_node(&b, "Neg", "t", "z", NULL, 0);
        if (k)
            build_output(&b, k == 1 ? "z" : "t");
        CHECK(same(choices_of(loaded(&b)), k ? OF_T("ArgMax") : OF_X("ArgMax")));
    }
}

/* Codes of one scale keep the order; of a scale for each place they need not. */
static void order_of_codes(void)
{
    static const float scale[] = {0.5F, 2, 4};
    static const uint8_t zero[3];
    static const struct {
        size_t n;
        bool known;
        const char *expected;
    } list[] = {
        {1, true, "0 of y: ArgMax of 'q', 2x3x4 uint8 yes; "},
        {3, true, OF_T("ArgMax")},
        {1, false, OF_T("ArgMax")},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ModelBuild b = {0};
        IntAttr axis[] = {{"axis", {1}, 0}};
        build_input(&b, "x", 1, DIMS(2, 3, 4));
        if (list[i].known)
            build_const(&b, "s", 1, list[i].n, scale, list[i].n * sizeof *scale);
        else
            build_input(&b, "s", 1, NULL, 0);
        build_const(&b, "k", 2, list[i].n, zero, list[i].n);
        build_node(&b, "Relu", "x", "r", NULL, 0);
        build_node(&b, "QuantizeLinear", "r s k", "q", axis, 1);
        build_node(&b, "Identity", "q", "i", NULL, 0);
        build_node(&b, "DequantizeLinear", "q s k", "t", axis, 1);
        build_node(&b, "ArgMax", "t", "y", axis, 1);
        build_output(&b, "y");
        build_output(&b, "i");
        CHECK(same(choices_of(loaded(&b)), list[i].expected));
    }
}

/* A row of Identities, as long as anybody looks behind an output. */
static void order_far(void)
{
    for (int views = 62; views <= 64; views++) {
        ModelBuild b = {0};
        char from[16] = "c", to[16];
        build_input(&b, "x", 1, DIMS(2, 3, 4));
        build_node(&b, "ArgMax", "x", "c", NULL, 0);
        for (int i = 1; i <= views; i++) {
            snprintf(to, sizeof to, i == views ? "y" : "v%d", i);
            build_node(&b, "Identity", from, to, NULL, 0);
            memcpy(from, to, sizeof to);
        }
        build_output(&b, "y");
        Model *m = loaded(&b);
        const bool *choice = order_only_nodes(arena, m->graph);
        CHECK(same(choices_of(m), views < 64 ? OF_X("ArgMax") : ""));
        bool right = true;
        for (size_t i = 0; i < m->graph->nnode; i++)
            right &= choice[i] == (m->graph->node[i].op[0] == 'A' && views < 64);
        CHECK(right);
    }
}

/* As many Sigmoids, or one more than anybody looks through; and what has no axes, or nobody knows.
 */
static void order_deep(void)
{
    for (int n = 64; n <= 65; n++) {
        ModelBuild b = {0};
        char from[16] = "x", to[16];
        build_input(&b, "x", 1, DIMS(3));
        for (int i = 1; i <= n; i++) {
            snprintf(to, sizeof to, "s%d", i);
            build_node(&b, "Sigmoid", from, to, NULL, 0);
            memcpy(from, to, sizeof to);
        }
        build_node(&b, "ArgMax", from, "y", NULL, 0);
        build_output(&b, "y");
        CHECK(same(choices_of(loaded(&b)), n == 64 ? "0 of y: ArgMax of '', 3 float32 no; "
                                                   : "0 of y: ArgMax of 's1', 3 float32 no; "));
    }
    for (int known = 0; known < 2; known++) {
        ModelBuild b = {0};
        int64_t none[1];
        build_value(&b, 11, "x", 1, known ? none : NULL, 0);
        build_node(&b, "Sigmoid", "x", "t", NULL, 0);
        build_node(&b, "ArgMax", "t", "y", NULL, 0);
        build_output(&b, "y");
        CHECK(strstr(choices_of(loaded(&b)), "ArgMax of 't'"));
    }
}

/* Outputs that the graph has, and nothing behind them. */
static void order_of_first(void)
{
    ModelBuild b = {0};
    build_input(&b, "x", 1, DIMS(2, 3, 4));
    build_node(&b, "ArgMax", "x", "y", NULL, 0);
    build_node(&b, "ArgMax", "x", "z", NULL, 0);
    build_output(&b, "y");
    build_output(&b, "z");
    Model *m = loaded(&b);
    m->graph->noutput = 1;
    CHECK(same(choices_of(m), OF_X("ArgMax")));
    const bool *choice = order_only_nodes(arena, m->graph);
    CHECK(choice[0] && !choice[1]);
}

/* ---- passes that need the compiled program ---- */

static PassInput input_of(const Model *m)
{
    Notes *notes = ARENA_NEW(arena, Notes);
    Diag diag = {0};
    CompileOptions o;
    Program *p = NULL;
    RunOptions *run = ARENA_NEW(arena, RunOptions);
    *run = (RunOptions){.workers = 1, .devices = 1};
    notes_init(notes, arena);
    compile_options_init(&o);
    CHECK(m && compile_model(arena, m, machine, &o, notes, &p, &diag) == STATUS_OK);
    return (PassInput){
        .program = p, .costs = costs, .run = run, .time = predict(arena, p, costs, run)};
}

static const char *found(void (*pass)(const PassInput *, FindingList *), const char *text)
{
    PassInput in = input_of(model_of(arena, text));
    FindingList out = {.arena = arena};
    pass(&in, &out);
    return text_of(&out);
}

/* The value of an attribute in such a text. */
static const char *value_of(const char *text, const char *name)
{
    const char *at = strstr(text, arena_printf(arena, " %s=", name));
    if (!at)
        return "none";
    at += strlen(name) + 2;
    const char *end = strchr(at, '=');
    size_t n = end ? (size_t)(end - at) : strlen(at);
    while (end && n && at[n] != ' ')
        n--;
    return arena_strndup(arena, at, n);
}

/* ---- host tail ---- */

#define CODED                                                                                      \
    "x : 1 8 32 32\ns = 0.05\nz = u8 128\nk = i8 0\nw = i8 [8 8 3 3]\nq = QuantizeLinear x s z\n"  \
    "d = DequantizeLinear q s z\nv = DequantizeLinear w s k\nc = Conv d v pads=1,1,1,1\n"          \
    "e = QuantizeLinear c s z\nt = DequantizeLinear e s z\n"

/* A convolution, and these operators behind it, one after the other. */
static const char *tail(const char *ops)
{
    const char *text = CODED, *from = "t", *to = "t";
    int i = 0;
    char *copy = arena_strdup(arena, ops), *save;
    for (char *op = strtok_r(copy, " ", &save); op; op = strtok_r(NULL, " ", &save)) {
        to = arena_printf(arena, "t%d", i++);
        text = arena_printf(arena, "%s%s = %s %s\n", text, to, op, from);
        from = to;
    }
    return found(pass_host_tail, arena_printf(arena, "%s-> %s\n", text, to));
}

/* 55 bytes are there: of 59 all are said, of 60 that there are more; each type once. */
static void tail_names(void)
{
#define SEVEN  "Reciprocal Softsign Softplus Selu Sign Ceil Floor"
#define LISTED "Reciprocal, Softsign, Softplus, Selu, Sign, Ceil, Floor"
    CHECK(same(value_of(tail(SEVEN), "ops"), LISTED));
    CHECK(same(value_of(tail(SEVEN " Sinh"), "ops"), LISTED ", Sinh"));
    CHECK(same(value_of(tail(SEVEN " Round"), "ops"), LISTED ", …"));
    CHECK(same(value_of(tail(SEVEN " Round Asinh"), "ops"), LISTED ", …"));
    CHECK(same(value_of(tail("Sign Erf Sign Exp"), "ops"), "Sign, Erf, Exp"));
    CHECK(same(value_of(tail("Sinh Sin Sinh Sin"), "ops"), "Sinh, Sin"));
    CHECK(same(value_of(tail("Sign Erf Sign Exp"), "nodes"), "4"));
}

/* ---- normalisation ---- */

#define PICTURE "x : 1 3 8 8\na = 2\nb = 4\nw = [4 3 3 3]\n"

static const char *arithmetic(const char *text)
{
    const char *t = found(pass_normalisation, text);
    return arena_printf(arena, "%s: %s of %s %s", value_of(t, "result"), value_of(t, "ops"),
                        value_of(t, "input"), value_of(t, "exact"));
}

static void normalisation_checks(void)
{
    CHECK(same(arithmetic(PICTURE "p = Sub x a\nq = Div p b\ny = Conv q w\n-> y\n"),
               "y: Sub, Div of x yes"));
    CHECK(same(arithmetic(PICTURE "p = Sub x a\ny = Conv p w pads=1,1,1,1\n-> y\n"),
               "y: Sub of x no"));
    CHECK(same(arithmetic(PICTURE "p = Mul x a\ny = Conv p w pads=1,1,1,1\n-> y\n"),
               "y: Mul of x yes"));
    CHECK(same(arithmetic(PICTURE "p = Add x a\ny = Conv p w\n-> y\n"), "y: Add of x yes"));
    CHECK(same(found(pass_normalisation, PICTURE "p = Relu x\ny = Conv p w\n-> y\n"), ""));
    CHECK(same(found(pass_normalisation, PICTURE "p = Relu x\nq = Sub p a\ny = Conv q w\n-> y\n"),
               ""));
    CHECK(same(found(pass_normalisation, PICTURE "y = Conv x w\n-> y\n"), ""));
}

/* The second input counts from 0, and sixteen steps are followed. */
static void normalisation_ends(void)
{
    const char *t = found(pass_normalisation, "u : 1 3 8 8\n" PICTURE
                                              "p = Sub x a\ny = Conv p w\nz = Relu u\n-> y z\n");
    CHECK(same(value_of(t, "input-index"), "1\n") && atoi(value_of(t, "time-ns")) > 0);
    for (int n = 16; n <= 17; n++) {
        const char *text = PICTURE "p0 = Sub x a\n";
        for (int i = 1; i < n; i++)
            text = arena_printf(arena, "%sp%d = Div p%d b\n", text, i, i - 1);
        text = arena_printf(arena, "%sy = Conv p%d w\n-> y\n", text, n - 1);
        CHECK((*found(pass_normalisation, text) != '\0') == (n == 16));
    }
}

/* What the arithmetic takes, and how it goes away. */
static void normalisation_facts(void)
{
    PassInput in =
        input_of(model_of(arena, PICTURE "p = Sub x a\nq = Div p b\ny = Conv q w\n-> y\n"));
    FindingList out = {.arena = arena};
    pass_normalisation(&in, &out);
    const double *ns = node_times(arena, &in);
    const char *t = text_of(&out);
    CHECK(atoll(value_of(t, "time-ns")) == (int64_t)(ns[0] + ns[1]) && ns[0] > 0 && ns[1] > 0);
    CHECK(same(value_of(t, "rewrite"), "fold-normalisation"));
    CHECK(same(value_of(t, "input-index"), "0\n"));
}

/* A Conv that the graph does not have. */
static void normalisation_of_first(void)
{
    PassInput in = input_of(
        model_of(arena, PICTURE "p = Sub x a\ny = Conv p w\nq = Add x a\nz = Conv q w\n-> y z\n"));
    FindingList out = {.arena = arena};
    pass_normalisation(&in, &out);
    CHECK(out.nitem == 2);
    out.nitem = 0;
    in.program->model->graph->nnode--;
    pass_normalisation(&in, &out);
    CHECK(out.nitem == 1);
}

int main(void)
{
    xml_startup();
    arena = arena_new((size_t)1 << 30);
    Diag diag;
    if (machine_load(arena, "rules/targets/warboy.xml", &machine, &diag) ||
        costs_load(arena, "rules/targets/warboy.xml", NULL, &costs, &diag))
        return 1;
    order_checks();
    order_without_input();
    order_of_indices();
    order_of_shared();
    order_of_codes();
    order_far();
    order_deep();
    order_of_first();
    tail_names();
    normalisation_checks();
    normalisation_ends();
    normalisation_facts();
    normalisation_of_first();
    arena_free(arena);
    return check_failures() != 0;
}
