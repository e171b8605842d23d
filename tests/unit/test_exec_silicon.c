/* The silicon file: numbers, limits, members and changes, by hand. */
#include "npu_exec/sim/silicon.h"

#include "graph/base/data.h"
#include "graph/base/xml.h"
#include "graph/compile/machine.h"
#include "graph/model/dtype.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers ---- */

static int64_t scaled(const char *text, int64_t scale)
{
    int64_t v = -7;
    return silicon_scaled_decimal(text, scale, &v) ? v : INT64_MIN;
}

static void number_checks(void)
{
    CHECK(scaled("0", 1000) == 0 && scaled("9", 1000) == 9000 && scaled("10", 1) == 10);
    CHECK(scaled("1.32", 1000) == 1320 && scaled("-0.25", 1000) == -250);
    CHECK(scaled("1.", 1000) == 1000 && scaled("0.0009", 1000) == 1);
    CHECK(scaled("0.0005", 1000) == 1 && scaled("0.0004", 1000) == 0); /* to the nearest */
    CHECK(scaled("2.5", 1) == 3 && scaled("2.4", 1) == 2 && scaled("-2.5", 1) == -3);
    CHECK(scaled("0.1234567894", 1000000000) == 123456789); /* nine digits count */
    CHECK(scaled("0.1234567899", 1000000000) == 123456789);
    CHECK(scaled("0.123456789", 1000000000) == 123456789);
    const char *none[] = {"",   "-",   ".5",    "x",  "1e3", "1,5", " 1",
                          "1 ", "--1", "1.2.3", "+1", ":",   "/"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(scaled(none[i], 1000) == INT64_MIN);
    CHECK(scaled("9223372036854775799", 1) == 9223372036854775799);
    CHECK(scaled("9223372036854775800", 1) == INT64_MIN);
    CHECK(scaled("99999999999999999999", 1) == INT64_MIN);
    CHECK(scaled("9223372036854769", 1000) == 9223372036854769000);
    CHECK(scaled("9223372036854770", 1000) == INT64_MIN);
    Silicon s = {.core_cycle = 500000}; /* 500 ps */
    CHECK(silicon_cycles(&s, 1000) == 500 && silicon_cycles(&s, 1320) == 660);
}

/* ---- the file ---- */

static char *original;

/* The file with the first `from` made `to`; what is said of it, behind the path; "" if taken. */
static const char *with(Arena *a, const char *from, const char *to, const Machine *m, Silicon **ret)
{
    static char path[] = "/tmp/silicon-test.xml.XXXXXX", text[DIAG_TEXT_SIZE];
    char name[sizeof path];
    Diag diag = {0};
    const char *at = strstr(original, from);
    strcpy(name, path);
    FILE *f = fdopen(mkstemp(name), "w");
    if (!at || !f)
        return "not in the file";
    fwrite(original, 1, (size_t)(at - original), f);
    fputs(to, f);
    fputs(at + strlen(from), f);
    fclose(f);
    Status st = silicon_load(a, arena_strdup(a, name), m, ret, &diag);
    unlink(name);
    snprintf(text, sizeof text, "%s", st ? diag.text + strlen(name) + 2 : "");
    return text;
}

#define P(name, value) "<p name=\"" name "\" value=\"" value "\""

static void as_written_checks(Arena *a, const Machine *m)
{
    Silicon *s;
    CHECK(!*with(a, "core_cycle", "core_cycle", m, &s));
    CHECK(s->core_cycle == 500000 && s->array_step == 1600 && s->window_step == 600);
    CHECK(s->pe_count == 2 && s->slices_per_pe == 64 && s->mac_width == 32 && s->mac_height == 4 &&
          s->io_align_bytes == 64 && s->instruction_bytes == 262144 && s->width_multiple == 32);
    CHECK(s->host[0].op == HOST_QUANTIZE && s->host[0].from == DT_FLOAT32 &&
          s->host[0].to == DT_UNKNOWN && s->host[0].since == SDK_OLDEST && s->host[0].until == 9 &&
          s->host[0].call == 28000000 && s->host[0].line == 3000 && s->host[0].row == 0 &&
          s->host[0].element_fs == 48100000 && s->host[0].mac_fs == 0 &&
          s->host[0].sigma_ppm == 470000);
    CHECK(s->host[1].since == 10 && s->host[1].until == INT_MAX);
}

static void name_checks(Arena *a, const Machine *m)
{
    Silicon *s;
    CHECK(strstr(with(a, "\"core_cycle\"", "\"core_circle\"", m, &s),
                 ": no constant is called 'core_circle'"));
    CHECK(
        strstr(with(a, "unit=\"ps\"", "unit=\"ns\"", m, &s), ": 'core_cycle' is in ps, not in ns"));
    CHECK(strstr(with(a, P("command_bytes", "512") " unit=\"B\"",
                      P("core_cycle", "512") " unit=\"ps\"", m, &s),
                 ": 'core_cycle' is stated twice"));
    CHECK(!strcmp(with(a, "pe_count=\"2\"", "pe_count=\"3\"", m, &s),
                  "geometry: pe_count is 3, but the machine 'warboy' has 2: not the same chip"));
}

/* A row of the host: a known operator, versions of an SDK, and what it takes in fs and ppm. */
static void host_row_checks(Arena *a, const Machine *m)
{
    Silicon *s;
    const char *unknown = "line 86: unknown host operator or SDK version";
    CHECK(!strcmp(with(a, "op=\"Quantize\"", "op=\"Quantise\"", m, &s), unknown));
    CHECK(!strcmp(with(a, "until=\"0.9\"", "until=\"0.5\"", m, &s), unknown));
    CHECK(!strcmp(with(a, "until=\"0.9\"", "since=\"0.5\"", m, &s), unknown));
    CHECK(!*with(a, "until=\"0.9\"", "until=\"0.6\"", m, &s) && s->host[0].until == SDK_OLDEST);
    CHECK(!*with(a, "until=\"0.9\"", "since=\"0.6\"", m, &s) && s->host[0].since == SDK_OLDEST);
    CHECK(!*with(a, "until=\"0.9\"", "mac_ns=\"9.5\" row_ns=\"7\"", m, &s) &&
          s->host[0].mac_fs == 9500000 && s->host[0].row == 7000);
    CHECK(!*with(a, "until=\"0.9\"", "mac_ns=\"0.000001\"", m, &s) && s->host[0].mac_fs == 1);
}

static void other_chip_checks(Arena *a, const Machine *m)
{
    Silicon *s;
    static const char *const other[][2] = {
        {"slices_per_pe=\"64\"", "slices_per_pe=\"65\""},
        {"mac_width=\"32\"", "mac_width=\"31\""},
        {"mac_height=\"4\"", "mac_height=\"5\""},
        {"sram_slice_bytes=\"262144\"", "sram_slice_bytes=\"262145\""},
        {"dram_bytes=\"17179869184\"", "dram_bytes=\"17179869183\""},
        {"io_align_bytes=\"64\"", "io_align_bytes=\"32\""},
        {"instruction_bytes=\"262144\"", "instruction_bytes=\"262143\""},
        {"width_multiple=\"32\"", "width_multiple=\"33\""}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(strstr(with(a, other[i][0], other[i][1], m, &s), ": not the same chip"));
    /* Eight PEs, and one more. */
    Machine eight = *m;
    eight.pe_count = 8;
    CHECK(!*with(a, "pe_count=\"2\"", "pe_count=\"8\"", &eight, &s));
    eight.pe_count = 9;
    CHECK(!strcmp(with(a, "pe_count=\"2\"", "pe_count=\"9\"", &eight, &s),
                  "geometry: more than 8 PEs"));
}

/* The file with another value of a constant. */
static const char *with_value(Arena *a, const char *name, const char *value, const Machine *m)
{
    Silicon *s;
    char from[64], to[64], was[128] = "";
    snprintf(from, sizeof from, "<p name=\"%s\" value=\"", name);
    char *at = strstr(original, from);
    if (at)
        snprintf(was, sizeof was, "%.*s", (int)(strstr(at, "unit=\"") + 6 - at), at);
    snprintf(to, sizeof to, "<p name=\"%s\" value=\"%s\" unit=\"", name, value);
    return with(a, was, to, m, &s);
}

/* Of what is divided by none may be zero; sizes are a byte at least. */
static void least_checks(Arena *a, const Machine *m)
{
    static const struct {
        const char *name, *too_little, *enough;
    } row[] = {{"core_cycle", "0", "0.001"},       {"command_fetch", "0", "0.001"},
               {"feed_rate", "0", "0.001"},        {"commit_rate", "0", "0.001"},
               {"table_rate", "0", "0.001"},       {"gather_rate", "0", "0.001"},
               {"exchange_rate", "0", "0.001"},    {"dram_shared_efficiency", "0", "0.001"},
               {"dram_burst_bytes", "0.999", "1"}, {"dram_row_bytes", "0.999", "1"},
               {"pcie_packet_bytes", "0.999", "1"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CHECK(!strcmp(with_value(a, row[i].name, row[i].too_little, m),
                      "clock, sizes, rates and efficiencies must not be zero"));
        CHECK(!*with_value(a, row[i].name, row[i].enough, m));
    }
}

/* ---- members ---- */

static void member_checks(Arena *a, const Machine *m)
{
    Silicon *s;
    char text[8192] = "";
    const char *own =
        "<member><p name=\"core_cycle\" times=\"1.5\"/><p name=\"array_step\" value=\"7\"/>"
        "<host op=\"Quantize\" from=\"uint8\" times=\"2\"/></member>"
        "<member><host op=\"Quantize\" times=\"0.5\"/><p name=\"array_fill\" "
        "times=\"0\"/></member>\n  <member>";
    CHECK(!*with(a, "<member>", own, m, &s));
    const Silicon *zero = silicon_member(a, s, 0), *one = silicon_member(a, s, 1),
                  *two = silicon_member(a, s, 2);
    CHECK(zero->core_cycle == 500000 && zero->array_step == 1600);
    CHECK(one->core_cycle == 750000 && one->array_step == 7000 && one->window_step == 600);
    CHECK(two->core_cycle == 500000 && two->array_fill == 1); /* what was something stays so */
    for (size_t i = 0; i < s->nhost; i++) {
        const SiliconHostCost *was = &s->host[i], *x = &one->host[i], *y = &two->host[i];
        bool quantize = was->op == HOST_QUANTIZE, bytes = quantize && was->from == DT_UINT8;
        int64_t k = bytes ? 2 : 1;
        CHECK(x->call == k * was->call && x->row == k * was->row && x->line == k * was->line &&
              x->element_fs == k * was->element_fs && x->mac_fs == k * was->mac_fs &&
              x->sigma_ppm == was->sigma_ppm);
        CHECK(y->call == (quantize ? was->call / 2 : was->call) && zero->host[i].call == was->call);
    }
    CHECK(strstr(with(a, "<member>",
                      "<member><p name=\"core_circle\" times=\"1\"/></member><member>", m, &s),
                 ": a member changes a constant or host operator that is not known"));
    CHECK(*with(a, "<member>", "<member><host op=\"Quantise\" times=\"1\"/></member><member>", m,
                &s));
    CHECK(!*with(a, "core_cycle", "core_cycle", m, &s));
    size_t has = s->nmember;
    for (size_t more = 64 - has; more <= 65 - has; more++) {
        text[0] = '\0';
        for (size_t i = 0; i < more; i++)
            strcat(text, "<member><p name=\"core_cycle\" times=\"1.5\"/></member>\n");
        strcat(text, "<member>");
        const char *what = with(a, "<member>", text, m, &s);
        CHECK(more + has == 64 ? !*what : !strcmp(what, "member: more than 64 members"));
    }
}

/* ---- changed by a seed ---- */

static void perturb_checks(Arena *a, const Machine *m)
{
    Silicon *s[4];
    for (int i = 0; i < 4; i++)
        CHECK(!*with(a, "core_cycle", "core_cycle", m, &s[i]));
    silicon_perturb(s[1], 7);
    silicon_perturb(s[2], 7);
    silicon_perturb(s[3], 8);
    size_t moved = 0, other = 0, within = 0, all = 0, still = 0, same = 0;
    const struct {
        size_t at;
        const char *unit;
    } constant[] = {
#define SILICON(name, unit, of, least) {offsetof(Silicon, name), unit},
#include "npu_exec/sim/silicon.def"
    };
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++) {
        int64_t v[4];
        for (int k = 0; k < 4; k++)
            memcpy(&v[k], (char *)s[k] + constant[i].at, sizeof v[k]);
        if (!strcmp(constant[i].unit, "yes")) {
            still += v[1] != v[0];
            continue;
        }
        all++;
        same += v[1] == v[2];
        within += v[1] >= v[0] * 7 / 10 && v[1] <= v[0] * 14 / 10 && (v[0] == 0 || v[1] > 0);
        moved += v[1] != v[0];
        other += v[1] != v[3];
    }
    CHECK(still == 0 && within == all && same == all && moved * 10 > all * 8 &&
          other * 10 > all * 8);
    /* Each part of a row is drawn for itself: no two have changed by the same factor. */
    size_t wrong = 0, twins = 0;
    for (size_t i = 0; i < s[0]->nhost; i++) {
        const SiliconHostCost *h = &s[0]->host[i], *x = &s[1]->host[i];
        const int64_t was[] = {h->call, h->row, h->line, h->element_fs, h->mac_fs},
                      is[] = {x->call, x->row, x->line, x->element_fs, x->mac_fs};
        double factor[5];
        for (int k = 0; k < 5; k++) {
            factor[k] = was[k] ? (double)is[k] / (double)was[k] : 0;
            wrong += was[k] && (factor[k] < 0.7 - 1e-3 || factor[k] >= 1.4);
            for (int j = 0; j < k; j++)
                twins += was[k] > 1000 && was[j] > 1000 && factor[k] == factor[j];
        }
        wrong += x->sigma_ppm != h->sigma_ppm;
    }
    CHECK(wrong == 0 && twins == 0);
    /* The same seed gives the same silicon in every release: what was verified stays so. */
    CHECK(s[1]->core_cycle == 594990 && s[1]->host[0].call == 31066560 &&
          s[1]->host[1].element_fs == 22538412 && s[1]->host[2].line == 3310);
    Silicon least = {.core_cycle = 1};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        silicon_perturb(&least, seed); /* of nothing nothing, of something something */
        wrong += least.core_cycle != 1 || least.array_step != 0;
    }
    CHECK(wrong == 0);
}

/* ---- which row ---- */

static const SiliconHostCost *row_of(const Silicon *s, Sdk sdk, HostOp op, DType from, DType to)
{
    Step step = {.kind = STEP_HOST, .host_op = op, .op = "", .from = from, .to = to};
    return silicon_host_cost(s, sdk, &step);
}

/* The first row of its type or of its finer name, else that of any operator. */
static void type_checks(void)
{
    SiliconHostCost h[] = {{.op = HOST_OPERATOR, .type = "DepthwiseConv", .since = 8, .until = 10},
                           {.op = HOST_OPERATOR, .type = "Conv", .since = 8, .until = 10},
                           {.op = HOST_OPERATOR, .since = 8, .until = 10}};
    Silicon s = {.host = h, .nhost = 3};
    Step step = {.kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Conv"};
    CHECK(silicon_host_cost(&s, 9, &step) == &h[1]);
    step.finer = "DepthwiseConv";
    CHECK(silicon_host_cost(&s, 9, &step) == &h[0]);
    step = (Step){.kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Convolve"};
    CHECK(silicon_host_cost(&s, 9, &step) == &h[2]);
}

static void row_checks(void)
{
    SiliconHostCost h[] = {
        {.op = HOST_PAD, .from = DT_FLOAT32, .to = DT_INT8, .since = 8, .until = 9},
        {.op = HOST_PAD, .from = DT_FLOAT32, .since = 9, .until = 10},
        {.op = HOST_PAD, .to = DT_UINT8, .since = 8, .until = 10},
        {.op = HOST_SLICE, .since = 10, .until = 10}};
    Silicon s = {.host = h, .nhost = 4};
    CHECK(row_of(&s, 8, HOST_PAD, DT_FLOAT32, DT_INT8) == &h[0]);
    CHECK(row_of(&s, 9, HOST_PAD, DT_FLOAT32, DT_INT8) == &h[0]); /* the first counts */
    CHECK(row_of(&s, 10, HOST_PAD, DT_FLOAT32, DT_INT8) == &h[1]);
    CHECK(row_of(&s, 8, HOST_PAD, DT_FLOAT32, DT_UINT8) == &h[2]);
    CHECK(row_of(&s, 9, HOST_PAD, DT_FLOAT32, DT_UINT8) == &h[1]);
    CHECK(row_of(&s, 7, HOST_PAD, DT_FLOAT32, DT_INT8) == NULL);
    CHECK(row_of(&s, 9, HOST_PAD, DT_INT8, DT_INT8) == NULL);
    CHECK(row_of(&s, 9, HOST_SLICE, DT_INT8, DT_INT8) == NULL);
    CHECK(row_of(&s, 10, HOST_SLICE, DT_INT8, DT_INT8) == &h[3]);
    s.nhost = 3;
    CHECK(row_of(&s, 10, HOST_SLICE, DT_INT8, DT_INT8) == NULL);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    Diag diag;
    Machine *m;
    size_t size = 1 << 20;
    original = calloc(1, size);
    FILE *f = fopen(data_silicon_path(a, "warboy.xml"), "r");
    if (machine_load(a, "warboy", &m, &diag) || !f || !fread(original, 1, size - 1, f)) {
        printf("FAILED: there is no silicon\n");
        return 1;
    }
    fclose(f);
    number_checks();
    as_written_checks(a, m);
    name_checks(a, m);
    host_row_checks(a, m);
    other_chip_checks(a, m);
    least_checks(a, m);
    member_checks(a, m);
    perturb_checks(a, m);
    type_checks();
    row_checks();
    arena_free(a);
    free(original);
    return check_failures() != 0;
}
