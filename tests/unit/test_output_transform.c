/* Outputs as the application reads them after a change, by hand: axes put back, codes scaled,
 * padded columns left out, and files that are not of the output. */
#include "advisor/measure/output_transform.h"

#include "graph/infer/shape.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

#include <unistd.h>

static char folder[64];

/* output_`i`.npy with numbers of `size` bytes; `shape` as NumPy writes it. */
static void write_npy(int i, const char *descr, const char *shape, const void *data, size_t nbyte)
{
    char path[128], text[128];
    snprintf(path, sizeof path, "%s/output_%d.npy", folder, i);
    int n =
        snprintf(text, 118, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    memset(text + n, ' ', (size_t)(117 - n));
    text[117] = '\n';
    FILE *out = fopen(path, "wb");
    fwrite("\x93NUMPY\1\0\166\0", 1, 10, out);
    fwrite(text, 1, 118, out);
    fwrite(data, 1, nbyte, out);
    fclose(out);
}

/* The numbers 0, 1, 2 … as float32. */
static void write_floats(const char *shape, size_t count)
{
    float f[512];
    for (size_t i = 0; i < count; i++)
        f[i] = (float)i;
    write_npy(0, "<f4", shape, f, count * sizeof *f);
}

static bool is_mapped(const char *name)
{
    char line[512];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found = found || strstr(line, name);
    if (f)
        fclose(f);
    return found;
}

static Model *load(ModelBuild *b, Arena *a)
{
    Notes notes;
    Diag diag;
    notes_init(&notes, a);
    Model *m = build_load(b, a, &notes, &diag);
    if (m)
        shape_infer(m, NULL, 0, 0);
    return m;
}

/* ---- axes ---- */

static Model *plain(Arena *a)
{
    ModelBuild b = {0};
    build_input(&b, "x", 1, DIMS(2, 3, 4));
    build_node(&b, "Relu", "x", "y", NULL, 0);
    build_node(&b, "Neg", "x", "z", NULL, 0);
    build_output(&b, "y");
    build_output(&b, "z");
    return load(&b, a);
}

static Status open_with(Arena *a, const Model *m, Edit *edit, size_t n, OutputTransform *x,
                        Diag *diag)
{
    CompileOptions o;
    compile_options_init(&o);
    o.edit = edit;
    o.nedit = n;
    return output_transform_open(a, m, &o, "y", folder, x, diag);
}

static void axis_checks(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    double to[64] = {0};
    write_floats("(2, 4, 2, 3)", 48);
    Edit e[] = {{.kind = EDIT_PERMUTE_OUTPUT, .where = "y", .text = "1,0,2"},
                {.kind = EDIT_PERMUTE_OUTPUT, .where = "z", .text = "2,1,0"},
                {.kind = EDIT_PERMUTE_OUTPUT, .where = "y", .text = "2,0,1"}};
    CHECK(!open_with(a, m, e, 0, &x, &diag));
    CHECK(x.runs == 2 && x.count == 24 && x.rank == 3 && x.stride == 24 && !x.coded);
    CHECK(x.dim[0] == 4 && x.dim[1] == 2 && x.dim[2] == 3);
    output_transform_read(&x, 1, to);
    bool same = true;
    for (int i = 0; i < 24; i++)
        same = same && to[i] == 24 + i;
    CHECK(same && to[24] == 0);
    CHECK(is_mapped("output_0.npy"));
    output_transform_close(&x);
    CHECK(!x.file.file.data && !x.runs && !is_mapped("output_0.npy"));

    /* The file's 4 rows of 2 and 3 are the last axis, the first and the one between. */
    CHECK(!open_with(a, m, e + 2, 1, &x, &diag));
    CHECK(x.dim[0] == 2 && x.dim[1] == 3 && x.dim[2] == 4);
    CHECK(x.step[0] == 3 && x.step[1] == 1 && x.step[2] == 6);
    for (size_t run = 0; run < 2; run++) {
        output_transform_read(&x, run, to);
        same = true;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++)
                    same = same && to[(i * 3 + j) * 4 + k] == (double)run * 24 + k * 6 + i * 3 + j;
        CHECK(same);
    }
    output_transform_close(&x);

    /* Both: the last is undone first, then the first; the one of another output is none of it. */
    CHECK(!open_with(a, m, e, 3, &x, &diag));
    CHECK(x.dim[0] == 3 && x.dim[1] == 2 && x.dim[2] == 4);
    CHECK(x.step[0] == 1 && x.step[1] == 3 && x.step[2] == 6);
    output_transform_close(&x);
    e[0].kind = EDIT_COUNT; /* another edit of the same tensor moves no axis */
    CHECK(!open_with(a, m, e, 1, &x, &diag) && x.dim[0] == 4 && x.dim[1] == 2);
    output_transform_close(&x);

    const char *bad[] = {"0,1", "", "0,1,3", "-1,0,1", "3,1,0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        e[2].text = bad[i];
        CHECK(open_with(a, m, e + 2, 1, &x, &diag) == STATUS_INPUT);
        CHECK(strstr(diag.text, "does not have the axes of output 'y'"));
        CHECK(!x.file.file.data && !x.runs && !is_mapped("output_0.npy"));
    }
}

static void rank_checks(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    double to[2] = {0};
    write_floats("(5,)", 5);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag) && x.rank == 0 && x.runs == 5 && x.count == 1);
    output_transform_read(&x, 3, to);
    CHECK(to[0] == 3 && to[1] == 0);
    output_transform_close(&x);
    write_floats("()", 1);
    CHECK(open_with(a, m, NULL, 0, &x, &diag) == STATUS_INPUT);
    write_floats("(1, 1, 1, 1, 1, 1, 1, 1, 2)", 2);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag) && x.rank == 8 && x.count == 2);
    output_transform_close(&x);
    write_floats("(1, 1, 1, 1, 1, 1, 1, 1, 1, 2)", 2);
    CHECK(open_with(a, m, NULL, 0, &x, &diag) == STATUS_INPUT);
    write_floats("(1, 2)", 3); /* more data than the shape needs */
    CHECK(open_with(a, m, NULL, 0, &x, &diag) == STATUS_INPUT && strstr(diag.text, "12 bytes"));
    CompileOptions o;
    compile_options_init(&o);
    CHECK(output_transform_open(a, m, &o, "x", folder, &x, &diag) == STATUS_INPUT);
    CHECK(strstr(diag.text, "is not an output after the change"));
    CHECK(output_transform_open(a, m, &o, "z", folder, &x, &diag) ==
          STATUS_INPUT); /* no such file */
    CHECK(output_transform_index(m->graph, "z") == 1 &&
          output_transform_index(m->graph, "x") == OUTPUT_NONE);
}

/* ---- two of them ---- */

static Status fit(const char *one, size_t n, const char *other, size_t k, Arena *a, const Model *m)
{
    OutputTransform x, y;
    Diag diag = {0};
    write_floats(one, n);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag));
    char from[128], to[128];
    snprintf(from, sizeof from, "%s/output_0.npy", folder);
    snprintf(to, sizeof to, "%s/aside.npy", folder);
    CHECK(!rename(from, to)); /* what is open stays so */
    write_floats(other, k);
    CHECK(!open_with(a, m, NULL, 0, &y, &diag));
    Status st = output_transform_fit(&x, &y, "y", &diag);
    if (st)
        CHECK(strstr(diag.text, "has another shape after the change"));
    else
        CHECK(y.count == x.count && !memcmp(y.dim, x.dim, (size_t)x.rank * sizeof *x.dim));
    output_transform_close(&x);
    output_transform_close(&y);
    return st;
}

static void fit_checks(Arena *a, const Model *m)
{
    CHECK(fit("(2, 2, 3)", 12, "(2, 2, 3)", 12, a, m) == STATUS_OK);
    CHECK(fit("(2, 2, 3)", 12, "(2, 2, 4)", 16, a, m) == STATUS_OK); /* a column was padded */
    CHECK(fit("(2, 2, 3)", 12, "(2, 2, 2)", 8, a, m) == STATUS_INPUT);
    CHECK(fit("(2, 2, 3)", 12, "(2, 3, 3)", 18, a, m) == STATUS_INPUT); /* rows are not */
    CHECK(fit("(2, 2, 3)", 12, "(3, 2, 3)", 18, a, m) == STATUS_INPUT);
    CHECK(fit("(2, 2, 3)", 12, "(2, 2, 3, 1)", 12, a, m) == STATUS_INPUT);
    CHECK(fit("(2,)", 2, "(2,)", 2, a, m) == STATUS_OK);
    CHECK(fit("(1, 1, 1, 1, 1, 1, 1, 1, 2)", 2, "(1, 1, 1, 1, 1, 1, 1, 1, 3)", 3, a, m) ==
          STATUS_OK); /* as many axes as there can be */
    /* The numbers that stay are those of the columns before the padding. */
    OutputTransform x, y;
    Diag diag = {0};
    double to[8] = {0};
    write_floats("(1, 2, 3)", 6);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag));
    char path[128];
    snprintf(path, sizeof path, "%s/output_0.npy", folder);
    unlink(path);
    write_floats("(2, 2, 4)", 16);
    CHECK(!open_with(a, m, NULL, 0, &y, &diag));
    x.runs = 2;
    CHECK(!output_transform_fit(&x, &y, "y", &diag));
    output_transform_read(&y, 1, to);
    CHECK(to[0] == 8 && to[2] == 10 && to[3] == 12 && to[5] == 14 && to[6] == 0);
    output_transform_close(&x);
    output_transform_close(&y);
}

/* ---- codes ---- */

enum { NO_AXIS = 99 };

/* q -> DequantizeLinear -> y, of uint8 (2) or int8 (3); without a zero point where it is NULL. */
static Model *coded(Arena *a, int type, size_t n, const float *scale, const void *zero, int axis)
{
    ModelBuild b = {0};
    IntAttr attr = {"axis", {axis}, 0};
    build_input(&b, "q", type, DIMS(1, 3, 2));
    build_const(&b, "s", 1, n, scale, n * sizeof *scale);
    if (zero)
        build_const(&b, "k", type, n, zero, n);
    build_node(&b, "DequantizeLinear", zero ? "q s k" : "q s", "y", &attr, axis != NO_AXIS);
    build_output(&b, "y");
    return load(&b, a);
}

static Status open_codes(Arena *a, const Model *m, DType want, Sdk sdk, OutputTransform *x,
                         Diag *diag)
{
    CompileOptions o;
    compile_options_init(&o);
    IoType type[] = {{"z", DT_FLOAT32}, {"y", want}};
    o.output_dtype = type;
    o.noutput_dtype = 2;
    o.sdk = sdk;
    return output_transform_open(a, m, &o, "y", folder, x, diag);
}

/* The first number of what is read of 2 runs of 1x3x2 codes 10, 11, 12 …; -999 where refused. */
static double first_of(Arena *a, const Model *m, DType want, Sdk sdk)
{
    OutputTransform x;
    Diag diag = {0};
    double to[6];
    uint8_t code[12];
    for (int i = 0; i < 12; i++)
        code[i] = (uint8_t)(10 + i);
    write_npy(0, want == DT_INT8 ? "|i1" : "|u1", "(2, 1, 3, 2)", code, 12);
    if (open_codes(a, m, want, sdk, &x, &diag)) {
        CHECK(strstr(diag.text, "output 'y' has no single scale, so its values have no unit"));
        CHECK(!x.file.file.data && !x.coded);
        return -999;
    }
    output_transform_read(&x, 0, to);
    output_transform_close(&x);
    return to[0];
}

/* Three places along the first axis of one run, also counted from behind. */
static void code_axis_checks(Arena *a)
{
    const float three[] = {0.5F, 2, 4};
    const int8_t zero[] = {-1, 0, 5};
    for (int axis = -3; axis <= 0; axis += 3) {
        OutputTransform x;
        Diag diag = {0};
        double to[6] = {0};
        write_npy(0, "|i1", "(2, 3, 1, 2)", "\1\2\3\4\5\6\7\10\11\12\13\14", 12);
        CHECK(!open_codes(a, coded(a, 3, 3, three, zero, axis), DT_INT8, 10, &x, &diag));
        output_transform_read(&x, 1, to); /* 7 ... 12 */
        CHECK(to[0] == 4 && to[1] == 4.5 && to[2] == 18 && to[3] == 20 && to[4] == 24 &&
              to[5] == 28);
        output_transform_close(&x);
    }
}

/* A scale that nobody knows before the run, two of them for one axis, and what is no scale. */
static void code_refusals(Arena *a)
{
    const float two[] = {0.5F, 2};
    const uint8_t zero[] = {1, 2};
    CHECK(first_of(a, coded(a, 2, 2, two, zero, 2), DT_UINT8, 10) == 4.5);
    for (int k = 0; k < 3; k++) {
        ModelBuild b = {0};
        build_input(&b, "q", 2, DIMS(1, 3, 2));
        if (k == 1)
            build_input(&b, "s", 1, DIMS(1));
        else
            build_const(&b, "s", 1, 1, two, sizeof *two);
        if (k == 2)
            build_input(&b, "k", 2, DIMS(1));
        else
            build_const(&b, "k", 2, k ? 1 : 2, zero, k ? 1 : 2);
        build_node(&b, "DequantizeLinear", "q s k", "y", NULL, 0);
        build_output(&b, "y");
        CHECK(first_of(a, load(&b, a), DT_UINT8, 10) == -999);
    }
}

/* Places of an axis are known right behind their Dequantize, not where axes have moved. */
static void code_moved(Arena *a)
{
    const float three[] = {0.5F, 2, 4};
    const uint8_t zero[] = {1, 2, 3};
    for (int k = 0; k < 2; k++) {
        ModelBuild b = {0};
        build_input(&b, "q", 2, DIMS(1, 3, 2));
        build_const(&b, "s", 1, k ? 1 : 3, three, (k ? 1 : 3) * sizeof *three);
        build_const(&b, "k", 2, k ? 1 : 3, zero, k ? 1 : 3);
        build_node(&b, "DequantizeLinear", "q s k", "d", NULL, 0);
        build_node(&b, "Flatten", "d", "y", NULL, 0);
        build_output(&b, "y");
        CHECK(first_of(a, load(&b, a), DT_UINT8, 10) == (k ? 4.5 : -999));
    }
}

/* The first type that is wanted counts like the others; an output that nothing makes has no scale.
 */
static void code_wanted(Arena *a)
{
    const float half = 0.5F;
    const uint8_t zero = 0;
    const Model *m = coded(a, 2, 1, &half, &zero, 1);
    OutputTransform x;
    Diag diag = {0};
    IoType type = {"y", DT_UINT8};
    CompileOptions o;
    compile_options_init(&o);
    o.output_dtype = &type;
    o.noutput_dtype = 1;
    write_npy(0, "|u1", "(1, 1, 3, 2)", "\1\2\3\4\5\6", 6);
    CHECK(!output_transform_open(a, m, &o, "y", folder, &x, &diag) && x.coded && x.scale == 0.5);
    output_transform_close(&x);
    ModelBuild b = {0};
    build_input(&b, "y", 1, DIMS(1, 3, 2));
    build_output(&b, "y");
    CHECK(!output_transform_open(a, load(&b, a), &o, "y", folder, &x, &diag) && x.coded);
    CHECK_NEAR(x.scale, 1 / 255.0, 1e-12);
    output_transform_close(&x);
    OutputTransform nothing;
    memset(&nothing, 0, sizeof nothing);
    CHECK(!x.file.file.path && !memcmp(&x.file.file, &nothing.file.file, sizeof x.file.file));
    CHECK(output_transform_open(a, m, &o, "q", folder, &x, &diag) == STATUS_INPUT &&
          !x.file.file.path);
}

static void code_checks(Arena *a, const Model *none)
{
    const float half = 0.5F, three[] = {0.5F, 2, 4};
    const uint8_t z130 = 130, u3[] = {1, 2, 3};
    const int8_t z3 = 3, i3[] = {-1, 0, 5};
    Model *u = coded(a, 2, 1, &half, &z130, 1), *s = coded(a, 3, 1, &half, &z3, 1),
          *bare = coded(a, 2, 1, &half, NULL, 1);
    CHECK(first_of(a, u, DT_UINT8, 10) == -60);                    /* (10 - 130) / 2 */
    CHECK(first_of(a, u, DT_INT8, 10) == 4);                       /* 130 - 128 = 2: (10 - 2) / 2 */
    CHECK(first_of(a, s, DT_INT8, 10) == 3.5);                     /* (10 - 3) / 2 */
    CHECK(first_of(a, s, DT_UINT8, 10) == -60.5);                  /* 3 + 128 = 131 */
    CHECK(first_of(a, bare, DT_UINT8, 10) == 5);                   /* no zero point is 0 of uint8 */
    CHECK(first_of(a, bare, DT_INT8, 10) == 69);                   /* (10 + 128) / 2 */
    CHECK_NEAR(first_of(a, none, DT_UINT8, 10), 10 / 255.0, 1e-6); /* 0 to 1 */
    CHECK_NEAR(first_of(a, none, DT_INT8, 10), 138 / 255.0, 1e-6);
    CHECK_NEAR(first_of(a, u, DT_UINT8, 9), 10 / 255.0, 1e-6); /* pixels */
    CHECK_NEAR(first_of(a, s, DT_INT8, 9), 138 / 255.0, 1e-6);

    /* A scale for each of three places: of axis 1, also counted from behind. */
    for (int axis = -2; axis <= 1; axis += 3) {
        Model *m = coded(a, 3, 3, three, i3, axis);
        OutputTransform x;
        Diag diag = {0};
        double to[6] = {0};
        CHECK(first_of(a, m, DT_INT8, 10) == 5.5); /* (10 + 1) / 2 */
        CHECK(!open_codes(a, m, DT_INT8, 10, &x, &diag) && x.nscale == 3 && x.apart == 2);
        output_transform_read(&x, 1, to); /* 16 … 21 */
        CHECK(to[0] == 8.5 && to[1] == 9 && to[2] == 36 && to[3] == 38 && to[4] == 60 &&
              to[5] == 64);
        output_transform_close(&x);
        CHECK(first_of(a, m, DT_UINT8, 10) == -999); /* the codes are as the model has them */
    }
    CHECK(first_of(a, coded(a, 2, 3, three, u3, 1), DT_UINT8, 10) == 4.5);
    CHECK(first_of(a, coded(a, 2, 3, three, u3, NO_AXIS), DT_UINT8, 10) == 4.5);
    CHECK(first_of(a, coded(a, 2, 3, three, NULL, 1), DT_UINT8, 10) == -999);
    CHECK(first_of(a, coded(a, 3, 3, three, i3, 2), DT_INT8, 10) == -999); /* 2 places */
    CHECK(first_of(a, coded(a, 3, 3, three, i3, 3), DT_INT8, 10) == -999);
    CHECK(first_of(a, coded(a, 3, 3, three, i3, -4), DT_INT8, 10) == -999);

    code_axis_checks(a);
    /* Floats are as they are, whatever type was wanted. */
    OutputTransform x;
    Diag diag = {0};
    double to[6];
    write_floats("(1, 1, 3, 2)", 6);
    CHECK(!open_codes(a, coded(a, 2, 3, three, NULL, 1), DT_UINT8, 10, &x, &diag));
    output_transform_read(&x, 0, to);
    CHECK(to[5] == 5 && !x.coded);
    output_transform_close(&x);
    /* Codes that nobody asked for are numbers. */
    write_npy(0, "|u1", "(1, 1, 3, 2)", "\1\2\3\4\5\6", 6);
    CHECK(!open_codes(a, u, DT_FLOAT32, 10, &x, &diag) && !x.coded);
    output_transform_read(&x, 0, to);
    CHECK(to[0] == 1 && to[5] == 6);
    output_transform_close(&x);
    /* An output of integers has no scale: they are what they are. */
    ModelBuild b = {0};
    build_input(&b, "q", 2, DIMS(1, 3, 2));
    build_node(&b, "Identity", "q", "y", NULL, 0);
    build_value(&b, 12, "y", 2, NULL, 0);
    Model *whole = load(&b, a);
    CHECK(!open_codes(a, whole, DT_UINT8, 10, &x, &diag) && !x.coded);
    output_transform_close(&x);
    /* So are those of an operator that nobody knows, where the model declares integers. */
    ModelBuild c = {0};
    build_input(&c, "q", 2, DIMS(1, 3, 2));
    build_node(&c, "Unheard", "q", "y", NULL, 0);
    build_value(&c, 12, "y", 2, DIMS(1, 3, 2));
    CHECK(!open_codes(a, load(&c, a), DT_UINT8, 10, &x, &diag) && !x.coded);
    output_transform_close(&x);
}

/* ---- saved ---- */

static size_t slurp(const char *name, uint8_t *to, size_t most)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(to, 1, most, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static bool saved(const OutputTransform *x, Diag *diag)
{
    char path[128];
    snprintf(path, sizeof path, "%s/saved.npy", folder);
    return output_transform_save(x, path, diag) == STATUS_OK;
}

static void saved_in_order(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    uint8_t was[1024], is[1024];
    Edit e[] = {{.kind = EDIT_PERMUTE_OUTPUT, .where = "y", .text = "1,0,2"}};
    /* In order: byte for byte the same file; of axes of one it does not matter where they were. */
    const char *shape[] = {"(2, 2, 3, 4)", "(2, 1, 6, 4)"};
    for (int k = 0; k < 2; k++) {
        write_floats(shape[k], 48);
        CHECK(!open_with(a, m, e, (size_t)k, &x, &diag));
        CHECK(saved(&x, &diag));
        size_t n = slurp("output_0.npy", was, sizeof was);
        CHECK(n == 128 + 192 && slurp("saved.npy", is, sizeof is) == n && !memcmp(was, is, n));
        output_transform_close(&x);
    }
}

/* Put back: the 2 rows of 3 were 3 rows of 2. */
static void saved_put_back(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    uint8_t is[1024];
    Edit e[] = {{.kind = EDIT_PERMUTE_OUTPUT, .where = "y", .text = "1,0,2"}};
    write_floats("(2, 3, 2, 4)", 48);
    CHECK(!open_with(a, m, e, 1, &x, &diag) && saved(&x, &diag));
    output_transform_close(&x);
    size_t n = slurp("saved.npy", is, sizeof is);
    CHECK(n == 128 + 192 && !memcmp(is, "\x93NUMPY\1\0\166\0", 10) && is[127] == '\n');
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3, 4,), }";
    CHECK(!memcmp(is + 10, header, strlen(header)) && is[10 + strlen(header)] == ' ' &&
          is[126] == ' ');
    bool same = true;
    for (int run = 0; run < 2; run++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++) {
                    float f;
                    memcpy(&f, is + 128 + 4 * (((run * 2 + i) * 3 + j) * 4 + k), 4);
                    same = same && f == (float)(((run * 3 + j) * 2 + i) * 4 + k);
                }
    CHECK(same);
}

/* Columns left out: of four of a row the first three. */
static void saved_without_columns(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    uint8_t is[1024];
    write_floats("(2, 2, 4)", 16);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag));
    x.dim[1] = 3;
    x.count = 6;
    CHECK(saved(&x, &diag));
    output_transform_close(&x);
    size_t n = slurp("saved.npy", is, sizeof is);
    float f[12] = {0};
    memcpy(f, is + 128, sizeof f);
    CHECK(n == 128 + 48 && f[2] == 2 && f[3] == 4 && f[5] == 6 && f[6] == 8 && f[11] == 14);
}

/* Rows left out behind the others: what is left lies in order, but not the runs. */
static void saved_without_rows(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    uint8_t is[1024];
    float f[8];
    write_floats("(2, 3, 2)", 12);
    CHECK(!open_with(a, m, NULL, 0, &x, &diag));
    x.dim[0] = 2;
    x.count = 4;
    CHECK(saved(&x, &diag));
    output_transform_close(&x);
    size_t n = slurp("saved.npy", is, sizeof is);
    memcpy(f, is + 128, 32);
    CHECK(n == 128 + 32 && f[3] == 3 && f[4] == 6 && f[7] == 9);
}

/* Codes become floats. */
static void saved_codes(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    uint8_t is[1024];
    float f[6];
    (void)m;
    const float half = 0.5F;
    const uint8_t z = 130;
    write_npy(0, "|u1", "(1, 1, 3, 2)", "\1\2\3\4\5\6", 6);
    CHECK(!open_codes(a, coded(a, 2, 1, &half, &z, 1), DT_UINT8, 10, &x, &diag));
    CHECK(saved(&x, &diag));
    output_transform_close(&x);
    size_t n = slurp("saved.npy", is, sizeof is);
    memcpy(f, is + 128, 24);
    CHECK(n == 128 + 24 && f[0] == -64.5F && f[5] == -62);
}

/* Where nothing can be written it is said. */
static void saved_nowhere(Arena *a, const Model *m)
{
    OutputTransform x;
    Diag diag = {0};
    CHECK(!open_with(a, m, NULL, 0, &x, &diag));
    CHECK(output_transform_save(&x, "/nonexistent/saved.npy", &diag) != STATUS_OK);
    x.coded = true;
    CHECK(output_transform_save(&x, "/nonexistent/saved.npy", &diag) != STATUS_OK);
    output_transform_close(&x);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/crossed-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    Arena *a = arena_new(0);
    Model *m = plain(a);
    CHECK(m != NULL);
    axis_checks(a, m);
    rank_checks(a, m);
    fit_checks(a, m);
    code_checks(a, m);
    code_refusals(a);
    code_moved(a);
    code_wanted(a);
    saved_in_order(a, m);
    saved_put_back(a, m);
    saved_without_columns(a, m);
    saved_without_rows(a, m);
    saved_codes(a, m);
    saved_nowhere(a, m);
    arena_free(a);
    static const char *const left[] = {"output_0.npy", "aside.npy", "saved.npy"};
    char path[128];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        unlink(path);
    }
    CHECK(!rmdir(folder));
    return check_failures() != 0;
}
