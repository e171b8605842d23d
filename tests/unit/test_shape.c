/* graph: the operator table's order, symbols, window sizes and dimensions' arithmetic. */
#include "graph/infer/infer.h"
#include "graph/infer/window.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

/* op_lookup searches by halves, so the table must be sorted: then every line finds itself. */
static void table_checks(void)
{
    size_t lost = 0, mac_without = 0;
    for (OpId id = 1; id < OP_COUNT; id++) {
        const OpInfo *op = op_info(id);
        lost += op_lookup(op->domain, op->name) != id;
        mac_without += op->op_class == CLASS_MAC && !op->macs;
    }
    CHECK(lost == 0);
    CHECK(mac_without == 0);
    CHECK(op_lookup("ai.onnx", "Conv") == OP_Conv);
    CHECK(op_lookup("com.microsoft", "QLinearAdd") == OP_MsQLinearAdd);
    CHECK(op_lookup("", "QLinearAdd") == OP_UNKNOWN);
    CHECK(op_lookup("", "") == OP_UNKNOWN);
    CHECK(op_lookup("zzz", "Conv") == OP_UNKNOWN);
}

static Dim symbol(const char *name)
{
    return (Dim){.value = DIM_UNKNOWN, .symbol = name};
}

static void symbol_checks(void)
{
    Arena *a = arena_new(0);
    Symbols s;
    Dim d;
    symbols_init(&s, a);
    CHECK(symbols_equate(&s, symbol("N"), symbol("M"), &d));
    CHECK(symbols_equate(&s, symbol("M"), symbol("K"), &d));
    CHECK(strcmp(symbols_resolve(&s, symbol("K")).symbol, "N") ==
          0); /* the oldest stands for all */
    CHECK(symbols_equate(&s, symbol("K"), dim_of(7), &d) && d.value == 7);
    CHECK(symbols_resolve(&s, symbol("N")).value == 7);
    CHECK(!symbols_equate(&s, symbol("M"), dim_of(8), &d));
    CHECK(!symbols_bind(&s, "N", 8) && symbols_bind(&s, "N", 7));
    CHECK(symbols_equate(&s, dim_of(DIM_UNKNOWN), dim_of(3), &d) && d.value == 3);
    CHECK(symbols_resolve(&s, symbol("P")).value == DIM_UNKNOWN);
    arena_free(a);
}

static void dimension_checks(void)
{
    Dim most = dim_of(INT64_MAX / 16), any = dim_of(DIM_UNKNOWN);
    CHECK(dim_known(most) && !dim_known(dim_of(INT64_MAX)) && !dim_known(dim_of(-5)));
    CHECK(!dim_known(dim_add(most, most)) && !dim_known(dim_mul(most, most)));
    CHECK(dim_add(dim_of(3), dim_of(4)).value == 7 && dim_mul(dim_of(3), dim_of(4)).value == 12);
    CHECK(dim_mul(symbol("N"), dim_of(1)).symbol && dim_add(dim_of(0), symbol("N")).symbol);
    CHECK(!dim_known(dim_add(any, dim_of(1))) && !dim_known(dim_div(dim_of(8), 0)));
    CHECK(dim_div(dim_of(9), 2).value == 4);
}

/* A node with nothing but attributes is all that a window needs. */
static int64_t window_of(const Attr *attr, uint32_t nattr, int64_t in, int64_t kernel)
{
    Arena *a = arena_new(0);
    Model m = {.arena = a};
    Node n = {.name = "n", .op = "MaxPool", .domain = "", .attr = attr, .nattr = nattr};
    InferRun run = {.model = &m, .arena = a, .fold_max = FOLD_MAX_ELEMENTS};
    InferContext c = {.run = &run, .node = &n, .opset = 13};
    Window w = window_read(&c, 1);
    int64_t out = window_output(&c, &w, 0, dim_of(in), dim_of(kernel)).value;
    free(run.scratch);
    arena_free(a);
    return out;
}

static void window_checks(void)
{
    static const int64_t two[] = {2}, three[] = {3}, pads[] = {1, 1};
    const Attr stride = {.name = "strides", .type = ATTR_INTS, .ints = two, .count = 1};
    const Attr by3 = {.name = "strides", .type = ATTR_INTS, .ints = three, .count = 1};
    const Attr pad = {.name = "pads", .type = ATTR_INTS, .ints = pads, .count = 2};
    const Attr ceil_mode = {.name = "ceil_mode", .type = ATTR_INT, .i = 1};
    const Attr same = {.name = "auto_pad", .type = ATTR_STRING, .s = "SAME_UPPER", .slen = 10};
    CHECK(window_of(NULL, 0, 8, 3) == 6);
    CHECK(window_of(&stride, 1, 8, 3) == 3); /* (8 - 3) / 2 + 1, rounded down */
    CHECK(window_of((Attr[]){stride, ceil_mode}, 2, 8, 3) == 4);
    CHECK(window_of((Attr[]){stride, pad}, 2, 8, 3) == 4);
    CHECK(window_of((Attr[]){stride, same}, 2, 7, 3) == 4);
    /* ceil((2 + 2 - 1) / 3) + 1 = 2: the second window starts at 3, the last element but padding */
    CHECK(window_of((Attr[]){by3, pad, ceil_mode}, 3, 2, 1) == 1);
    CHECK(window_of(NULL, 0, 2, 3) == DIM_UNKNOWN);
    CHECK(window_of(NULL, 0, INT64_MAX, INT64_MAX) == DIM_UNKNOWN);
}

int main(void)
{
    table_checks();
    symbol_checks();
    dimension_checks();
    window_checks();
    return check_failures() != 0;
}
