/* What a cut leaves to the application, by hand. */
#include "advisor/candidate/cut_cost.h"
#include "advisor/candidate/proposal_order.h"
#include "graph/edit/edit.h"
#include "graph/infer/shape.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

/* x -> Conv -> c -> Relu -> r -> Conv -> d -> Reshape -> y, and x -> Relu -> z beside it. */
static Model *build(Arena *a, Notes *notes)
{
    ModelBuild b = {0};
    Diag diag;
    build_input(&b, "x", 1, DIMS(1, 4, 8, 8));
    build_weight(&b, "w", DIMS(6, 4, 1, 1));
    build_weight(&b, "v", DIMS(2, 6, 1, 1));
    build_node(&b, "Conv", "x w", "c", NULL, 0);
    build_node(&b, "Relu", "c", "r", NULL, 0);
    build_node(&b, "Conv", "r v", "d", NULL, 0);
    build_node(&b, "Flatten", "d", "y", NULL, 0);
    build_node(&b, "Relu", "x", "z", NULL, 0);
    build_output(&b, "y");
    build_output(&b, "z");
    Model *m = build_load(&b, a, notes, &diag);
    if (m)
        shape_infer(m, NULL, 0, 0);
    return m;
}

/* Behind d is the Flatten, and neither the Relu before it nor the one beside.  A proposal is behind
 * a cut if all of its places are; what comes on top of the cut is not. */
static void order_checks(Arena *a, const Graph *g)
{
    bool behind[5] = {false};
    cut_cost_mark_nodes(g, "no-such", behind);
    cut_cost_mark_nodes(g, "d", behind);
    uint32_t d = g->tensor[strmap_get(&g->by_name, "y")].producer;
    uint32_t r = g->tensor[strmap_get(&g->by_name, "r")].producer;
    uint32_t z = g->tensor[strmap_get(&g->by_name, "z")].producer;
    CHECK(behind[d] && !behind[r] && !behind[z]);
    LeverSetting at[] = {lever_setting(a, LEVER_CUT_TAIL, "c", ""),
                         lever_setting(a, LEVER_REWRITE, "r", "")};
    Attempt cut = {at, 1}, other = {at + 1, 1};
    Occurrence place[] = {{.node = r}, {.node = d}, {.node = z}};
    Match m = {.place = place, .nplace = 2, .attempt = &other, .nattempt = 1};
    Proposal p = {.match = &m, .npoint = 1};
    CHECK(proposal_is_downstream(a, g, &cut, &p) && !proposal_is_downstream(a, g, &other, &p));
    CHECK(!proposal_is_downstream(a, NULL, &cut, &p));
    m.nplace = 3;
    CHECK(!proposal_is_downstream(a, g, &cut, &p));
    place[2].node = NODE_NONE;
    CHECK(!proposal_is_downstream(a, g, &cut, &p));
    m.nplace = 0;
    CHECK(!proposal_is_downstream(a, g, &cut, &p));
    m.nplace = 2;
    at[1].given = true;
    CHECK(!proposal_is_downstream(a, g, &cut, &p));
}

int main(void)
{
    Arena *a = arena_new(0);
    Notes notes;
    notes_init(&notes, a);
    Model *m = build(a, &notes);
    CHECK(m != NULL);
    if (!m)
        return 1;
    const Costs c = {.pass_ns_per_byte = {1, 2, 3},
                     .app_op_ns = {1, 1000, 9e9},
                     .app_ns_per_byte = {1, 10, 9e9},
                     .app_mac_ns = {1, 100, 9e9}};
    CompileOptions o;
    compile_options_init(&o);
    Interval none = cut_cost_ns(a, m, &o, &c);
    CHECK(none.lo == 0 && none.mid == 0 && none.hi == 0);

    /* c is 6 x 64 floats, 1536 bytes.  Behind it: Relu moves 1536 + 1536, Conv 1536 + 512 (weights
     * lie in the caches) with 2 x 6 x 64 = 768 MACs, and Flatten nothing:
     * 2 x 1000 + 5120 x 10 + 768 x 100 = 130,000.  z is none of it.  Products are done in any case:
     * 1536 x 1 + 768 x 1 at least, 1536 x 2 + 768 x 100 as the figure. */
    Edit cut[] = {{.kind = EDIT_CUT_TAIL, .where = "c"}, {.kind = EDIT_CUT_TAIL, .where = "d"}};
    o.edit = cut;
    o.nedit = 1;
    Interval t = cut_cost_ns(a, m, &o, &c);
    CHECK_NEAR(t.lo, 2304, 1e-9);
    CHECK_NEAR(t.mid, 79872, 1e-9);
    CHECK_NEAR(t.hi, 130000, 1e-9);

    o.batch = 2;
    t = cut_cost_ns(a, m, &o, &c);
    CHECK_NEAR(t.mid, 159744, 1e-9);
    CHECK_NEAR(t.hi, 260000, 1e-9);
    CHECK_NEAR(cut_cost_macs(a, m, &o), 1536, 1e-9);
    o.batch = 1;

    /* Behind d there are views alone: the pass over 512 bytes, at its upper end. */
    o.edit = cut + 1;
    t = cut_cost_ns(a, m, &o, &c);
    CHECK_NEAR(t.mid, 1024, 1e-9);
    CHECK_NEAR(t.hi, 1536, 1e-9);

    /* As codes of 8 bits it is a quarter. */
    IoType coded = {"d", DT_INT8};
    o.output_dtype = &coded;
    o.noutput_dtype = 1;
    t = cut_cost_ns(a, m, &o, &c);
    CHECK_NEAR(t.mid, 256, 1e-9);
    coded.name = "c";
    CHECK_NEAR(cut_cost_ns(a, m, &o, &c).mid, 1024, 1e-9);
    CHECK_NEAR(cut_cost_macs(a, m, &o), 0, 1e-9);
    coded = (IoType){"d", DT_FLOAT32};
    CHECK_NEAR(cut_cost_ns(a, m, &o, &c).mid, 1024, 1e-9);
    o.noutput_dtype = 0;

    /* Another edit, and a name that is not there, are nothing. */
    Edit other[] = {{.kind = EDIT_DROP_OUTPUT, .where = "c"},
                    {.kind = EDIT_CUT_TAIL, .where = "q"}};
    o.edit = other;
    o.nedit = 2;
    CHECK(cut_cost_ns(a, m, &o, &c).hi == 0);
    order_checks(a, m->graph);
    model_close(m);
    arena_free(a);
    return check_failures() != 0;
}
