/* Writes runtime.json and reproduce.sh, the way from a bundle to a compiled program. */
#include "advisor/act/apply/bundle.h"

#include "advisor/report/command_words.h"
#include "advisor/report/render.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"

static Status write_text(const Bundle *b, const char *name, const char *text, const char **ret,
                         Diag *diag)
{
    OutFile f;
    Status st = file_out_open(&f, arena_printf(b->a, "%s/%s", b->folder, name), diag);
    if (st)
        return st;
    fputs(text, f.stream);
    st = file_out_commit(&f, diag);
    if (!st)
        *ret = name;
    return st;
}

/* What is not above `usual` is left to the runtime. */
static void add_count(cJSON *o, const char *key, int64_t n, int64_t usual)
{
    if (n > usual)
        cJSON_AddNumberToObject(o, key, (double)n);
}

Status bundle_runtime(const Bundle *b, const char **ret_name, Diag *diag)
{
    const RunOptions *run = &b->variant->run;
    const CompileOptions *o = &b->variant->compile;
    if (!b->sets_run)
        return STATUS_OK;
    assert(o->target);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "sdk", sdk_text(o->sdk));
    cJSON_AddStringToObject(root, "target", o->target);
    Machine *card;
    if (o->sdk >= SDK_0_10 && !machine_load(b->a, o->target_name, &card, diag))
        cJSON_AddStringToObject(root, "device",
                                arena_printf(b->a, "%s(%d)*%d", file_base_name(o->target_name),
                                             o->pe,
                                             run->devices * compile_options_pes(o, card) / o->pe));
    cJSON_AddNumberToObject(root, "worker_num", run->workers);
    cJSON_AddNumberToObject(root, "batch_size", (double)(o->batch > 1 ? o->batch : 1));
    add_count(root, "cards", run->devices, 1);
    add_count(root, "requests_under_way", run->queue_depth, 0);
    add_count(root, "io_threads", run->io_threads, 0);
    char *text = cJSON_Print(root);
    Status st = write_text(b, "runtime.json", arena_printf(b->a, "%s\n", text ? text : "{}"),
                           ret_name, diag);
    cJSON_free(text);
    cJSON_Delete(root);
    return st;
}

const char *bundle_advice(const Bundle *b)
{
    const char *line = "";
    for (size_t i = 0; i < b->noption; i++)
        line = arena_printf(b->a, "%s %s", line, command_shell_word(b->a, b->option[i]));
    return arena_printf(b->a, "%s%s", line, b->goals);
}

/* The compiler's own words; its settings come from a file that its environment names. */
static const char *compile_command(const Bundle *b, const char *input)
{
    const CompileOptions *o = &b->variant->compile;
    const char *batch =
        o->batch > 1 ? arena_printf(b->a, " --batch-size %lld", (long long)o->batch) : "";
    return arena_printf(b->a, "%s%s -o model.enf --target-npu %s%s %s",
                        b->has_config ? "NPU_COMPILER_CONFIG_PATH=compiler.yaml " : "",
                        o->sdk >= SDK_0_10 ? "furiosa-compiler" : "furiosa compile",
                        command_shell_word(b->a, o->target), batch, input);
}

/* Only the quantizer of 0.9 writes the compiler's graph. */
const char *bundle_quantized_name(Sdk sdk)
{
    return sdk >= SDK_0_9 && sdk < SDK_0_10 ? "model_quantized.dfg" : "model_quantized.onnx";
}

Status bundle_reproduce(const Bundle *b, const char **ret_name, Diag *diag)
{
    bool script = b->quantizes && !b->has_quantized;
    assert(!b->quantizes || b->model_here); /* the script reads the model beside it */
    const char *usage = script ? " FOLDER_OF_NPZ" : b->model_here ? "" : " MODEL";
    const char *check = arena_printf(
        b->a, *usage ? "[ $# -ge 1 ] || { echo \"usage: reproduce.sh%s\" >&2; exit 2; }\n" : "%s",
        usage);
    const char *model =
        b->model_here ? arena_printf(b->a, "model=%s", b->model_here) : "model=$(realpath \"$1\")";
    const char *quantized = bundle_quantized_name(b->variant->compile.sdk);
    const char *quantize =
        script ? arena_printf(b->a, "python3 quantize.py \"$calibration\" %s\n", quantized) : "";
    const char *text = arena_printf(
        b->a,
        "#!/bin/sh\n# reproduce.sh%s: %scompiles the model for the card and advises on it again.\n"
        "set -eu\n%s%s%s\ncd \"$(dirname \"$0\")\"\n%s%s\nnpu-advise \"$model\"%s\n",
        usage, script ? "quantizes the model with quantize.py, " : "", check,
        script ? "calibration=$(realpath \"$1\")\n" : "", model, quantize,
        compile_command(b, b->quantizes ? quantized : "\"$model\""), bundle_advice(b));
    return write_text(b, "reproduce.sh", text, ret_name, diag);
}
