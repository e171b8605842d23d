/* NumPy archives at their borders, by hand. */
#include "npu_exec/data/npz.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { ROOM = 1 << 18, HEADER = 128, MOST_COMMENT = 65535, LOCAL = 30, ENTRY = 46, END = 22 };

/* An array of bytes as NumPy writes it. */
static size_t put_array(uint8_t *to, const char *values)
{
    char text[HEADER - 10];
    memset(text, ' ', sizeof text);
    int n = snprintf(text, sizeof text,
                     "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }", strlen(values));
    text[n] = ' ';
    text[sizeof text - 1] = '\n';
    memcpy(to, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(to + 10, text, sizeof text);
    memcpy(to + HEADER, values, strlen(values));
    return HEADER + strlen(values);
}

static void put(uint8_t *to, size_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

typedef struct {
    const char *name, *values;
    bool packed;
} Item;

typedef struct {
    uint8_t *bytes; /* as many as there are, so that one more is too many */
    size_t size, local, list, end;
} Archive;

static size_t pack(uint8_t *to, const uint8_t *from, size_t n)
{
    z_stream s = {
        .next_in = (uint8_t *)from, .avail_in = (uInt)n, .next_out = to, .avail_out = ROOM};
    deflateInit2(&s, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    deflate(&s, Z_FINISH);
    deflateEnd(&s);
    return s.total_out;
}

/* `local` and `list` are those of the last item. */
static Archive made(const Item *item, size_t nitem, size_t comment)
{
    static uint8_t file[ROOM], list[ROOM], array[ROOM];
    Archive a = {0};
    size_t at = 0, n = 0;
    memset(file, 0xee, sizeof file); /* what is not looked at */
    memset(list, 0xee, sizeof list);
    for (size_t i = 0; i < nitem; i++) {
        size_t length = strlen(item[i].name), full = put_array(array, item[i].values);
        uint8_t *head = file + at, *e = list + n;
        size_t body = at + LOCAL + length + 3; /* behind three bytes of another's */
        size_t packed = item[i].packed ? pack(file + body, array, full) : full;
        if (!item[i].packed)
            memcpy(file + body, array, full);
        memcpy(head, "PK\3\4", 4);
        put(head + 26, length, 2);
        put(head + 28, 3, 2);
        memcpy(e, "PK\1\2", 4);
        put(e + 8, 0, 2);
        put(e + 10, item[i].packed ? 8 : 0, 2);
        put(e + 20, packed, 4);
        put(e + 24, full, 4);
        put(e + 28, length, 2);
        put(e + 30, 2, 2);
        put(e + 32, 4, 2);
        put(e + 42, at, 4);
        memcpy(e + ENTRY, item[i].name, length);
        a.local = at;
        a.list = n;
        at = body + packed;
        n += ENTRY + length + 6;
    }
    memcpy(file + at, list, n);
    a.list += at;
    a.end = at + n;
    memcpy(file + a.end, "PK\5\6", 4);
    put(file + a.end + 10, nitem, 2);
    put(file + a.end + 16, at, 4);
    a.size = a.end + END + comment;
    a.bytes = malloc(a.size);
    memcpy(a.bytes, file, a.size);
    return a;
}

/* The values of the array, or what is said. */
static const char *read_array(const Archive *z, const char *name)
{
    static char text[DIAG_TEXT_SIZE];
    Arena *a = arena_new(0);
    ValueFile v;
    Diag diag = {0};
    if (npz_read(a, "z", z->bytes, z->size, name, &v, &diag))
        snprintf(text, sizeof text, "%s", diag.text);
    else
        snprintf(text, sizeof text, "%.*s", (int)v.shape.dim[0].value, (const char *)v.value.data);
    arena_free(a);
    return text;
}

static bool says(const Archive *z, const char *name, const char *what)
{
    const char *found = read_array(z, name);
    bool ok = strstr(found, what) != NULL;
    if (!ok)
        printf("  found '%s'\n", found);
    return ok;
}

/* What is said of archive z with `bytes` bytes at `at` made `value`. */
static bool broken(const Archive *z, size_t at, size_t value, int bytes, const char *what)
{
    uint8_t before[4];
    memcpy(before, z->bytes + at, 4);
    put(z->bytes + at, value, bytes);
    bool ok = says(z, "x", what);
    memcpy(z->bytes + at, before, 4);
    return ok;
}

/* ---- which array ---- */

static void name_checks(void)
{
    Archive one = made((const Item[]){{"other.npy", "abc", false}}, 1, 0);
    CHECK(says(&one, "x", "abc") && says(&one, "other", "abc")); /* the only one */
    free(one.bytes);
    Archive some = made(
        (const Item[]){{"x.npy", "ab", false}, {"y", "cde", true}, {".npy", "f", false}}, 3, 0);
    CHECK(says(&some, "x", "ab") && says(&some, "y", "cde") && says(&some, ".npy", "f"));
    CHECK(says(&some, "z", "z: has no array 'z' among its 3") &&
          says(&some, "x.npy", "has no array") && says(&some, "", "has no array"));
    free(some.bytes);
    Archive none = made(NULL, 0, 0);
    CHECK(none.size == END && says(&none, "x", "has no array 'x' among its 0"));
    free(none.bytes);
    CHECK(npz_is_named("a.npz") && !npz_is_named(".npz") && !npz_is_named("a.npy") &&
          !npz_is_named(""));
}

/* ---- the end ---- */

static void end_checks(void)
{
    Archive z = made((const Item[]){{"x.npy", "abc", false}}, 1, MOST_COMMENT);
    CHECK(says(&z, "x", "abc"));
    free(z.bytes);
    z = made((const Item[]){{"x.npy", "abc", false}}, 1, MOST_COMMENT + 1);
    CHECK(says(&z, "x", "no list of its arrays"));
    free(z.bytes);
    z = (Archive){.bytes = malloc(END), .size = END - 1};
    memset(z.bytes, 0, END);
    memcpy(z.bytes, "PK\5\6", 4);
    CHECK(says(&z, "x", "no list of its arrays")); /* a byte short */
    z.size = 0;
    CHECK(says(&z, "x", "no list of its arrays"));
    put(z.bytes + 10, 4096, 2);
    z.size = END;
    CHECK(says(&z, "x", "its list breaks off"));
    put(z.bytes + 10, 4097, 2);
    CHECK(says(&z, "x", "more than 4096 arrays"));
    free(z.bytes);
}

/* ---- what is damaged ---- */

static void damage_checks(void)
{
    Archive z = made((const Item[]){{"x.npy", "abc", false}}, 1, 0);
    size_t full = HEADER + 3, e = z.list, end = z.end;
    CHECK(broken(&z, e + 2, 3, 1, "its list breaks off"));
    CHECK(broken(&z, end + 16, z.size, 4, "its list breaks off"));
    CHECK(broken(&z, end + 16, z.size + 1, 4, "its list breaks off"));
    CHECK(broken(&z, end + 16, z.size - ENTRY + 1, 4, "its list breaks off"));
    /* With its extra bytes and its comment the entry may be as long as what is left. */
    CHECK(broken(&z, e + 30, 2 + END, 2, "abc"));
    CHECK(broken(&z, e + 30, 2 + END + 1, 2, "its list breaks off"));
    CHECK(broken(&z, e + 32, 4 + END + 1, 2, "its list breaks off"));
    CHECK(broken(&z, e + 28, 5 + END + 1, 2, "its list breaks off"));
    CHECK(broken(&z, e + 8, 1, 2, "it is encrypted") && broken(&z, e + 8, 2, 2, "abc"));
    CHECK(broken(&z, e + 42, z.size, 4, "an array is not where its list says"));
    CHECK(broken(&z, e + 42, z.size + 1, 4, "an array is not where its list says"));
    CHECK(broken(&z, e + 42, 1, 4, "an array is not where its list says"));
    CHECK(broken(&z, z.local + 3, 5, 1, "an array is not where its list says"));
    CHECK(broken(&z, e + 20, full + 1, 4, "an array has two sizes"));
    CHECK(broken(&z, e + 10, 1, 2, "packed in a way that NumPy does not use"));
    CHECK(broken(&z, e + 10, 9, 2, "packed in a way that NumPy does not use"));
    /* It may reach to the end of the file, and no further. */
    size_t body = z.local + LOCAL + 5 + 3;
    CHECK(broken(&z, e + 20, z.size - body, 4, "an array has two sizes"));
    CHECK(broken(&z, e + 20, z.size - body + 1, 4, "an array breaks off"));
    CHECK(broken(&z, z.local + 28, 3 + z.size - body - full, 2, "z: "));
    CHECK(broken(&z, z.local + 28, 3 + z.size - body - full + 1, 2, "an array breaks off"));
    CHECK(broken(&z, z.local + 26, z.size, 2, "an array breaks off"));
    free(z.bytes);
}

static void packed_checks(void)
{
    Archive z = made((const Item[]){{"x.npy", "abc", true}}, 1, 0);
    size_t full = HEADER + 3, packed = z.list - (z.local + LOCAL + 5 + 3), e = z.list;
    CHECK(says(&z, "x", "abc"));
    CHECK(broken(&z, e + 24, full + 1, 4, "an array cannot be unpacked"));
    CHECK(broken(&z, e + 24, full - 1, 4, "an array cannot be unpacked"));
    CHECK(broken(&z, e + 20, packed - 1, 4, "an array cannot be unpacked"));
    /* A byte stands for 1032 at most, and there is a little more. */
    size_t most = (packed + 1) * 1032;
    CHECK(broken(&z, e + 24, most, 4, "an array cannot be unpacked"));
    CHECK(broken(&z, e + 24, most + 1, 4, "an array is larger than its bytes can hold"));
    CHECK(broken(&z, e + 24, (UINT64_C(1) << 30) + 1, 4,
                 "an array is larger than its bytes can hold"));
    free(z.bytes);
}

static void file_checks(void)
{
    char path[] = "/tmp/exec-npz.XXXXXX";
    Archive z = made((const Item[]){{"x.npy", "abc", false}}, 1, 0);
    Arena *a = arena_new(0);
    ValueFile v;
    Diag diag = {0};
    FILE *f = fdopen(mkstemp(path), "w");
    fwrite(z.bytes, 1, z.size, f);
    fclose(f);
    CHECK(!npz_open(a, path, "x", &v, &diag) && !memcmp(v.value.data, "abc", 3));
    value_file_close(&v);
    CHECK(truncate(path, 9) == 0 && npz_open(a, path, "x", &v, &diag) == STATUS_INPUT);
    unlink(path);
    CHECK(npz_open(a, path, "x", &v, &diag) == STATUS_INPUT && strstr(diag.text, "cannot open"));
    arena_free(a);
    free(z.bytes);
}

int main(void)
{
    name_checks();
    end_checks();
    damage_checks();
    packed_checks();
    file_checks();
    return check_failures() != 0;
}
