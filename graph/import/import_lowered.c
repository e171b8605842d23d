/* Reads lowered.json, as `npu-advise compile --emit json` writes it. */
#include "graph/import/import_build.h"

static bool read_whole(const cJSON *v, int64_t *ret)
{
    if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0 && v->valuedouble < 9e15) ||
        v->valuedouble != floor(v->valuedouble))
        return false;
    *ret = (int64_t)v->valuedouble;
    return true;
}

static bool json_value(const cJSON *o, const char *key, int64_t *ret)
{
    return read_whole(cJSON_GetObjectItemCaseSensitive(o, key), ret);
}

static Status lowered_error(ImportBuild *b, const char *place, size_t index, const char *fact)
{
    return diag_set(b->diag, STATUS_INPUT, b->g->path,
                    arena_printf(b->g->arena, "%s[%zu]", place, index), "%s", fact);
}

/* Tensors are named by id: the same ONNX tensor is several of them. */
static uint32_t tensor_by_id(ImportBuild *b, int64_t id)
{
    return import_tensor(b, arena_printf(b->g->arena, "%" PRId64, id));
}

static Status read_lowered_tensor(ImportBuild *b, const cJSON *t, size_t index)
{
    int64_t id, bytes;
    const char *type = import_text(t, "dtype"), *layout = import_text(t, "layout"),
               *name = import_text(t, "name");
    if (!json_value(t, "id", &id) || !json_value(t, "bytes", &bytes) || !type || !layout)
        return lowered_error(b, "tensors", index, "needs id, bytes, dtype and layout");
    uint32_t index_of = tensor_by_id(b, id); /* may move the array */
    ImportTensor *tensor = &b->g->tensor[index_of];
    tensor->format = arena_printf(b->g->arena, "%s %s", layout, type);
    tensor->bytes = bytes;
    if (name)
        tensor->name = arena_strdup(b->g->arena, name);
    return STATUS_OK;
}

/* One of the four kinds of steps, or NULL. */
static const char *step_kind_word(const char *text)
{
    static const char *const kind[] = {"host", "h2d", "npu", "d2h"};
    for (size_t i = 0; text && i < sizeof kind / sizeof *kind; i++)
        if (strcmp(text, kind[i]) == 0)
            return kind[i];
    return NULL;
}

static ImportWork work_of(const char *kind, const char *op)
{
    if (strcmp(kind, "npu") == 0)
        return WORK_COMPUTE;
    if (strcmp(kind, "host") != 0)
        return WORK_TRANSFER;
    if (strcmp(op, "Quantize") == 0 || strcmp(op, "Dequantize") == 0)
        return WORK_TYPE;
    bool layout = !strcmp(op, "Lower") || !strcmp(op, "Unlower") || !strcmp(op, "Pad") ||
                  !strcmp(op, "Slice");
    return layout ? WORK_LAYOUT : WORK_HOST;
}

static Status read_edges(ImportBuild *b, const cJSON *list, uint32_t op, bool reads, size_t index)
{
    const cJSON *v;
    cJSON_ArrayForEach(v, list)
    {
        int64_t id;
        if (!read_whole(v, &id))
            return lowered_error(b, "steps", index, "a tensor is not named by its id");
        uint32_t t = tensor_by_id(b, id);
        if (reads)
            import_reads(b, op, t);
        else
            import_makes(b, op, t);
    }
    return STATUS_OK;
}

static Status read_step(ImportBuild *b, const cJSON *s, size_t index)
{
    int64_t id, segment;
    const char *kind = step_kind_word(import_text(s, "kind")), *what = import_text(s, "op");
    if (!json_value(s, "id", &id) || !kind || !what)
        return lowered_error(b, "steps", index, "needs id, op, and kind (host, h2d, npu or d2h)");
    uint32_t op = import_op(b, arena_printf(b->g->arena, "step %" PRId64, id));
    b->g->op[op].type = arena_strdup(b->g->arena, what);
    b->g->op[op].kind = kind;
    b->g->op[op].work = work_of(kind, what);
    if (json_value(s, "segment", &segment))
        b->g->op[op].subgraph =
            import_subgraph(b, arena_printf(b->g->arena, "segment %" PRId64, segment));
    Status st = read_edges(b, cJSON_GetObjectItemCaseSensitive(s, "inputs"), op, true, index);
    return st ? st
              : read_edges(b, cJSON_GetObjectItemCaseSensitive(s, "outputs"), op, false, index);
}

static Status read_list(ImportBuild *b, const cJSON *root, const char *key,
                        Status (*read)(ImportBuild *b, const cJSON *item, size_t index))
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, key), *item;
    size_t index = 0;
    if (!cJSON_IsArray(list))
        return diag_set(b->diag, STATUS_INPUT, b->g->path, key, "is not a list");
    cJSON_ArrayForEach(item, list)
    {
        Status st = b->g->nop + b->g->ntensor > IMPORT_MAX_ITEMS
                        ? lowered_error(b, key, index, "too many items")
                        : read(b, item, index);
        if (st)
            return st;
        index++;
    }
    return STATUS_OK;
}

Status import_lowered(ImportBuild *b, const char *text, size_t size)
{
    cJSON *root = cJSON_ParseWithLength(text, size);
    if (!root)
        return diag_set(b->diag, STATUS_INPUT, b->g->path, NULL, "is not JSON");
    b->g->target = arena_strdup(b->g->arena, import_text(root, "target"));
    b->g->sdk = arena_strdup(b->g->arena, import_text(root, "sdk"));
    Status st = read_list(b, root, "tensors", read_lowered_tensor);
    st = st ? st : read_list(b, root, "steps", read_step);
    cJSON_Delete(root);
    return st;
}
