/* Replaces every call of a model-local function by the function's nodes. */
#include "graph/onnx/onnx_read.h"
#include "graph/base/messages.h"

enum { MAX_CALL_DEPTH = 64 };

static const char *const *strings_of(Loader *l, Bytes message, uint32_t number, size_t *ret_count)
{
    size_t n = onnx_wire_count(message, number), i = 0;
    const char **s = n ? ARENA_ARRAY(l->arena, const char *, n) : NULL;
    WireField f;
    while (onnx_wire_next(&message, &f) == WIRE_FIELD)
        if (f.number == number)
            s[i++] = arena_strndup(l->arena, (const char *)f.bytes.data, f.bytes.size);
    *ret_count = n;
    return s;
}

static int64_t own_opset(Loader *l, Bytes function)
{
    WireField f, version;
    int64_t opset = 0;
    while (onnx_wire_next(&function, &f) == WIRE_FIELD) {
        if (f.number != F_IMPORT || !onnx_wire_find(f.bytes, 2, WIRE_VARINT, &version))
            continue;
        const char *domain = onnx_string(l->arena, f.bytes, 1);
        if (!*domain || strcmp(domain, "ai.onnx") == 0)
            opset = (int64_t)version.value;
    }
    return opset;
}

static Status read_function(Loader *l, Bytes raw)
{
    Function *f = &l->function[l->nfunction];
    *f = (Function){.raw = raw,
                    .name = onnx_string(l->arena, raw, F_NAME),
                    .domain = onnx_string(l->arena, raw, F_DOMAIN),
                    .overload = onnx_string(l->arena, raw, F_OVERLOAD),
                    .opset = own_opset(l, raw)};
    f->input = strings_of(l, raw, F_INPUT, &f->ninput);
    f->output = strings_of(l, raw, F_OUTPUT, &f->noutput);
    const char *key = onnx_function_key(l->arena, f->domain, f->name, f->overload);
    if (!strmap_add(&l->function_index, key, (uint32_t)l->nfunction++))
        return onnx_error(l, "function", f->name, "defined twice");
    return STATUS_OK;
}

Status onnx_read_functions(Loader *l)
{
    size_t n = onnx_wire_count(l->file, P_FUNCTION);
    l->function = ARENA_ARRAY(l->arena, Function, n + 1);
    strmap_init(&l->function_index, l->arena, n + 1);
    Bytes rest = l->file;
    WireField f;
    Status st = STATUS_OK;
    while (!st && onnx_wire_next(&rest, &f) == WIRE_FIELD)
        if (f.number == P_FUNCTION)
            st = read_function(l, f.bytes);
    return st;
}

/* Binds formals to the caller's arguments; one that it leaves out is an omitted input, or gets a
 * separate name if it is an output. */
static void bind_formals(OnnxScope *s, const Function *f, const Node *call,
                         const char *const *input, const char *const *output, Arena *a)
{
    const char **value = ARENA_ARRAY(a, const char *, f->ninput + f->noutput + 1);
    uint32_t n = 0;
    strmap_init(&s->actual, a, f->ninput + f->noutput);
    for (size_t i = 0; i < f->noutput; i++) {
        if (i >= call->noutput || !*output[i])
            continue;
        value[n] = output[i];
        strmap_put(&s->actual, f->output[i], n++);
    }
    for (size_t i = 0; i < f->ninput; i++) {
        value[n] = i < call->ninput ? input[i] : "";
        strmap_put(&s->actual, f->input[i], n++);
    }
    s->value = value;
}

/* The caller's attributes, then the defaults of those that it does not give. */
static Status bind_attributes(Builder *b, OnnxScope *s, const Function *f, const Node *call)
{
    Arena *a = b->loader->arena;
    size_t most = call->nattr + onnx_wire_count(f->raw, F_DEFAULT);
    Attr *attr = most ? ARENA_ARRAY(a, Attr, most) : NULL;
    uint32_t n = call->nattr;
    if (n)
        memcpy(attr, call->attr, n * sizeof *attr);
    Bytes rest = f->raw;
    WireField field;
    Status st = STATUS_OK;
    while (!st && onnx_wire_next(&rest, &field) == WIRE_FIELD) {
        if (field.number != F_DEFAULT)
            continue;
        st = onnx_read_attribute(b, field.bytes, NULL, &attr[n]);
        n += !st && !node_attr(call, attr[n].name);
    }
    s->attr = attr;
    s->nattr = n;
    return st;
}

static Status inline_nodes(Builder *b, const Function *f, const OnnxScope *s)
{
    Bytes rest = f->raw;
    WireField field;
    Status st = STATUS_OK;
    while (!st && onnx_wire_next(&rest, &field) == WIRE_FIELD)
        if (field.number == F_NODE)
            st = onnx_read_node(b, field.bytes, s);
    return st;
}

Status onnx_inline(Builder *b, const Function *f, const Node *call, const char *const *input,
                   const char *const *output, const OnnxScope *caller)
{
    Loader *l = b->loader;
    OnnxScope s = {.depth = caller ? caller->depth + 1 : 1};
    if (s.depth > MAX_CALL_DEPTH)
        return onnx_error(l, "function", f->name, "calls itself, or calls go deeper than %d",
                          MAX_CALL_DEPTH);
    if (++l->ncall > ONNX_MAX_INLINED)
        return onnx_error(l, "function", f->name, "more than %d calls", ONNX_MAX_INLINED);
    if (f->opset && l->model->opset && f->opset != l->model->opset)
        notes_add(l->notes, "function-opset", MESSAGE_ID(FUNCTION_OPSET), arg_text(f->name),
                  arg_count(f->opset), arg_count(l->model->opset));
    s.prefix = arena_printf(l->arena, "%s#%zu/", *call->name ? call->name : f->name, l->ncall);
    bind_formals(&s, f, call, input, output, l->arena);
    Status st = bind_attributes(b, &s, f, call);
    return st ? st : inline_nodes(b, f, &s);
}
