/* Reads PNG and JPEG files as pixels. */
#pragma once

#include "graph/base/diag.h"

enum { IMAGE_MAX_SIDE = 1 << 15, IMAGE_MAX_MEGAPIXELS = 100 };

typedef struct {
    int64_t width, height;
    uint8_t *rgb; /* rows from the top, three bytes per pixel; transparency is over black */
} Image;

/* Recognised by content.  STATUS_INPUT for other formats, damaged files, and files above the
 * limits.  Free with image_free. */
Status image_open(const char *path, Image *ret, Diag *diag);

/* The same from memory; `path` is only for messages. */
Status image_read(const char *path, const uint8_t *bytes, size_t size, Image *ret, Diag *diag);

void image_free(Image *m);
