/* Reads TensorRT's layer list, which trtexec --exportLayerInfo writes. Its form: {"Layers":
 * [{Name, LayerType, Inputs, Outputs}]}. Formats are kept in TensorRT's words; a layer list
 * without details has names only. */
#include "graph/import/import_build.h"
#include "graph/import/tensorrt_format.h"

/* Up to TensorRT 8 one text, later a format and a type. */
static const char *format_of(ImportBuild *b, const cJSON *tensor)
{
    const char *both = import_text(tensor, "Format/Datatype"),
               *format = import_text(tensor, "Format"), *type = import_text(tensor, "Datatype");
    if (both)
        return arena_strdup(b->g->arena, both);
    if (format && type)
        return arena_printf(b->g->arena, "%s %s", format, type);
    return arena_strdup(b->g->arena, format ? format : type);
}

/* Dimensions as written: -1 is a size that is unknown before the engine runs. */
static void read_dims(ImportTensor *t, const cJSON *dims)
{
    const cJSON *d;
    if (!cJSON_IsArray(dims) || cJSON_GetArraySize(dims) > IMPORT_RANK_MAX)
        return;
    t->rank = 0;
    cJSON_ArrayForEach(d, dims)
    {
        double v = cJSON_IsNumber(d) ? d->valuedouble : -1;
        t->dim[t->rank++] = v >= 0 && v < 1e12 ? (int64_t)v : -1;
    }
}

void import_count_bytes(ImportTensor *t)
{
    int64_t n = 1;
    t->bytes = -1;
    if (t->rank < 0 || t->dtype == DT_UNKNOWN)
        return;
    for (int i = 0; i < t->rank; i++)
        if (t->dim[i] < 0 || __builtin_mul_overflow(n, t->dim[i], &n))
            return;
    t->bytes = dtype_bytes(t->dtype, n);
}

static uint32_t read_tensor(ImportBuild *b, const cJSON *tensor)
{
    const char *name = import_text(tensor, "Name"), *location = import_text(tensor, "Location");
    uint32_t id = import_tensor(b, name ? name : "(unnamed)");
    ImportTensor *t = &b->g->tensor[id];
    if (t->format || t->rank >= 0)
        return id;
    t->format = format_of(b, tensor);
    TensorrtFormat f = tensorrt_format(b->g->arena, t->format);
    t->dtype = f.dtype;
    t->layout = f.layout;
    t->on_host = location && strcmp(location, "Host") == 0;
    read_dims(t, cJSON_GetObjectItemCaseSensitive(tensor, "Dimensions"));
    import_count_bytes(t);
    return id;
}

/* ---- layers ---- */

static bool is_quantized(DType t)
{
    return t == DT_INT8 || t == DT_FLOAT8E4M3FN || t == DT_INT4 || t == DT_FLOAT4E2M1;
}

/* Real numbers on one side, quantized ones on the other. */
static bool changes_quantization(const ImportTensor *in, const ImportTensor *out)
{
    return in && out &&
           ((is_quantized(in->dtype) && !is_quantized(out->dtype) && dtype_is_float(out->dtype)) ||
            (is_quantized(out->dtype) && !is_quantized(in->dtype) && dtype_is_float(in->dtype)));
}

static ImportWork reformat_work(const ImportOp *op, const ImportTensor *in, const ImportTensor *out)
{
    static const struct {
        const char *origin;
        ImportWork work;
    } by_origin[] = {
        {"REFORMAT", WORK_LAYOUT}, {"QDQ", WORK_TYPE}, {"SLICE", WORK_COPY}, {"CAST", WORK_CAST}};
    for (size_t i = 0; op->layer.origin && i < sizeof by_origin / sizeof *by_origin; i++)
        if (strcmp(op->layer.origin, by_origin[i].origin) == 0)
            return by_origin[i].work == WORK_COPY && changes_quantization(in, out)
                       ? WORK_TYPE
                       : by_origin[i].work;
    if (changes_quantization(in, out) && strncmp(op->name, "Reformatting", 12) != 0)
        return WORK_TYPE;
    bool is_copy = strstr(op->name, " copy") && strncmp(op->name, "Reformatting", 12) != 0;
    return is_copy ? WORK_COPY : WORK_LAYOUT;
}

static const struct {
    const char *type;
    ImportWork work;
} work_by_type[] = {
#define LAYER_WORK(type, work) {type, WORK_##work},
#include "graph/import/tensorrt_work.def"
};

/* A Q or DQ alone, by its type or name; fused with others it is one of many names. */
static bool is_called_quantize(const ImportOp *op)
{
    bool named = strcasestr(op->type, "quantize") || strcasestr(op->name, "quantizelinear");
    return named && op->ninput > 0 && !strstr(op->name, " + ");
}

void import_engine_work(Imported *g, ImportOp *op)
{
    const ImportTensor *in = import_first(g, op->input, op->ninput),
                       *out = import_first(g, op->output, op->noutput);
    if (!op->type) {
        op->work = strncmp(op->name, "Reformatting CopyNode", 21) == 0 ? WORK_LAYOUT : WORK_UNKNOWN;
        return;
    }
    op->work = WORK_COMPUTE;
    if (strcmp(op->type, "Reformat") == 0)
        op->work = reformat_work(op, in, out);
    else if ((strcmp(op->type, "Scale") == 0 || is_called_quantize(op)) &&
             changes_quantization(in, out))
        op->work = WORK_TYPE;
    for (size_t i = 0; i < sizeof work_by_type / sizeof *work_by_type; i++)
        if (strcmp(op->type, work_by_type[i].type) == 0)
            op->work = work_by_type[i].work;
    if (op->work == WORK_RENAME && in && out && in->format && out->format &&
        strcmp(in->format, out->format) == 0)
        op->work = WORK_VIEW;
}

/* U+001E and U+001F separate the names of fused layers. */
const char *import_engine_name(Arena *a, const char *name)
{
    size_t n = strlen(name), marks = 0;
    for (const char *s = name; *s; s++)
        marks += *s == 0x1e || *s == 0x1f;
    char *out = arena_alloc(a, n + 2 * marks + 1), *at = out;
    for (const char *s = name; *s; s++) {
        if (*s == 0x1e || *s == 0x1f) {
            memcpy(at, " + ", 3);
            at += 3;
        } else {
            *at++ = *s;
        }
    }
    *at = '\0';
    return out;
}

/* "[ONNX Layer: /a/Conv]" U+001E "[ONNX Layer: /a/Relu]" */
static void read_metadata(ImportBuild *b, const char *text, ImportLayer *ret)
{
    static const char begin[] = "[ONNX Layer: ";
    size_t cap = 0;
    const char **list = NULL;
    for (const char *s = text; s && (s = strstr(s, begin));) {
        s += sizeof begin - 1;
        const char *end = s;
        while (*end && *end != 0x1e && *end != 0x1f)
            end++;
        size_t len = (size_t)(end - s);
        while (len && s[len - 1] != ']')
            len--;
        *VEC_PUSH(b->g->arena, list, ret->nnode, cap) =
            arena_strndup(b->g->arena, s, len ? len - 1 : 0);
        s = end;
    }
    ret->node = list;
}

static int64_t whole_number(const cJSON *o, const char *key, int64_t fallback)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < 1e12
               ? (int64_t)v->valuedouble
               : fallback;
}

/* [0,1,2,3] changes nothing. */
static bool is_nontrivial_permute(const cJSON *list)
{
    const cJSON *v;
    int i = 0;
    cJSON_ArrayForEach(v, list)
    {
        if (cJSON_IsNumber(v) && v->valuedouble != i)
            return true;
        i++;
    }
    return false;
}

static void read_parameters(ImportBuild *b, const cJSON *o, ImportLayer *ret)
{
    Arena *a = b->g->arena;
    const cJSON *weights = cJSON_GetObjectItemCaseSensitive(o, "Weights");
    if (!weights)
        weights = cJSON_GetObjectItemCaseSensitive(o, "ConvWeights");
    ret->operation = arena_strdup(a, import_text(o, "ParameterType"));
    ret->origin = arena_strdup(a, import_text(o, "Origin"));
    ret->tactic = arena_strdup(a, import_text(o, "TacticName"));
    ret->plugin = arena_strdup(a, import_text(o, "PluginType"));
    ret->out_maps = whole_number(o, "OutMaps", whole_number(o, "ConvOutMaps", -1));
    ret->groups = whole_number(o, "Groups", whole_number(o, "ConvGroups", -1));
    ret->stream = whole_number(o, "StreamId", 0);
    ret->weights = tensorrt_dtype(import_text(weights, "Type"));
    ret->tells_axes = cJSON_HasObjectItem(o, "FirstTranspose");
    ret->transposes =
        is_nontrivial_permute(cJSON_GetObjectItemCaseSensitive(o, "FirstTranspose")) ||
        is_nontrivial_permute(cJSON_GetObjectItemCaseSensitive(o, "SecondTranspose"));
    ret->pads_lowest = whole_number(o, "negativeInfinityPadding", 0) != 0;
    read_metadata(b, import_text(o, "Metadata"), ret);
}

/* Names are labels: two layers may have one. */
static uint32_t add_layer(ImportBuild *b, const char *name)
{
    uint32_t op = import_op(b, arena_printf(b->g->arena, "%zu", b->g->nop));
    b->g->op[op].name = import_engine_name(b->g->arena, name);
    return op;
}

/* " [profile 1]" at the end of a name: the layers of another optimisation profile. */
static bool is_of_other_profile(ImportBuild *b, const char *name)
{
    const char *at = name ? strrchr(name, '[') : NULL;
    int number = 0, used = 0;
    if (!at || at == name || at[-1] != ' ' || sscanf(at, "[profile %d]%n", &number, &used) != 1 ||
        !used || at[used] || number < 1)
        return false;
    if ((size_t)number + 1 > b->g->nprofile)
        b->g->nprofile = (size_t)number + 1;
    return true;
}

static void read_layer(ImportBuild *b, const cJSON *layer)
{
    const char *name = cJSON_IsString(layer) ? layer->valuestring : import_text(layer, "Name");
    if (is_of_other_profile(b, name))
        return;
    uint32_t op = add_layer(b, name ? name : "(unnamed)");
    const cJSON *t;
    if (cJSON_IsObject(layer)) {
        b->g->op[op].type = arena_strdup(b->g->arena, import_text(layer, "LayerType"));
        read_parameters(b, layer, &b->g->op[op].layer);
    }
    cJSON_ArrayForEach(t, cJSON_GetObjectItemCaseSensitive(layer, "Inputs"))
        import_reads(b, op, read_tensor(b, t));
    cJSON_ArrayForEach(t, cJSON_GetObjectItemCaseSensitive(layer, "Outputs"))
        import_makes(b, op, read_tensor(b, t));
    import_engine_work(b->g, &b->g->op[op]);
}

/* Inputs and outputs; without Bindings, tensors without a producer or without a reader. */
static void read_bindings(ImportBuild *b, const cJSON *root)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "Bindings"), *v;
    Imported *g = b->g;
    cJSON_ArrayForEach(v, list)
    {
        if (!cJSON_IsString(v) || is_of_other_profile(b, v->valuestring))
            continue;
        uint32_t t = strmap_get(&b->tensor, v->valuestring);
        if (t != STRMAP_NONE)
            g->tensor[t].bound = true;
    }
    for (size_t i = 0; !cJSON_IsArray(list) && i < g->ntensor; i++)
        g->tensor[i].bound = g->tensor[i].producer == IMPORT_NONE || g->tensor[i].nconsumer == 0;
}

Status import_tensorrt(ImportBuild *b, const char *text, size_t size)
{
    cJSON *root = cJSON_ParseWithLength(text, size);
    const cJSON *layers = cJSON_GetObjectItemCaseSensitive(root, "Layers"), *layer;
    Status st = STATUS_OK;
    b->g->nprofile = 1;
    if (!cJSON_IsArray(layers))
        st = diag_set(b->diag, STATUS_INPUT, b->g->path, root ? "Layers" : NULL,
                      root ? "is not a list" : "is not JSON");
    cJSON_ArrayForEach(layer, layers)
    {
        if (st)
            break;
        if (b->g->nop + b->g->ntensor > IMPORT_MAX_ITEMS) {
            st = diag_set(b->diag, STATUS_INPUT, b->g->path, "Layers", "more than %d",
                          IMPORT_MAX_ITEMS);
        }
        if (cJSON_IsObject(layer) || cJSON_IsString(layer))
            read_layer(b, layer);
    }
    if (!st)
        read_bindings(b, root);
    b->g->names_only = true;
    for (size_t i = 0; i < b->g->nop; i++)
        b->g->names_only &= b->g->op[i].type == NULL;
    cJSON_Delete(root);
    return st;
}
