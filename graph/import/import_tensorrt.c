/* TensorRT's layer list, trtexec --exportLayerInfo: {"Layers": [{Name, LayerType, Inputs,
 * Outputs}]}. Formats are kept in TensorRT's words; a layer list without details has names only. */
#include "graph/import/import_build.h"

#include <cjson/cJSON.h>
#include <string.h>

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : NULL;
}

/* Bytes per element in the words of a format; 0 unknown. */
static int64_t element_bytes(const char *format)
{
    static const struct {
        const char *word;
        int64_t bytes;
    } type[] = {{"FP32", 4}, {"Float", 4}, {"FP16", 2}, {"Half", 2},  {"BF16", 2},  {"BFloat16", 2},
                {"Int8", 1}, {"INT8", 1},  {"FP8", 1},  {"Int64", 8}, {"Int32", 4}, {"Bool", 1}};
    for (size_t i = 0; format && i < sizeof type / sizeof *type; i++)
        if (strstr(format, type[i].word))
            return type[i].bytes;
    return 0;
}

/* Up to TensorRT 8 one text, later a format and a type. */
static const char *format_of(ImportBuild *b, const cJSON *tensor)
{
    const char *both = text_of(tensor, "Format/Datatype"), *format = text_of(tensor, "Format"),
               *type = text_of(tensor, "Datatype");
    if (both)
        return arena_strdup(b->g->arena, both);
    if (format && type)
        return arena_printf(b->g->arena, "%s %s", format, type);
    return arena_strdup(b->g->arena, format ? format : type);
}

static int64_t bytes_of(const cJSON *tensor, const char *format)
{
    int64_t bytes = element_bytes(format);
    const cJSON *dims = cJSON_GetObjectItemCaseSensitive(tensor, "Dimensions"), *d;
    if (!cJSON_IsArray(dims) || !bytes)
        return -1;
    cJSON_ArrayForEach(d, dims)
    {
        double v = cJSON_IsNumber(d) ? d->valuedouble : -1;
        if (!(v >= 0 && v < 1e12) || __builtin_mul_overflow(bytes, (int64_t)v, &bytes))
            return -1;
    }
    return bytes;
}

static uint32_t read_tensor(ImportBuild *b, const cJSON *tensor)
{
    const char *name = text_of(tensor, "Name");
    uint32_t id = import_tensor(b, name ? name : "(unnamed)");
    ImportTensor *t = &b->g->tensor[id];
    if (!t->format) {
        t->format = format_of(b, tensor);
        t->bytes = bytes_of(tensor, t->format);
    }
    return id;
}

/* What the layer is for.  A NoOp that is called a copy is a change of format that TensorRT could do
 * by reading the same memory in another way. */
static ImportWork work_of(const char *type, const char *origin, const char *name)
{
    if (!type)
        return WORK_UNKNOWN;
    if (strcmp(type, "Reformat") == 0)
        return origin && strcmp(origin, "QDQ") == 0 ? WORK_TYPE : WORK_LAYOUT;
    if (strcmp(type, "NoOp") == 0)
        return WORK_RENAME;
    if (strcmp(type, "Shuffle") == 0 || strncmp(name, "Reformatting", 12) == 0)
        return WORK_LAYOUT;
    return WORK_COMPUTE;
}

static bool same_format(const Imported *g, const ImportOp *op)
{
    const char *in = op->ninput ? g->tensor[op->input[0]].format : NULL;
    const char *out = op->noutput ? g->tensor[op->output[0]].format : NULL;
    return in && out && strcmp(in, out) == 0;
}

/* Names are labels here: two layers may have one. */
static uint32_t new_layer(ImportBuild *b, const char *name, size_t index)
{
    uint32_t op = import_op(b, arena_printf(b->g->arena, "%zu", index));
    b->g->op[op].name = arena_strdup(b->g->arena, name);
    return op;
}

static void read_layer(ImportBuild *b, const cJSON *layer, size_t index)
{
    const char *name = cJSON_IsString(layer) ? layer->valuestring : text_of(layer, "Name");
    uint32_t op = new_layer(b, name ? name : "(unnamed)", index);
    if (!cJSON_IsObject(layer))
        return;
    const char *type = text_of(layer, "LayerType");
    b->g->op[op].type = arena_strdup(b->g->arena, type);
    b->g->op[op].work = work_of(type, text_of(layer, "Origin"), name ? name : "");
    const cJSON *t;
    cJSON_ArrayForEach(t, cJSON_GetObjectItemCaseSensitive(layer, "Inputs"))
        import_reads(b, op, read_tensor(b, t));
    cJSON_ArrayForEach(t, cJSON_GetObjectItemCaseSensitive(layer, "Outputs"))
        import_makes(b, op, read_tensor(b, t));
    if (b->g->op[op].work == WORK_RENAME && same_format(b->g, &b->g->op[op]))
        b->g->op[op].work = WORK_VIEW;
}

Status import_tensorrt(ImportBuild *b, const char *text, size_t size)
{
    cJSON *root = cJSON_ParseWithLength(text, size);
    const cJSON *layers = cJSON_GetObjectItemCaseSensitive(root, "Layers"), *layer;
    Status st = STATUS_OK;
    size_t index = 0;
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
            read_layer(b, layer, index++);
    }
    cJSON_Delete(root);
    return st;
}
