/* Maps the files of external data, weights that are stored beside the model. */
#include "graph/onnx/onnx_read.h"
#include "graph/base/messages.h"

#include <sys/stat.h>

enum { MAX_EXTERNAL_FILES = 4096 };

typedef struct {
    const char *location;
    uint64_t offset, length;
    bool has_length;
} External;

static bool parse_number(const char *text, uint64_t *ret)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || v > INT64_MAX)
        return false;
    *ret = v;
    return true;
}

static Status read_entry(Loader *l, Bytes entry, const char *tensor, External *e)
{
    const char *key = onnx_string(l->arena, entry, ENTRY_KEY);
    const char *value = onnx_string(l->arena, entry, ENTRY_VALUE);
    bool good = true;
    if (strcmp(key, "location") == 0)
        e->location = value;
    else if (strcmp(key, "offset") == 0)
        good = parse_number(value, &e->offset);
    else if (strcmp(key, "length") == 0)
        good = e->has_length = parse_number(value, &e->length);
    if (!good)
        return onnx_error(l, "tensor", tensor, "%s of its external data is not a number", key);
    return STATUS_OK;
}

/* Absolute, or with a component "..": refused by its text, before any file is touched. */
static bool location_leaves(const char *location)
{
    if (location[0] == '/' || location[0] == '\0')
        return true;
    for (const char *p = location; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0'))
            return true;
    }
    return false;
}

static bool is_below(const char *file, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(file, folder, n) == 0 && (n == 1 || file[n] == '/');
}

/* Below the folder of the model as it was named, or of the file that this name is a link to: caches
 * keep all files of a model in one folder and links to them in another. */
static bool is_in_folder(const Loader *l, const char *real)
{
    char folder[PATH_MAX];
    if (realpath(l->folder, folder) && is_below(real, folder))
        return true;
    if (!realpath(l->path, folder))
        return false;
    *strrchr(folder, '/') = '\0';
    return is_below(real, *folder ? folder : "/");
}

/* Links are followed first: the file that they end at must be in the folder too. */
static Status resolve_external(Loader *l, const char *location, const char *tensor,
                               char real[PATH_MAX], bool *ret_found)
{
    struct stat st;
    const char *joined = arena_printf(l->arena, "%s/%s", l->folder, location);
    *ret_found = false;
    if (!realpath(joined, real))
        return STATUS_OK;
    if (!is_in_folder(l, real))
        return onnx_error(l, "tensor", tensor,
                          "external data '%s' is a link out of the model's folder: refused",
                          location);
    if (stat(real, &st) != 0 || !S_ISREG(st.st_mode))
        return onnx_error(l, "tensor", tensor, "external data '%s' is not a regular file",
                          location);
    *ret_found = true;
    return STATUS_OK;
}

static Status open_external(Loader *l, const char *location, const char *tensor, ExternalFile **ret)
{
    char real[PATH_MAX];
    bool found = false;
    if (l->nexternal == MAX_EXTERNAL_FILES)
        return onnx_error(l, "tensor", tensor, "more than %d files of external data",
                          MAX_EXTERNAL_FILES);
    Status st = l->folder ? resolve_external(l, location, tensor, real, &found) : STATUS_OK;
    InFile file = {0};
    if (!st && found)
        st = file_in_open(&file, real, 0, l->diag);
    if (st)
        return st;
    file.path = location;
    strmap_put(&l->external_index, location, (uint32_t)l->nexternal);
    ExternalFile *e = VEC_PUSH(l->arena, l->external, l->nexternal, l->external_cap);
    *e = (ExternalFile){.file = file, .missing = !found};
    *ret = e;
    return STATUS_OK;
}

static Status find_external(Loader *l, const char *location, const char *tensor, ExternalFile **ret)
{
    if (!l->nexternal)
        strmap_init(&l->external_index, l->arena, 4);
    uint32_t i = strmap_get(&l->external_index, location);
    if (i == STRMAP_NONE)
        return open_external(l, location, tensor, ret);
    *ret = &l->external[i];
    return STATUS_OK;
}

void onnx_note_missing(Loader *l, size_t nbyte, const char *what, const MessageId *why)
{
    if (!l->first_missing)
        l->first_missing =
            MESSAGE(l->notes ? l->notes->arena : l->arena, arg_message_id(why), arg_text(what));
    l->model->missing_bytes += nbyte;
    l->model->nmissing++;
}

static Status read_entries(Loader *l, Bytes raw, const char *tensor, External *e)
{
    WireField f;
    Status st = STATUS_OK;
    *e = (External){0};
    while (!st && onnx_wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number == T_EXTERNAL)
            st = read_entry(l, f.bytes, tensor, e);
    if (st)
        return st;
    if (!e->location)
        return onnx_error(l, "tensor", tensor, "its data is external but no location is given");
    if (location_leaves(e->location))
        return onnx_error(l, "tensor", tensor,
                          "external data '%s' is outside of the model's folder: refused",
                          e->location);
    return STATUS_OK;
}

static Status read_own(Loader *l, const External *e, const char *tensor, size_t nbyte,
                       const uint8_t **ret_data)
{
    if (e->offset > l->own_file.size || nbyte > l->own_file.size - e->offset)
        return onnx_error(l, "tensor", tensor, "its bytes lie outside of the file");
    *ret_data = l->own_file.data + e->offset;
    return STATUS_OK;
}

Status onnx_read_external(Loader *l, Bytes raw, const char *tensor, size_t nbyte,
                          const uint8_t **ret_data)
{
    External e;
    ExternalFile *x = NULL;
    Status st = read_entries(l, raw, tensor, &e);
    if (!st && e.has_length && e.length != nbyte)
        st = onnx_error(l, "tensor", tensor,
                        "external data has %llu bytes, its type and shape need %zu",
                        (unsigned long long)e.length, nbyte);
    if (!st && l->own_file.data && strcmp(e.location, ONNX_OWN_FILE) == 0)
        return read_own(l, &e, tensor, nbyte, ret_data);
    st = st ? st : find_external(l, e.location, tensor, &x);
    if (st)
        return st;
    bool fits = !x->missing && e.offset <= x->file.size && nbyte <= x->file.size - e.offset;
    if (!fits)
        onnx_note_missing(l, nbyte, e.location,
                          x->missing ? &message_NOT_THERE : &message_TOO_SHORT);
    *ret_data = fits ? x->file.data + e.offset : NULL;
    return STATUS_OK;
}
