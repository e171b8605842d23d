/* Writes quantize.py, a script that quantizes the model with every chosen setting, from the
 * template of the SDK's quantizer. */
#include "advisor/act/apply/bundle.h"

#include "graph/base/data.h"
#include "graph/compile/machine.h"
#include "graph/model/dtype.h"

typedef struct {
    const Bundle *b;
    Sdk sdk;
    const Crossing *at;
    size_t ninput, count;
} Script;

static bool is_set(const Crossing *c)
{
    return c->dtype != c->model_dtype && (c->dtype == DT_UINT8 || c->dtype == DT_INT8);
}

/* {"images": "float32"} */
static const char *inputs_of(const Script *s)
{
    Arena *a = s->b->a;
    const char *list = "";
    for (size_t i = 0; i < s->ninput; i++)
        list = arena_printf(a, "%s%s%s: \"%s\"", list, i ? ", " : "",
                            bundle_quoted(a, s->at[i].name), dtype_name(s->at[i].model_dtype));
    return arena_printf(a, "{%s}", list);
}

/* {"images": 0}: the lowest value of each.  0.9 makes pixels of 0.0 to 1.0 of outputs, and names no
 * other scale. */
static const char *quantized_of(const Script *s)
{
    Arena *a = s->b->a;
    const char *list = "";
    for (size_t i = 0; i < (s->sdk >= SDK_0_10 ? s->count : s->ninput); i++)
        if (is_set(&s->at[i]))
            list = arena_printf(a, "%s%s%s: %d", list, *list ? ", " : "",
                                bundle_quoted(a, s->at[i].name),
                                s->at[i].dtype == DT_UINT8 ? 0 : -128);
    return arena_printf(a, "{%s}", list);
}

/* From 0.10 on types are edits of the model. */
static const char *edits_of(const Script *s)
{
    Arena *a = s->b->a;
    if (s->sdk < SDK_0_10 || !LIST_ANY(i, s->count, is_set(&s->at[i])))
        return "";
    const char *list = "editor = ModelEditor(model)";
    for (size_t i = 0; i < s->count; i++)
        if (is_set(&s->at[i]))
            list = arena_printf(a, "%s\n    editor.convert_%s_type(%s, TensorType.%s)", list,
                                i < s->ninput ? "input" : "output", bundle_quoted(a, s->at[i].name),
                                s->at[i].dtype == DT_UINT8 ? "UINT8" : "INT8");
    return arena_printf(a, "%s\n    ", list);
}

/* Arguments of quantize in 0.9: all inputs or none; outputs are pixels of 0.0 to 1.0. */
static const char *settings_of(const Script *s)
{
    Arena *a = s->b->a;
    if (s->sdk >= SDK_0_10)
        return "";
    bool input = LIST_ANY(i, s->ninput, is_set(&s->at[i]));
    const char *list = input ? ", with_quantize=False" : "", *outputs = "";
    for (size_t i = s->ninput; i < s->count; i++)
        if (is_set(&s->at[i]))
            outputs = arena_printf(a, "%s%s%zu", outputs, *outputs ? ", " : "", i - s->ninput);
    if (*outputs)
        list = arena_printf(a, "%s, normalized_pixel_outputs=[%s]", list, outputs);
    return list;
}

Status bundle_quantize(const Bundle *b, const char **ret_name, Diag *diag)
{
    Script s = {.b = b, .sdk = b->variant->compile.sdk};
    s.at = bundle_crossings(b, &s.ninput, &s.count);
    assert(s.ninput <= s.count && b->rules);
    const char *edits = edits_of(&s);
    const TemplateValue value[] = {{"sdk", sdk_text(s.sdk)},
                                   {"rules", b->rules},
                                   {"inputs", inputs_of(&s)},
                                   {"quantized", quantized_of(&s)},
                                   {"editor", *edits ? "ModelEditor, TensorType, " : ""},
                                   {"edits", edits},
                                   {"settings", settings_of(&s)},
                                   {"output", bundle_quoted(b->a, bundle_quantized_name(s.sdk))}};
    const char *from =
        s.sdk < SDK_0_9 ? "bundles/furiosa/quantize-0.8.py" : "bundles/furiosa/quantize.py";
    *ret_name = "quantize.py";
    return bundle_fill(b, *ret_name, data_path(b->a, from), value, sizeof value / sizeof *value,
                       diag);
}
