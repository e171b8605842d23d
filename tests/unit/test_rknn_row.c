/* Which cell of a row of RKNN's tables belongs to which column, where some cells are blank. */
#include "graph/import/rknn_table.h"
#include "tests/unit/check.h"

static Arena *arena;

static const char *or_blank(const char *text)
{
    return text ? text : "-";
}

/* The cells whose place depends on others, or "none" where the row is none. */
static const char *cells_of(const char *head, const char *row)
{
    RknnHead h = rknn_read_head(head);
    RknnRow r;
    if (!rknn_read_row(arena, &h, row, &r))
        return "none";
    return arena_printf(arena, "%lld %s %lld/%lld/%lld %g us, mac %s, load %s of %zu, %g KB, %s",
                        (long long)r.id, rknn_target_name(r.target), (long long)r.ddr_cycles,
                        (long long)r.npu_cycles, (long long)r.total_cycles, r.time_us,
                        or_blank(r.mac_usage), or_blank(r.work_load), r.ncore, r.rw_kb,
                        or_blank(r.full_name));
}

static const char runtime[] =
    "ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) Time(us) MacUsage(%) "
    "WorkLoad(0/1/2) RW(KB) FullName";
static const char compiler[] = "ID OpType DataType Target InputShape OutputShape "
                               "Cycles(DDR/NPU/Total) SparseRatio RW(KB) FullName";
static const char old[] =
    "ID OpType DataType Target InputShape OutputShape DDR Cycles NPU Cycles Total Cycles Time(us) "
    "MacUsage(%) WorkLoad(0/1/2)-ImproveTherical Task Number Task Size Regcmd Size RW(KB) FullName";

static void blanks(void)
{
    check_same(
        "all cells",
        cells_of(runtime, "3 Conv INT8 NPU (1,2),(3) (1,4) 5/6/6 594 19.39/0.00/0.00 "
                          "100.0%/0.0%/0.0% 1604 Conv:a"),
        "3 NPU 5/6/6 594 us, mac 19.39/0.00/0.00, load 100.0%/0.0%/0.0% of 3, 1604 KB, Conv:a");
    check_same("no MacUsage",
               cells_of(runtime, "4 Add INT8 CPU (1) (1) 0/0/0 7 0.0%/0.0%/0.0% 800 Add:a b"),
               "4 CPU 0/0/0 7 us, mac -, load 0.0%/0.0%/0.0% of 3, 800 KB, Add:a b");
    check_same("no name", cells_of(runtime, "4 Add INT8 NPU (1) (1) 0/0/0 7.5 \\ 50.0%/50.0% 800"),
               "4 NPU 0/0/0 7.5 us, mac \\, load 50.0%/50.0% of 2, 800 KB, -");
    check_same("one core, no column", cells_of(runtime, "4 Add INT8 GPU (1) (1) 0/0/0 7 800 Add:1"),
               "4 GPU 0/0/0 7 us, mac -, load - of 0, 800 KB, Add:1");
    check_same("sparse", cells_of(compiler, "0 Conv INT8 NPU (1) (1) 1/2/2 0% 9 Conv:a"),
               "0 NPU 1/2/2 -1 us, mac -, load - of 0, 9 KB, Conv:a");
    check_same("not sparse", cells_of(compiler, "0 Split INT8 NPU (1) (1),... 0/0/0 9 Split:a"),
               "0 NPU 0/0/0 -1 us, mac -, load - of 0, 9 KB, Split:a");
    check_same("old form",
               cells_of(old, "81 Conv INT8 NPU (1) \\ 74454 51000 74454 147 34.69 "
                             "100.0%/0.0%/0.0% - Up:0.0% 11 6992 7424 430.00 Conv:b"),
               "81 NPU 74454/51000/74454 147 us, mac 34.69, load 100.0%/0.0%/0.0% of 3, 430 KB, "
               "Conv:b");
}

static void refusals(void)
{
    static const char *const row[] = {"",
                                      "x Conv INT8 NPU (1) (1) 0/0/0 7 1 a",
                                      "1 Conv INT8 TPU (1) (1) 0/0/0 7 1 a",
                                      "1 Conv INT8 NPU (1) 0/0/0 7 1 a",
                                      "1 Conv INT8 NPU (1) (1) 0/0 7 1 a",
                                      "1 Conv INT8 NPU (1) (1) 0/0/0 fast 1 a",
                                      "1 Conv INT8 NPU (1) (1) 0/0/0 7 much a",
                                      "1 Conv:a INT8 NPU (1) (1) 0/0/0 7 1 a",
                                      "1.5 Conv INT8 NPU (1) (1) 0/0/0 7 1 a",
                                      "9999999999999999 Conv INT8 NPU (1) (1) 0/0/0 7 1 a"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_same(row[i], cells_of(runtime, row[i]), "none");
}

static void heads(void)
{
    CHECK(rknn_is_head(runtime));
    CHECK(rknn_is_head("ID,OpType,DataType"));
    CHECK(!rknn_is_head("OpType CallNumber"));
    CHECK(!rknn_is_head("ID  User  Tensor  DataType"));
    CHECK(rknn_read_head(runtime).timed && rknn_read_head(old).timed);
    CHECK(!rknn_read_head(compiler).timed);
    check_same("CSV",
               cells_of("ID,OpType,DataType,Target,InputShape,OutputShape,DDR Cycles,NPU Cycles,"
                        "Total Cycles,Time(us),MacUsage(%),RW(KB),FullName",
                        "2,Conv,INT8,NPU,\"(1,2),(3)\",\"(1,4)\",1,2,2,9,,8.5,Conv:a"),
               "2 NPU 1/2/2 9 us, mac -, load - of 0, 8.5 KB, Conv:a");
}

int main(void)
{
    arena = arena_new(0);
    blanks();
    refusals();
    heads();
    arena_free(arena);
    return check_failures() != 0;
}
