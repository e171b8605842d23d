/* Decodes images with libpng and libjpeg. */
#include "npu_exec/data/image.h"
#include "graph/base/file.h"

#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>

enum { FILE_LIMIT_MIB = 256, CHANNELS = 3 };

/* Room for the pixels; the size is a stranger's. */
static Status make_room(const char *path, uint64_t width, uint64_t height, Image *ret, Diag *diag)
{
    const uint64_t most = (uint64_t)IMAGE_MAX_MEGAPIXELS * 1000000;
    if (width < 1 || height < 1 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE ||
        width * height > most)
        return diag_set(diag, STATUS_INPUT, path, NULL,
                        "is %llu x %llu pixels; at most %d a side and %d million in all are read",
                        (unsigned long long)width, (unsigned long long)height, IMAGE_MAX_SIDE,
                        IMAGE_MAX_MEGAPIXELS);
    *ret = (Image){(int64_t)width, (int64_t)height, malloc(width * height * CHANNELS)};
    return ret->rgb ? STATUS_OK
                    : diag_set(diag, STATUS_INPUT, path, NULL, "no memory for its pixels");
}

static Status read_png(const char *path, const uint8_t *bytes, size_t size, Image *ret, Diag *diag)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    bool ok = png_image_begin_read_from_memory(&png, bytes, size) != 0;
    Status st = STATUS_OK;
    if (ok) {
        png.format = PNG_FORMAT_RGB;
        st = make_room(path, png.width, png.height, ret, diag);
        const png_color black = {0, 0, 0};
        ok = !st && png_image_finish_read(&png, &black, ret->rgb, 0, NULL) != 0;
    }
    if (!ok && !st)
        st = diag_set(diag, STATUS_INPUT, path, NULL, "cannot be read as PNG: %s", png.message);
    png_image_free(&png);
    return st;
}

typedef struct {
    struct jpeg_error_mgr base; /* first: libjpeg knows no more of it */
    jmp_buf leave;
} JpegTrouble;

static void jpeg_error_exit(j_common_ptr c)
{
    longjmp(((JpegTrouble *)c->err)->leave, 1);
}

/* A damaged file must not give a half-grey image. */
static void jpeg_warned(j_common_ptr c, int level)
{
    if (level < 0)
        jpeg_error_exit(c);
}

static Status decode_jpeg(struct jpeg_decompress_struct *jpeg, const char *path, Image *ret,
                          Diag *diag)
{
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK)
        return diag_set(diag, STATUS_INPUT, path, NULL, "is a CMYK image; convert it to RGB");
    jpeg->out_color_space = JCS_RGB;
    jpeg->dct_method = JDCT_ISLOW;
    Status st = make_room(path, jpeg->image_width, jpeg->image_height, ret, diag);
    if (st)
        return st;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = ret->rgb + (size_t)jpeg->output_scanline * (size_t)ret->width * CHANNELS;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
    return STATUS_OK;
}

static Status read_jpeg(const char *path, const uint8_t *bytes, size_t size, Image *ret, Diag *diag)
{
    struct jpeg_decompress_struct jpeg;
    JpegTrouble trouble;
    Status st;
    jpeg.err = jpeg_std_error(&trouble.base);
    trouble.base.error_exit = jpeg_error_exit;
    trouble.base.emit_message = jpeg_warned;
    if (setjmp(trouble.leave)) {
        char text[JMSG_LENGTH_MAX];
        trouble.base.format_message((j_common_ptr)&jpeg, text);
        st = diag_set(diag, STATUS_INPUT, path, NULL, "cannot be read as JPEG: %s", text);
    } else {
        jpeg_create_decompress(&jpeg);
        jpeg_mem_src(&jpeg, bytes, (unsigned long)size);
        st = decode_jpeg(&jpeg, path, ret, diag);
    }
    jpeg_destroy_decompress(&jpeg);
    return st;
}

Status image_read(const char *path, const uint8_t *bytes, size_t size, Image *ret, Diag *diag)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G'}, jpeg[] = {0xff, 0xd8, 0xff};
    *ret = (Image){0, 0, NULL};
    Status st;
    if (size >= sizeof png && memcmp(bytes, png, sizeof png) == 0)
        st = read_png(path, bytes, size, ret, diag);
    else if (size >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0)
        st = read_jpeg(path, bytes, size, ret, diag);
    else
        st = diag_set(diag, STATUS_INPUT, path, NULL, "is neither PNG nor JPEG");
    if (st)
        image_free(ret);
    return st;
}

Status image_open(const char *path, Image *ret, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, (size_t)FILE_LIMIT_MIB << 20, diag);
    if (st)
        return st;
    st = image_read(path, f.data, f.size, ret, diag);
    file_in_close(&f);
    return st;
}

void image_free(Image *m)
{
    free(m->rgb);
    m->rgb = NULL;
}
