/* Fuzzes the conversion to opset 13: what is converted can be written, read and converted again. */
#include "graph/base/notes.h"
#include "graph/edit/opset.h"
#include "graph/onnx/onnx.h"
#include "tests/fuzz/harness.h"

static void promise(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void say_report(const OpsetReport *r)
{
    harness_print("opset %" PRId64 ", %" PRIu32 " older, %" PRIu32 " described, %s, %s\n", r->opset,
                  r->nolder, r->ndescribed, or_none(r->unknown), or_none(r->refused));
    for (size_t i = 0; i < r->nchange; i++)
        harness_print("%s %" PRIu32 ": %s\n", r->change[i].op, r->change[i].count,
                      r->change[i].form);
}

/* A file that we wrote is one that we read, and has nothing left to convert. */
static void read_again(Arena *a, const char *bytes, size_t size)
{
    Diag diag;
    Notes notes;
    Model *again, *converted;
    OpsetReport report;
    notes_init(&notes, a);
    promise(
        !onnx_load_bytes(a, "written.onnx", (const uint8_t *)bytes, size, &notes, &again, &diag),
        "what is written can be read");
    promise(again->opset == OPSET_CONVERTED && again->ir_version <= OPSET_IR_SDK_0_9,
            "opset 13, and an IR version that the quantizer reads");
    if (!model_convert_opset(a, again, OPSET_IR_SDK_0_9, &converted, &report, &diag))
        promise(report.nolder == 0, "nothing of a newer opset is left");
    model_close(again);
}

static void write_converted(Arena *a, const Model *m)
{
    Diag diag;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    Status st = onnx_write_stream(m, out, &diag);
    fclose(out);
    if (!st)
        read_again(a, bytes, size);
    else
        harness_print("%s\n", diag.text);
    free(bytes);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag;
    Notes notes;
    Model *m, *converted;
    OpsetReport report;
    notes_init(&notes, a);
    if (onnx_load_bytes(a, "fuzz.onnx", data, size, &notes, &m, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    if (model_convert_opset(a, m, OPSET_IR_SDK_0_9, &converted, &report, &diag)) {
        harness_print("%s\n", diag.text);
    } else {
        say_report(&report);
        write_converted(a, converted);
    }
    model_close(m);
}
