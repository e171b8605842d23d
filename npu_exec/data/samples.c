/* Finds the files of a folder and copies their values into inputs, image by image. */
#include "npu_exec/data/samples.h"
#include "graph/base/folder.h"
#include "graph/base/limits.h"
#include "graph/infer/ops.h"
#include "graph/model/dtype.h"
#include "npu_exec/data/npz.h"

/* One sample: an image file, number `at` of an array, or a folder of inputs. */
typedef struct {
    const char *path;
    int64_t at;
    enum { OF_IMAGE, OF_ARRAY, OF_FOLDER, OF_STACK } kind; /* OF_STACK: number `at` of a folder */
} Item;

/* How an 8-bit input represents numbers: (integer - zero) * scale. */
typedef struct {
    bool known;
    float scale;
    int64_t zero;
} Coding;

struct Samples {
    Arena *arena;
    const Graph *graph;
    const Recipe *recipe;
    Item *item;
    size_t nitem, cap, nfile;
    bool folders; /* each item fills all images of a run */
    int64_t batch;
    Placement *placement;   /* of each item; width 0: not fed yet, or no image file */
    Coding *coding;         /* of each input */
    size_t run, dir_length; /* of the folder's name and a slash */
    DType from, to;         /* a conversion that was done */
};

static const char *const suffix[] = {".png",  ".jpg", ".jpeg", ".PNG", ".JPG",
                                     ".JPEG", ".npy", ".npz",  ".pb"};
enum { NSUFFIX = sizeof suffix / sizeof suffix[0], NPICTURE = 6 };

static bool is_picture(const char *name)
{
    size_t n = strlen(name);
    return LIST_ANY(i, NPICTURE,
                    n > strlen(suffix[i]) && !strcmp(name + n - strlen(suffix[i]), suffix[i]));
}

/* ---- finding ---- */

/* The only input, whose images the files are. */
static const Tensor *only_input(const Samples *s)
{
    return &s->graph->tensor[s->graph->input[0]];
}

/* Images in an array: its shape is that of the input, but for their number; the axis of images may
 * be absent. -1: it does not fit. */
static int64_t images_in(const Tensor *t, const Shape *array)
{
    int32_t extra = t->shape.rank - array->rank;
    if (extra < 0 || extra > 1 || t->shape.rank < 1)
        return -1;
    for (int32_t i = 1; i < t->shape.rank; i++)
        if (array->dim[i - extra].value != t->shape.dim[i].value)
            return -1;
    return extra ? 1 : array->dim[0].value;
}

/* A file's array; of an archive the one that is called like the input. */
static Status open_value(Arena *a, const char *path, const Tensor *t, ValueFile *ret, Diag *diag)
{
    return npz_is_named(path) ? npz_open(a, path, t->name, ret, diag)
                              : value_file_open(a, path, ret, diag);
}

static Status add_array(Samples *s, const char *path, Diag *diag)
{
    ValueFile f;
    Arena *scratch = arena_new(0);
    const Tensor *t = only_input(s);
    Status st = open_value(scratch, path, t, &f, diag);
    if (!st) {
        int64_t n = images_in(t, &f.shape);
        for (int64_t k = 0; k < n && k < SAMPLES_MAX_FILES; k++)
            *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) = (Item){path, k, OF_ARRAY};
        if (n < 0)
            st = diag_set(diag, STATUS_INPUT, path, NULL,
                          "is %s, but input '%s' takes %s, with any number of images",
                          shape_text(scratch, &f.shape), t->name, shape_text(scratch, &t->shape));
        value_file_close(&f);
    }
    arena_free(scratch);
    return st;
}

static Status add_file(Samples *s, const char *path, Diag *diag)
{
    if (s->nfile++ >= SAMPLES_MAX_FILES || s->nitem >= SAMPLES_MAX_FILES)
        return diag_set(diag, STATUS_INPUT, path, NULL, "more than %d files or images",
                        SAMPLES_MAX_FILES);
    if (s->graph->ninput != 1 && npz_is_named(path)) {
        *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) = (Item){path, 0, OF_FOLDER};
        return STATUS_OK;
    }
    if (s->graph->ninput != 1)
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "the model has %zu inputs: each sample is a folder of input_0.npy, "
                        "input_1.npy …, or a .npz of arrays called like them",
                        s->graph->ninput);
    if (!is_picture(path))
        return add_array(s, path, diag);
    if (!s->recipe)
        return diag_set(diag, STATUS_USAGE, path, NULL,
                        "is an image: say how it becomes an input by --preprocess, such as "
                        "--preprocess imagenet");
    *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) = (Item){path, 0, OF_IMAGE};
    return STATUS_OK;
}

/* Path of an input's file in a folder of inputs; NULL: it is not there. */
static const char *input_file(Arena *a, const char *dir, size_t i)
{
    static const char *const ending[] = {"npy", "pb"};
    for (size_t k = 0; k < 2; k++) {
        const char *path = arena_printf(a, "%s/input_%zu.%s", dir, i, ending[k]);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* One sample, or as many as the first axis of its first file counts. */
static Status add_folder(Samples *s, const char *dir, Diag *diag)
{
    ValueFile f;
    Arena *scratch = arena_new(0);
    Status st = value_file_open(scratch, input_file(scratch, dir, 0), &f, diag);
    if (!st) {
        bool stack = f.shape.rank == only_input(s)->shape.rank + 1;
        int64_t n = stack ? f.shape.dim[0].value : 1;
        for (int64_t k = 0; k < n && k < SAMPLES_MAX_FILES; k++)
            *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) =
                (Item){dir, k, stack ? OF_STACK : OF_FOLDER};
        value_file_close(&f);
    }
    arena_free(scratch);
    return st;
}

static Status walk_folder(Samples *s, const char *dir, int depth, Diag *diag)
{
    const FolderEntry *entry;
    size_t n = 0;
    if (input_file(s->arena, dir, 0))
        return add_folder(s, dir, diag);
    Status st = folder_walk(s->arena, dir, suffix, NSUFFIX, &entry, &n, diag);
    for (size_t i = 0; i < n && !st; i++) {
        const char *path = arena_printf(s->arena, "%s/%s", dir, entry[i].name);
        if (!entry[i].is_folder)
            st = add_file(s, path, diag);
        else if (depth < SAMPLES_MAX_DEPTH)
            st = walk_folder(s, path, depth + 1, diag);
    }
    return st;
}

/* Every n-th, so that each class keeps its share. */
static void thin_out(Samples *s, size_t most)
{
    if (most == 0 || s->nitem <= most)
        return;
    for (size_t k = 0; k < most; k++)
        s->item[k] = s->item[k * s->nitem / most];
    s->nitem = most;
}

static Status check_items(Samples *s, const char *dir, Diag *diag)
{
    size_t folders =
        LIST_SUM(size_t, i, s->nitem, s->item[i].kind == OF_FOLDER || s->item[i].kind == OF_STACK);
    s->folders = folders > 0;
    if (s->nitem == 0)
        return diag_set(diag, STATUS_INPUT, dir, NULL,
                        "holds no image (.png, .jpg) and no array (.npy, .npz, .pb)");
    if (folders > 0 && folders < s->nitem)
        return diag_set(diag, STATUS_INPUT, dir, NULL,
                        "mixes folders of inputs (input_0 …) with other files");
    return STATUS_OK;
}

/* What the first consumer that quantizes or takes codes says of input i. */
static Coding quantized_coding(const Graph *g, size_t i)
{
    const Tensor *t = &g->tensor[g->input[i]];
    Coding c = {0};
    for (uint32_t k = 0; k < t->nconsumer && !c.known; k++) {
        const Node *n = &g->node[t->consumer[k]];
        bool takes = op_is(n->op_id, OP_DequantizeLinear, OP_MsDequantizeLinear, OP_QLinearConv,
                           OP_MsQLinearConv);
        const Tensor *scale = node_input(g, n, 1), *zero = node_input(g, n, 2);
        double step = 0;
        if (!takes || n->input[0] != g->input[i] || !scale || !scale->value ||
            scale->value->nelem != 1 || !const_float(scale->value, 0, &step) || !(step > 0))
            continue;
        c.known =
            !zero || (zero->value && zero->value->nelem == 1 && const_int(zero->value, 0, &c.zero));
        c.scale = (float)step;
    }
    return c;
}

Status samples_open(Arena *a, const char *dir, const Recipe *recipe, const Graph *g, size_t most,
                    Samples **ret, Diag *diag)
{
    Samples *s = ARENA_NEW(a, Samples);
    *s = (Samples){.arena = a, .graph = g, .recipe = recipe, .batch = 1};
    s->dir_length = strlen(dir) + 1;
    if (g->ninput == 0)
        return diag_set(diag, STATUS_INPUT, dir, NULL, "the model has no input");
    const Tensor *t = only_input(s);
    if (t->shape.rank > 0 && t->shape.dim[0].value > 0)
        s->batch = t->shape.dim[0].value;
    s->coding = ARENA_ARRAY(a, Coding, g->ninput);
    for (size_t i = 0; i < g->ninput; i++)
        s->coding[i] = quantized_coding(g, i);
    Status st = walk_folder(s, dir, 0, diag);
    st = st ? st : check_items(s, dir, diag);
    if (st)
        return st;
    thin_out(s, most);
    s->placement = ARENA_ARRAY(a, Placement, s->nitem);
    *ret = s;
    return STATUS_OK;
}

size_t samples_images(const Samples *s)
{
    return s->nitem;
}

static size_t images_per_run(const Samples *s)
{
    return s->folders ? 1 : (size_t)s->batch;
}

size_t samples_runs(const Samples *s)
{
    return (s->nitem + images_per_run(s) - 1) / images_per_run(s);
}

const char *samples_file(const Samples *s, size_t run, size_t image)
{
    size_t i = run * images_per_run(s) + image;
    if (image >= images_per_run(s) || i >= s->nitem)
        return NULL;
    const char *path = s->item[i].path;
    return strlen(path) > s->dir_length ? path + s->dir_length : ""; /* the folder itself */
}

const Placement *samples_placed(const Samples *s, size_t run, size_t image)
{
    size_t i = run * images_per_run(s) + image;
    bool known = image < images_per_run(s) && i < s->nitem && s->placement[i].width > 0;
    return known ? &s->placement[i] : NULL;
}

void samples_choose(Samples *s, size_t run)
{
    s->run = run;
}

/* ---- reading ---- */

/* As QuantizeLinear has it, to the nearest code. */
static void quantize_floats(const Coding *c, DType to, float *x, int64_t n)
{
    float lo = to == DT_INT8 ? -128 : 0, hi = to == DT_INT8 ? 127 : 255;
    for (int64_t i = 0; i < n; i++) {
        float q = rintf(x[i] / c->scale) + (float)c->zero;
        x[i] = q >= hi ? hi : q > lo ? q : lo; /* NaN: the lower end */
    }
}

static bool quantized_has_one_scale(const Samples *s, size_t input, DType from, DType to)
{
    return s->coding[input].known && (to == DT_UINT8 || to == DT_INT8) && dtype_is_float(from);
}

/* Whether every number can be had in that type: 300 is no byte. */
static bool fits_in_type(DType to, const float *x, int64_t n)
{
    int bits = dtype_bits(to);
    if (!dtype_is_integer(to) || bits > 16)
        return true;
    bool negative = to == DT_INT8 || to == DT_INT16;
    float lo = negative ? -ldexpf(1, bits - 1) : 0, hi = ldexpf(1, negative ? bits - 1 : bits) - 1;
    return !LIST_ANY(i, n, !(x[i] >= lo) || !(x[i] <= hi));
}

/* `n` elements of a file's array, from `first` on. */
typedef struct {
    const char *path;
    const ValueFile *f;
    int64_t first, n;
} ArrayPart;

/* Numbers of another type, element by element. */
static bool convert_elements(Samples *s, size_t input, const ArrayPart *part, Value *v, int64_t to)
{
    const ValueFile *f = part->f;
    int64_t n = part->n;
    Value *from = value_create(f->value.dtype, 1, &n), *whole = value_create(v->dtype, 1, &n);
    bool ok = from && whole;
    if (ok) {
        memcpy(from->data, f->value.data + part->first * dtype_bits(from->dtype) / 8,
               (size_t)value_bytes(from));
        const float *x = value_floats(from);
        bool coded = quantized_has_one_scale(s, input, from->dtype, v->dtype);
        ok = x && (coded || fits_in_type(v->dtype, x, n));
        if (ok) {
            whole->floats = v->dtype == DT_FLOAT32
                                ? whole->data
                                : limits_alloc(((size_t)n + 1) * sizeof *whole->floats);
            memcpy(whole->floats, x, (size_t)n * sizeof *x);
            if (coded)
                quantize_floats(&s->coding[input], v->dtype, whole->floats, n);
            ok = value_convert_elements(whole);
        }
    }
    if (ok)
        memcpy((uint8_t *)v->data + to * dtype_bits(v->dtype) / 8, whole->data,
               (size_t)value_bytes(whole));
    s->from = f->value.dtype;
    s->to = v->dtype;
    value_release(from);
    value_release(whole);
    return ok;
}

/* To element `to` of the value. */
static Status copy_array(Samples *s, size_t input, const ArrayPart *from, Value *v, int64_t to,
                         Diag *diag)
{
    const ValueFile *f = from->f;
    assert(input < s->graph->ninput && to >= 0 && to + from->n <= v->count);
    if (!f->value.data || from->first + from->n > f->value.nelem)
        return diag_set(diag, STATUS_INPUT, from->path, NULL, "is shorter than it was");
    if (f->value.dtype != v->dtype)
        return convert_elements(s, input, from, v, to)
                   ? STATUS_OK
                   : diag_set(diag, STATUS_INPUT, from->path, NULL,
                              "holds %s that an input of %s cannot take",
                              dtype_name(f->value.dtype), dtype_name(v->dtype));
    int64_t size = dtype_bits(v->dtype) / 8;
    memcpy((uint8_t *)v->data + to * size, f->value.data + from->first * size,
           (size_t)(from->n * size));
    return STATUS_OK;
}

static Status take_array(Samples *s, const Item *item, Value *v, int64_t image, Diag *diag)
{
    ValueFile f;
    Arena *scratch = arena_new(0);
    Status st = open_value(scratch, item->path, only_input(s), &f, diag);
    if (!st) {
        int64_t n = v->count / s->batch;
        st = copy_array(s, 0, &(ArrayPart){item->path, &f, item->at * n, n}, v, image * n, diag);
        value_file_close(&f);
    }
    arena_free(scratch);
    return st;
}

static Status take_picture(Samples *s, const Item *item, Value *v, int64_t image, Diag *diag)
{
    Frame f;
    Image m;
    if (!recipe_frame(v->dtype, v->rank, v->dim, &f))
        return diag_set(diag, STATUS_INPUT, item->path, NULL,
                        "cannot be fed: the input is not an image of 1 or 3 channels in floats or "
                        "uint8; give arrays");
    Status st = image_open(item->path, &m, diag);
    if (st)
        return st;
    int64_t n = v->count / s->batch;
    if (!v->floats)
        v->floats =
            v->dtype == DT_FLOAT32 ? v->data : limits_alloc((size_t)v->count * sizeof(float));
    bool codes = s->recipe->codes && quantized_has_one_scale(s, 0, DT_FLOAT32, v->dtype);
    recipe_apply(s->recipe, &m, &f, !codes && !dtype_is_float(v->dtype), v->floats + image * n);
    if (codes)
        quantize_floats(&s->coding[0], v->dtype, v->floats + image * n, n);
    s->placement[item - s->item] = (Placement){m.width, m.height, recipe_place(s->recipe, &m, &f)};
    image_free(&m);
    return STATUS_OK;
}

static Status take_folder(Samples *s, const Item *item, size_t i, const Tensor *t, Value *v,
                          Diag *diag)
{
    Arena *scratch = arena_new(0);
    const char *path = npz_is_named(item->path) ? item->path : input_file(scratch, item->path, i);
    ValueFile f;
    Status st = path ? open_value(scratch, path, t, &f, diag)
                     : diag_set(diag, STATUS_INPUT, item->path, NULL,
                                "has no input_%zu.npy or input_%zu.pb for '%s'", i, i, t->name);
    if (!st) {
        int32_t own = item->kind == OF_STACK; /* axes */
        bool fits = f.shape.rank == v->rank + own;
        for (int32_t k = 0; fits && k < v->rank; k++)
            fits = f.shape.dim[k + own].value == v->dim[k];
        ArrayPart all = {path, &f, item->at * v->count, v->count};
        st = fits
                 ? copy_array(s, i, &all, v, 0, diag)
                 : diag_set(diag, STATUS_INPUT, path, NULL, "is %s, but input '%s' takes %s",
                            shape_text(scratch, &f.shape), t->name, shape_text(scratch, &t->shape));
        value_file_close(&f);
    }
    arena_free(scratch);
    return st;
}

Status samples_take(void *samples, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    Samples *s = samples;
    if (s->folders)
        return take_folder(s, &s->item[s->run], i, t, v, diag);
    Status st = STATUS_OK;
    for (int64_t k = 0; k < s->batch && !st; k++) {
        const Item *item = &s->item[(s->run * (size_t)s->batch + (size_t)k) % s->nitem];
        st = item->kind == OF_ARRAY ? take_array(s, item, v, k, diag)
                                    : take_picture(s, item, v, k, diag);
    }
    if (!st && v->floats && !value_convert_elements(v))
        st = diag_set(diag, STATUS_INPUT, NULL, NULL, "input '%s' has a type without numbers",
                      t->name);
    return st;
}

bool samples_converted(const Samples *s, const char **ret_from, const char **ret_to)
{
    *ret_from = dtype_name(s->from);
    *ret_to = dtype_name(s->to);
    return s->from != DT_UNKNOWN;
}
