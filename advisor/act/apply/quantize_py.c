/* Writes quantize.py, one Python script that quantizes the model with every chosen setting. */
#include "advisor/act/apply/bundle.h"

#include "graph/compile/machine.h"
#include "graph/model/dtype.h"

typedef struct {
    const Bundle *b;
    FILE *out;
    Sdk sdk;
    const Crossing *at;
    size_t ninput, count;
} Script;

static bool is_8_bit(DType t)
{
    return t == DT_UINT8 || t == DT_INT8;
}

static bool is_set(const Crossing *c)
{
    return c->dtype != c->model_dtype && is_8_bit(c->dtype);
}

static bool any_set(const Script *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (is_set(&s->at[i]))
            return true;
    return false;
}

/* A string literal that holds any bytes. */
static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\x%02x", *s);
        else
            putc(*s, out);
    }
    putc('"', out);
}

static void put_imports(const Script *s)
{
    fputs("import pathlib\nimport sys\n\nimport numpy\nimport onnx\n", s->out);
    if (s->sdk < SDK_0_9) {
        fputs(
            "from furiosa.quantizer.frontend.onnx import optimize_model, post_training_quantize\n",
            s->out);
        return;
    }
    bool edits = s->sdk >= SDK_0_10 && any_set(s, 0, s->count);
    fprintf(s->out,
            "from furiosa.optimizer import optimize_model\n"
            "from furiosa.quantizer import CalibrationMethod, Calibrator, %squantize\n",
            edits ? "ModelEditor, TensorType, " : "");
}

static void put_inputs(const Script *s)
{
    fputs("\nHERE = pathlib.Path(__file__).resolve().parent\n"
          "# Inputs in the order of the graph, with the types that the float model reads.\n"
          "INPUTS = {",
          s->out);
    for (size_t i = 0; i < s->ninput; i++) {
        fputs(i ? ", " : "", s->out);
        put_string(s->out, s->at[i].name);
        fprintf(s->out, ": \"%s\"", dtype_name(s->at[i].model_dtype));
    }
    fputs("}\n", s->out);
}

static void put_samples(const Script *s)
{
    fputs("\n\ndef samples(folder):\n"
          "    \"\"\"Each file *.npz of the folder: its arrays, one per input.\"\"\"\n"
          "    for path in sorted(pathlib.Path(folder).glob(\"*.npz\")):\n"
          "        with numpy.load(path) as arrays:\n",
          s->out);
    fprintf(s->out, "            yield %s\n",
            s->sdk < SDK_0_9
                ? "{name: arrays[name].astype(dtype) for name, dtype in INPUTS.items()}"
                : "[arrays[name].astype(dtype) for name, dtype in INPUTS.items()]");
}

static void put_edits(const Script *s)
{
    if (!any_set(s, 0, s->count))
        return;
    fputs("    editor = ModelEditor(model)\n", s->out);
    for (size_t i = 0; i < s->count; i++) {
        if (!is_set(&s->at[i]))
            continue;
        fprintf(s->out, "    editor.convert_%s_type(", i < s->ninput ? "input" : "output");
        put_string(s->out, s->at[i].name);
        fprintf(s->out, ", TensorType.%s)\n", s->at[i].dtype == DT_UINT8 ? "UINT8" : "INT8");
    }
}

/* Arguments of quantize in 0.9: all inputs or none; outputs are pixels of 0.0 to 1.0. */
static void put_arguments(const Script *s)
{
    if (s->sdk >= SDK_0_10)
        return;
    if (any_set(s, 0, s->ninput))
        fputs(", with_quantize=False", s->out);
    if (!any_set(s, s->ninput, s->count))
        return;
    fputs(", normalized_pixel_outputs=[", s->out);
    const char *comma = "";
    for (size_t i = s->ninput; i < s->count; i++)
        if (is_set(&s->at[i])) {
            fprintf(s->out, "%s%zu", comma, i - s->ninput);
            comma = ", ";
        }
    putc(']', s->out);
}

static void put_quantize(const Script *s)
{
    fputs("\n\ndef quantized(folder):\n"
          "    model = optimize_model(onnx.load_model(str(HERE / \"model.onnx\")))\n",
          s->out);
    if (s->sdk < SDK_0_9) {
        fputs("    data = list(samples(folder))\n"
              "    if not data:\n"
              "        sys.exit(f\"{folder}: no *.npz in it\")\n"
              "    return bytes(post_training_quantize(model, data))\n",
              s->out);
        return;
    }
    fputs("    calibrator = Calibrator(model, CalibrationMethod.MIN_MAX_ASYM)\n"
          "    count = 0\n"
          "    for count, arrays in enumerate(samples(folder), 1):\n"
          "        calibrator.collect_data([arrays])\n"
          "    if not count:\n"
          "        sys.exit(f\"{folder}: no *.npz in it\")\n"
          "    ranges = calibrator.compute_range()\n",
          s->out);
    if (s->sdk >= SDK_0_10)
        put_edits(s);
    fputs("    return bytes(quantize(model, ranges", s->out);
    put_arguments(s);
    fputs("))\n", s->out);
}

/* Only 0.10 gives an ONNX model back, which can be asked. */
static void put_border(const Script *s)
{
    if (s->sdk < SDK_0_10)
        return;
    fputs("\n\ndef scales(data):\n"
          "    \"\"\"What the codes that cross the border stand for: value = scale * (code - "
          "zero).\"\"\"\n"
          "    graph = onnx.load_from_string(data).graph\n"
          "    known = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}\n"
          "    border = {v.name for v in [*graph.input, *graph.output]}\n"
          "    for node in graph.node:\n"
          "        if node.op_type in (\"QuantizeLinear\", \"DequantizeLinear\"):\n"
          "            for name in border & {node.input[0], *node.output}:\n"
          "                print(name, \"scale\", known.get(node.input[1]), \"zero\", "
          "known.get(node.input[2], 0) if len(node.input) > 2 else 0)\n",
          s->out);
}

static void put_main(const Script *s)
{
    fprintf(s->out,
            "\n\ndef main():\n"
            "    if len(sys.argv) not in (2, 3):\n"
            "        sys.exit(__doc__)\n"
            "    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "
            "\"model_quantized.%s\")\n"
            "    data = quantized(sys.argv[1])\n"
            "    output.write_bytes(data)\n"
            "    print(\"wrote\", output)\n%s"
            "\n\nif __name__ == \"__main__\":\n    main()\n",
            s->sdk < SDK_0_10 ? "dfg" : "onnx", s->sdk < SDK_0_10 ? "" : "    scales(data)\n");
}

static void put_script(const Script *s)
{
    fprintf(s->out,
            "#!/usr/bin/env python3\n"
            "\"\"\"Quantizes model.onnx for SDK %s, with all settings of %s.\n\n"
            "  quantize.py CALIBRATION [OUTPUT]\n\n"
            "CALIBRATION is a folder of *.npz files, each with one array per input, by its name "
            "and as the float\n"
            "model takes it: a hundred pictures of those that it will see.\n\"\"\"\n",
            sdk_text(s->sdk), s->b->rules);
    put_imports(s);
    put_inputs(s);
    put_samples(s);
    put_quantize(s);
    put_border(s);
    put_main(s);
}

Status bundle_quantize(const Bundle *b, const char **ret_name, Diag *diag)
{
    OutFile f;
    const char *name = "quantize.py";
    Status st = file_out_open(&f, arena_printf(b->a, "%s/%s", b->folder, name), diag);
    if (st)
        return st;
    Script s = {.b = b, .out = f.stream, .sdk = b->variant->compile.sdk};
    s.at = bundle_crossings(b, &s.ninput, &s.count);
    assert(s.ninput <= s.count && b->rules);
    put_script(&s);
    st = file_out_commit(&f, diag);
    if (!st)
        *ret_name = name;
    return st;
}
