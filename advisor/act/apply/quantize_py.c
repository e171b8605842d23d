/* Writes quantize.py, a script that quantizes the model with every chosen setting. */
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

/* 0.9 makes pixels of 0.0 to 1.0 of outputs, and names no other scale. */
static bool has_scales(const Script *s)
{
    return s->sdk >= SDK_0_9 && any_set(s, 0, s->sdk >= SDK_0_10 ? s->count : s->ninput);
}

/* With the lowest value of each. */
static void put_quantized(const Script *s)
{
    size_t n = s->sdk >= SDK_0_10 ? s->count : s->ninput;
    const char *comma = "";
    if (!has_scales(s))
        return;
    fputs("# Inputs and outputs that are passed as integers, with the lowest value of their "
          "type.\nQUANTIZED = {",
          s->out);
    for (size_t i = 0; i < n; i++) {
        if (!is_set(&s->at[i]))
            continue;
        fputs(comma, s->out);
        put_string(s->out, s->at[i].name);
        fprintf(s->out, ": %d", s->at[i].dtype == DT_UINT8 ? 0 : -128);
        comma = ", ";
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
              "    return post_training_quantize(model, data).SerializeToString()\n",
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
    if (has_scales(s))
        fputs("    print_scales(ranges)\n", s->out);
    if (s->sdk >= SDK_0_10)
        put_edits(s);
    fputs("    return bytes(quantize(model, ranges", s->out);
    put_arguments(s);
    fputs("))\n", s->out);
}

/* The scales that calibration chose. The compiler of 0.8 is told those of inputs, and its outputs
 * are floats; so are those that 0.9 does not make pixels. */
static void put_scales(const Script *s)
{
    if (!has_scales(s))
        return;
    fputs("\n\ndef print_scales(ranges):\n"
          "    \"\"\"Values of quantized inputs and outputs: scale * (value - zero point).\"\"\"\n"
          "    for name, lowest in QUANTIZED.items():\n"
          "        low, high = min(ranges[name][0], 0.0), max(ranges[name][1], 0.0)\n"
          "        scale = (high - low) / 255 or 1.0\n"
          "        print(name, \"scale\", scale, \"zero point\", lowest - round(low / scale))\n",
          s->out);
}

static void put_main(const Script *s)
{
    fprintf(s->out,
            "\n\ndef main():\n"
            "    if len(sys.argv) not in (2, 3):\n"
            "        sys.exit(__doc__)\n"
            "    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / \"%s\")\n"
            "    data = quantized(sys.argv[1])\n"
            "    output.write_bytes(data)\n"
            "    print(\"wrote\", output)\n"
            "\n\nif __name__ == \"__main__\":\n    main()\n",
            bundle_quantized_name(s->sdk));
}

static void put_script(const Script *s)
{
    fprintf(s->out,
            "#!/usr/bin/env python3\n"
            "\"\"\"Quantizes model.onnx for SDK %s, with all settings of %s.\n\n"
            "  quantize.py CALIBRATION [OUTPUT]\n\n"
            "CALIBRATION is a folder of *.npz files, each with one array per input, by its name: "
            "about a hundred\n"
            "typical images, preprocessed as for the float model.\n\"\"\"\n",
            sdk_text(s->sdk), s->b->rules);
    put_imports(s);
    put_inputs(s);
    put_quantized(s);
    put_samples(s);
    put_scales(s);
    put_quantize(s);
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
