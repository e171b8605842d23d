/* Recognising by magic bytes and first words. */
#include "graph/foreign.h"

#include <string.h>

typedef struct {
    size_t offset;
    const char *magic;
    const char *text;
} Magic;

static const Magic magic[] = {
    {4, "TFL3",
     "a TensorFlow Lite model; convert it: python -m tf2onnx.convert --tflite MODEL.tflite "
     "--output MODEL.onnx --opset 13"},
    {0, "version https://git-lfs", "a git-LFS pointer, not the model; fetch it: git lfs pull"},
};

static bool starts_with(Bytes b, size_t offset, const char *text)
{
    size_t n = strlen(text);
    return b.size >= offset + n && memcmp(b.data + offset, text, n) == 0;
}

ForeignKind foreign_recognise(Bytes file, const char **ret_text)
{
    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++) {
        if (!starts_with(file, magic[i].offset, magic[i].magic))
            continue;
        if (ret_text)
            *ret_text = magic[i].text;
        return FOREIGN_OTHER;
    }
    return FOREIGN_NONE;
}

Status foreign_refuse(Bytes file, const char *path, Diag *diag)
{
    const char *text = "";
    if (foreign_recognise(file, &text) == FOREIGN_NONE)
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, path, NULL, "is %s", text);
}
