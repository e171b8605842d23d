/* Implements `npu-advise quantize MODEL`, which converts a float model to int8. */
#include "advisor/candidate/quantize_model.h"
#include "advisor/cli/output.h"
#include "graph/compile/machine.h"
#include "graph/onnx/onnx.h"

static cJSON *tree_of(Arena *a, const QuantizeResult *r, const char *output)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "model", output);
    cJSON_AddStringToObject(root, "method", r->method);
    cJSON_AddBoolToObject(root, "symmetric", r->symmetric);
    cJSON_AddNumberToObject(root, "images", r->images);
    cJSON_AddNumberToObject(root, "activations", (double)r->done.activations);
    cJSON_AddNumberToObject(root, "weights", (double)r->done.weights);
    cJSON_AddNumberToObject(root, "without_range", (double)r->done.unknown);
    cJSON_AddNumberToObject(root, "npu_nodes_assumed", (double)program_npu_nodes(a, r->assumed));
    cJSON_AddNumberToObject(root, "npu_nodes", (double)program_npu_nodes(a, r->program));
    return root;
}

static void print_quantization(Context *c, const QuantizeResult *r, const char *output)
{
    const PhraseOut o = {c->out, c->language, c->arena};
    const char *method = phrase_by_key(c->language, "METHOD_", r->method);
    if (r->model->stored_ranges) {
        PHRASE_LINE(&o, phrase_arg(PHRASE_QUANTIZED_FOR_SDK), arg_text(output),
                    arg_size(r->done.activations), arg_text(method));
        return;
    }
    PHRASE_PUT(&o, phrase_arg(PHRASE_QUANTIZED), arg_text(output), arg_size(r->done.activations),
               arg_size(r->done.weights), arg_text(method));
    if (r->images > 0)
        PHRASE_PUT(&o, phrase_arg(PHRASE_QUANTIZED_ON), arg_fixed(r->images, 0));
    putc('\n', o.out);
    PHRASE_LINE(&o, phrase_arg(PHRASE_QUANTIZED_NODES),
                arg_size(program_npu_nodes(c->arena, r->program)),
                arg_size(program_npu_nodes(c->arena, r->assumed)));
    if (r->done.unknown)
        PHRASE_LINE(&o, phrase_arg(PHRASE_QUANTIZED_NOT), arg_size(r->done.unknown));
}

/* --method and --symmetric come with ranges that are given. */
static Status check_quantize_args(const Args *args, Diag *diag)
{
    bool data = args_text(args, OPTION_DATA, NULL), ranges = args_text(args, OPTION_RANGES, NULL);
    const char *output = args_text(args, OPTION_OUTPUT, ""), *ending = strrchr(output, '.');
    const struct {
        bool wrong;
        const char *text;
    } rule[] = {
        {!*output, "quantize needs --output FILE, for the quantized model"},
        {ending && strcmp(ending, ".dfg") == 0,
         "quantize writes ONNX; the vendor's quantizer of SDK 0.9 writes a .dfg"},
        {data == ranges,
         "quantize needs --data DIR, images or arrays to calibrate on, or --ranges FILE"},
        {ranges && (args_text(args, OPTION_PREPROCESS, NULL) ||
                    args_text(args, OPTION_IMAGES, NULL) || args_text(args, OPTION_METHOD, NULL)),
         "--preprocess, --images and --method are about --data, not about --ranges"},
    };
    return LIST_VALUE(i, sizeof rule / sizeof rule[0], rule[i].wrong,
                      diag_set(diag, STATUS_USAGE, NULL, NULL, "%s", rule[i].text), STATUS_OK);
}

/* --sdk 0.10 asks for the file that its quantizer writes; else QDQ, which onnxruntime runs, with
 * the scales of the quantizer of 0.9 if that is given. */
Status cmd_quantize(Context *c, const Args *args)
{
    Sdk sdk = args->compile.sdk_given ? args->compile.sdk : 0;
    const char *output = args_text(args, OPTION_OUTPUT, NULL);
    Status st = args_positional(args, 1, 1, "MODEL", c->diag);
    st = st ? st : check_quantize_args(args, c->diag);
    if (st)
        return st;
    const QuantizeRequest q = {.model = args->positional[0],
                               .compile = &args->compile,
                               .ranges = args_text(args, OPTION_RANGES, NULL),
                               .data = args_text(args, OPTION_DATA, NULL),
                               .preprocess = args_text(args, OPTION_PREPROCESS, NULL),
                               .images = args_text(args, OPTION_IMAGES, NULL),
                               .method = args_text(args, OPTION_METHOD, "min-max"),
                               .symmetric = args_flag(args, OPTION_SYMMETRIC),
                               .per_tensor = args_flag(args, OPTION_PER_TENSOR),
                               .keeps_floats = sdk == SDK_0_10,
                               .as_sdk_0_9 = sdk == SDK_0_9,
                               .helper = c->helper,
                               .notes = c->notes};
    QuantizeResult r;
    bool taken = false;
    st = file_out_check(output, c->diag);
    st = st ? st : quantize_model(c->arena, &q, &r, c->diag);
    st = st ? st : onnx_write(r.model, output, c->diag);
    if (st)
        return st;
    cJSON *tree = tree_of(c->arena, &r, output);
    st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (!st && !taken)
        print_quantization(c, &r, output);
    return st;
}
