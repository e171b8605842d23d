/* Fuzzes the reader of TensorFlow Lite: whatever is read must map to a model that the ONNX loader
 * takes, whose shapes can be worked out, and that can be written. */
#include "graph/infer/shape.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "tests/fuzz/harness.h"

#include <stdlib.h>

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag = {{0}};
    Notes notes;
    TfliteFile f;
    Bytes made;
    Model *m;
    notes_init(&notes, a);
    if (tflite_read(a, "fuzz.tflite", data, size, &f, &diag) ||
        tflite_map(a, &f, ONNX_OWN_FILE, &made, &diag) ||
        onnx_load_made(a, "fuzz.tflite", made, (Bytes){data, size}, &notes, &m, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    shape_infer(m, NULL, 0, 1);
    (void)onnx_write_stream(m, harness_said, &diag);
    model_close(m);
}
