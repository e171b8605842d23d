/* Fills the templates of a family of targets (rules/bundles/FAMILY/). */
#include "advisor/act/apply/bundle.h"

#include "advisor/message/json.h"
#include "graph/base/data.h"
#include "graph/compile/machine.h"

static const char *const template_file[BUNDLE_FILES] = {"convert.py", "runtime.json",
                                                        "reproduce.sh"};

const char *bundle_quoted(Arena *a, const char *text)
{
    if (!text)
        return "None";
    cJSON *s = cJSON_CreateString(text);
    char *json = cJSON_PrintUnformatted(s);
    const char *copy = arena_strdup(a, json ? json : "\"\"");
    cJSON_free(json);
    cJSON_Delete(s);
    return copy;
}

/* {"images": "1x3x640x640"}: both languages of the templates read it. */
static const char *inputs_of(const Bundle *b)
{
    size_t ninput, count;
    const Crossing *at = bundle_crossings(b, &ninput, &count);
    const char *list = "";
    for (size_t i = 0; i < ninput; i++)
        list = arena_printf(b->a, "%s%s%s: %s", list, i ? ", " : "",
                            bundle_quoted(b->a, at[i].name), bundle_quoted(b->a, at[i].shape));
    return arena_printf(b->a, "{%s}", list);
}

static void fill_template(const Bundle *b, FILE *out, const char *text, const TemplateValue *list,
                          size_t n)
{
    for (const char *open; (open = strstr(text, "{{"));) {
        const char *close = strstr(open, "}}");
        const char *name = close ? arena_strndup(b->a, open + 2, (size_t)(close - open - 2)) : "";
        const char *value = LIST_VALUE(i, n, !strcmp(list[i].name, name), list[i].value, NULL);
        size_t keep = (size_t)(open - text) + (value ? 0 : 2);
        fwrite(text, 1, keep, out);
        fputs(value ? value : "", out);
        text = value ? close + 2 : open + 2;
    }
    fputs(text, out);
}

Status bundle_fill(const Bundle *b, const char *name, const char *from, const TemplateValue *value,
                   size_t nvalue, Diag *diag)
{
    InFile in;
    OutFile f;
    Status st = file_in_open(&in, from, 1 << 20, diag);
    if (st)
        return st;
    const char *text = arena_strndup(b->a, (const char *)in.data, in.size);
    file_in_close(&in);
    st = file_out_open(&f, arena_printf(b->a, "%s/%s", b->folder, name), diag);
    if (st)
        return st;
    fill_template(b, f.stream, text, value, nvalue);
    return file_out_commit(&f, diag);
}

bool bundle_has_templates(Arena *a, const char *family)
{
    return access(data_path(a, arena_printf(a, "bundles/%s/%s", family, template_file[0])), R_OK) ==
           0;
}

Status bundle_templates(const Bundle *b, const char *family, const char *ret_name[BUNDLE_FILES],
                        Diag *diag)
{
    const CompileOptions *o = &b->variant->compile;
    const TemplateValue list[] = {
        {"target", file_base_name(o->target_name)},
        {"sdk", sdk_text(o->sdk)},
        {"workers", arena_printf(b->a, "%d", b->variant->run.workers)},
        {"cores", arena_printf(b->a, "%d", o->pe)},
        {"batch", arena_printf(b->a, "%lld", (long long)o->batch)},
        {"rules", b->rules},
        {"model", bundle_quoted(b->a, b->model_here)},
        {"model_here", b->model_here ? b->model_here : "''"},
        {"inputs", inputs_of(b)},
        {"advice", bundle_advice(b)},
    };
    Status st = STATUS_OK;
    for (int i = 0; i < BUNDLE_FILES && !st; i++) {
        const char *name = ret_name[i] = template_file[i];
        st =
            bundle_fill(b, name, data_path(b->a, arena_printf(b->a, "bundles/%s/%s", family, name)),
                        list, sizeof list / sizeof *list, diag);
    }
    return st;
}
