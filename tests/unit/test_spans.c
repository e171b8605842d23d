/* What the reader of CSV makes of a file, and what is no trace, by hand. */
#include "tests/unit/span_repairs.h"

/* ---- the vendor's frame as CSV ---- */

#define FRAME                                                                                      \
    "trace_id,span_id,parent_span_id,start,end,cat,name,thread.id,"                                \
    "pe_index,execution_index,instruction_index,operator_index\n"

static void frame_kinds(void)
{
    READS(FRAME "2,a,b,100,250,NPU,Task(1),7,1,5,,\n",
          "task Task [NPU] 100+150 0:10000001 trace 0.2 span a in b pe 1 execution 5\n");
    /* Without a PE it lies on its thread. */
    READS(FRAME "2,a,b,100,250,NPU,Conv,7,,,3,\n",
          "npu_operator Conv [NPU] 100+150 0:7 trace 0.2 span a in b instruction 3\n");
    READS(FRAME "2,a,b,100,250,NPU,Load,7,0,1,0,\n",
          "npu_io Load [NPU] 100+150 0:10000000 trace 0.2 span a in b pe 0 execution 1 instruction "
          "0\n");
    /* What has no instruction is the task, whatever its name; of the NPU an operator's index is
     * none of the host's. */
    READS(FRAME "2,a,b,100,250,NPU,Anything,7,0,,,4\n",
          "task Anything [NPU] 100+150 0:10000000 trace 0.2 span a in b pe 0 operator 4\n");
    /* Of the host one with an operator's index is an operator, and lies on its thread even with a
     * PE. */
    READS(FRAME "2,a,b,100,250,Nux,Mine,7,0,,,4\n2,c,b,300,300,Nux,Mine,7,,,,\n",
          "host_operator Mine [Nux] 100+150 0:7 trace 0.2 span a in b pe 0 operator 4\n"
          "label Mine [Nux] 300+0 0:7 trace 0.2 span c in b\nsdk 9\n");
    READS(FRAME "2,a,b,100,250,Nux,Pad,7,,,,\n2,a,b,100,250,Runtime,Pad,7,,,,\n2,a,b,100,250,Nux,"
                "Pad,7,,,,\n",
          "host_operator Pad [Nux] 100+150 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Runtime] 100+150 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Nux] 100+150 0:7 trace 0.2 span a in b\nsdk 10\n");
}

/* The largest index; one more is none. */
static void frame_numbers(void)
{
    READS(FRAME "2,a,b,0,1,Nux,Pad,7,,,,2147483647\n2,a,b,0,1,Nux,Pad,7,,,,2147483648\n",
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span a in b operator 2147483647\n"
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span a in b\nsdk 9\n");
    /* Below all numbers is none. */
    READS(
        FRAME
        "2,a,b,0,1,Nux,Pad,-9223372036854775807,,,,\n2,a,b,0,1,Nux,Pad,-9223372036854775808,,,,\n",
        "host_operator Pad [Nux] 0+1 0:-9223372036854775807 trace 0.2 span a in b\n"
        "host_operator Pad [Nux] 0+1 trace 0.2 span a in b\nbad_number 1\nsdk 9\n");
    /* Words for what is absent. */
    READS(FRAME "2,a,b,0,1,Nux,Pad,7,<NA>,nan,NaN,None\n2,a,b,0,1,Nux,Pad,7,NA,na,none,N\n",
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span a in b\nbad_number 4\nsdk 9\n");
}

/* Identities of 32 digits, of 16, and what is none. */
static void frame_identities(void)
{
    READS(FRAME "123456789abcdef00fedcba987654321,ffffffffffffffff,1,0,1,Nux,Pad,7,,,,\n"
                "123456789abcdef00fedcba9876543210,1,1,0,1,Nux,Pad,7,,,,\n2,11111111111111111,1,0,"
                "1,Nux,Pad,7,,,,\n2,1,,0,1,Nux,Pad,7,,,,\n",
          "host_operator Pad [Nux] 0+1 0:7 trace 123456789abcdef0.fedcba987654321 span "
          "ffffffffffffffff in 1\n"
          "host_operator Pad [Nux] 0+1 0:7 span 1 in 1\n"
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span 0 in 1\n"
          "host_operator Pad [Nux] 0+1 0:7 trace 0.2 span 1 in 0\nbad_number 3\nsdk 9\n");
}

/* Beginnings from 0 to a quarter of all numbers, ends to a half, lengths to a quarter. */
static void frame_times(void)
{
    READS(FRAME
          "2,a,b,2305843009213693951,2305843009213693952,Nux,Pad,7,,,,\n"
          "2,a,b,2305843009213693952,2305843009213693953,Nux,Pad,7,,,,\n"
          "2,a,b,-1,5,Nux,Pad,7,,,,\n2,a,b,5,-1,Nux,Pad,7,,,,\n2,a,b,5,4,Nux,Pad,7,,,,\n2,a,b,5,0,"
          "Nux,Pad,7,,,,\n"
          "2,a,b,0,2305843009213693951,Nux,Pad,7,,,,\n2,a,b,0,2305843009213693952,Nux,Pad,7,,,,\n"
          "2,a,b,0,4611686018427387903,Nux,Pad,7,,,,\n2,a,b,0,4611686018427387904,Nux,Pad,7,,,,\n",
          "host_operator Pad [Nux] 2305843009213693951+1 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Nux] 5+0 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Nux] 5+0 0:7 trace 0.2 span a in b\n"
          "host_operator Pad [Nux] 0+2305843009213693951 0:7 trace 0.2 span a in b\n"
          "bad_event 6\nnegative_duration 2\nsdk 9\n");
}

/* Quotes, commas and ends of lines within them; what follows the closing quote is left out. */
static void frame_quotes(void)
{
    READS("trace_id,span_id,name,cat,dur\n2,a,\"a, b\",Nux,1\n2,a,\"say "
          "\"\"hi\"\"\",Nux,2\r\n2,a,\"\",\"Nux\",3\r\n2,a,\"two\nlines\",Nux,4\n2,a,\"x\"y,Nux,"
          "5\n\n\r\n2,a,last,Nux,6",
          "label a, b [Nux] 0+1 trace 0.2 span a in 0\nlabel say \"hi\" [Nux] 1+2 trace 0.2 span a "
          "in 0\nlabel (unnamed) [Nux] 3+3 trace 0.2 span a in 0\nlabel two\nlines [Nux] 6+4 trace "
          "0.2 span a in 0\n"
          "label x [Nux] 10+5 trace 0.2 span a in 0\nlabel last [Nux] 15+6 trace 0.2 span a in "
          "0\nmissing_name 1\nsdk 9\n");
    /* A quote that nothing closes reaches to the end; two of them are one even there. */
    READS("trace_id,span_id,dur,cat,name\n2,a,1,Nux,\"say \"\"",
          "label say \" [Nux] 0+1 trace 0.2 span a in 0\nsdk 9\n");
    READS("trace_id,span_id,dur,cat,name\n2,a,1,Nux,\"say \"",
          "label say  [Nux] 0+1 trace 0.2 span a in 0\nsdk 9\n");
    READS("trace_id,span_id,dur,cat,name\n2,a,1,Nux,\"say",
          "label say [Nux] 0+1 trace 0.2 span a in 0\nsdk 9\n");
}

static void table_checks(void)
{
    /* Each column once as the first, at which nothing may end. */
    static const char *const name[] = {"trace_id",  "span_id", "pe_index",   "execution_index",
                                       "NPU Total", "NPU Run", "NPU IoWait", "parent_span_id"};
    static const char *const value[] = {"2", "a", "1", "5", "100", "90", "10", "b"};
    for (size_t first = 0; first < 8; first++) {
        char text[512] = "";
        for (int row = 0; row < 2; row++)
            for (size_t i = 0; i < 8; i++) {
                strcat(text, (row ? value : name)[(first + i) % 8]);
                strcat(text, i < 7 ? "," : "\n");
            }
        if (first == 0)
            READS(
                text,
                "task Execution 0+100 0:10000001 trace 0.2 span a in b pe 1 execution 5 run 90\n");
        read_as(TRACE_FURIOSA_CSV, text, strlen(text));
        CHECK(!strcmp(
            said,
            "task Execution 0+100 0:10000001 trace 0.2 span a in b pe 1 execution 5 run 90\n"));
    }
    static const char *const host[] = {"cat",       "name",           "dur",
                                       "thread.id", "operator_index", "start",
                                       "trace_id",  "span_id",        "instruction_index"};
    static const char *const its[] = {"Nux", "Pad", "30", "7", "4", "10", "2", "a", "6"};
    for (size_t first = 0; first < 9; first++) {
        char text[512] = "";
        for (int row = 0; row < 2; row++)
            for (size_t i = 0; i < 9; i++) {
                strcat(text, (row ? its : host)[(first + i) % 9]);
                strcat(text, i < 8 ? "," : "\n");
            }
        read_as(TRACE_FURIOSA_CSV, text, strlen(text));
        CHECK(!strcmp(said, "host_operator Pad [Nux] 10+30 0:7 trace 0.2 span a in 0 instruction 6 "
                            "operator 4\nsdk 9\n"));
    }
    /* Without names they are inferences, without categories host operators, one behind the other.
     */
    READS("trace_id,span_id,dur\n2,a,10\n2,b,20\n2,c,-5\n2,d,1\n",
          "inference Inference 0+10 trace 0.2 span a in 0\ninference Inference 10+20 trace 0.2 "
          "span b in 0\n"
          "inference Inference 30+0 trace 0.2 span c in 0\ninference Inference 30+1 trace 0.2 span "
          "d in 0\nnegative_duration 1\n");
    READS("trace_id,name,span_id,end,start\n2,Lower,a,9,4\n2,Lower,a,,4\n2,Lower,a,9,\n",
          "host_operator Lower 4+5 trace 0.2 span a in 0\nbad_event 2\n");
    READS("trace_id,name,span_id,end\n",
          "t: line 1: has no column 'dur', 'NPU Total', 'average_elapsed_ns' with 'count', or "
          "'start' and 'end'\n");
    READS("trace_id,name,span_id,start\n",
          "t: line 1: has no column 'dur', 'NPU Total', 'average_elapsed_ns' with 'count', or "
          "'start' and 'end'\n");
    READS("trace_id,name,span_id,start,end\n", "");
    /* An IoWait that wrapped is counted; a Total that is none drops the row. */
    READS("trace_id,span_id,NPU Total,NPU IoWait\n2,a,5,18446744073709551615\n2,b,x,1\n2,c,7,\n",
          "task Execution 0+5 trace 0.2 span a in 0\ntask Execution 5+7 trace 0.2 span c in "
          "0\nbad_event 1\nbad_number 1\nwrapped_counter 1\n");
    /* Runs of 1.5 ns on average: 2, 1, 2, which are 5 = 3 x 1.5 rounded; half of the nanosecond is
     * rounded up. */
    READS("name,average_elapsed_ns,count\nA,1.5,3\nB,0.4,2\nC,7,1\nD,1,0\nE,-1,1\nF,1,x\nG,1,-1\nH,"
          "0,1\n",
          "npu_operator A [NPU] 0+2\nnpu_operator A [NPU] 2+1\nnpu_operator A [NPU] "
          "3+2\nnpu_operator B [NPU] 5+0\n"
          "npu_operator B [NPU] 5+1\nnpu_operator C [NPU] 6+7\nnpu_operator H [NPU] "
          "13+0\nbad_event 3\nbad_number 1\n");
    READS("name,average_elapsed_ns,count\nA,1,1048577\n",
          "t: counts more than 1048576 runs of operators; give the profiler's whole frame\n");
    READS("name,average_elapsed_ns,count\nA,1,2\nA,1,1048575\n",
          "npu_operator A [NPU] 0+1\nnpu_operator A [NPU] 1+1\nt: counts more than 1048576 runs of "
          "operators; give the profiler's whole frame\n");
}

/* ---- files that are no traces ---- */

static void stranger_checks(void)
{
    static const struct {
        const char *bytes, *what;
        size_t n;
    } no[] = {
        {"SQLite format 3", "an SQLite database; give the trace it was made from", 15},
        {"PK\3\4", "a zip archive; unpack it first", 4},
        {"\x28\xb5\x2f\xfd", "zstd data; unpack it first", 4},
        {"\xfd"
         "7zXZ",
         "xz data; unpack it first", 5},
        {"BZh", "bzip2 data; unpack it first", 3},
        {"# tracer:", "ftrace text; convert it to Chrome JSON first", 9},
        {"version https://git-lfs", "a git-LFS pointer; fetch the file with `git lfs pull`", 23},
        {"<", "HTML or XML, no trace", 1},
        {"\xff\xfe", "UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`", 2},
        {"\xfe\xff", "UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`", 2},
        {"[\0", "UTF-16 text; convert it with `iconv -f UTF-16LE -t UTF-8`", 2},
        {"{\0", "UTF-16 text; convert it with `iconv -f UTF-16LE -t UTF-8`", 2},
        {"\0[", "UTF-16 text; convert it with `iconv -f UTF-16BE -t UTF-8`", 2},
        {"\0{", "UTF-16 text; convert it with `iconv -f UTF-16BE -t UTF-8`", 2},
        {"\0", "binary data, no trace", 1},
    };
    char text[32], expected[160];
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        snprintf(expected, sizeof expected, "t: is %s\n", no[i].what);
        for (size_t more = 0; more < 2; more++) { /* alone, and with more behind it */
            memcpy(text, no[i].bytes, no[i].n);
            text[no[i].n] = ' ';
            reads(text, no[i].n + more, expected, __LINE__);
        }
        /* With its last byte another, or cut off, it is something else. */
        text[no[i].n - 1] = 'q';
        read_as(TRACE_UNKNOWN, text, no[i].n);
        CHECK(*said);
        CHECK(!strstr(said, no[i].what));
    }
    READS("\xef\xbb\xbf[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2}]", "other a 1000+2000\n");
    READS("", "t: is empty\n");
}

int main(void)
{
    frame_kinds();
    frame_numbers();
    frame_identities();
    frame_times();
    frame_quotes();
    table_checks();
    stranger_checks();
    return check_failures() != 0;
}
