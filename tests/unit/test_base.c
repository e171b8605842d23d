/* graph/base: what the rooms build on. */
#include "graph/base/file.h"
#include "graph/base/notes.h"
#include "graph/base/random.h"
#include "graph/base/strmap.h"
#include "graph/base/xml.h"
#include "graph/model/dtype.h"
#include "tests/unit/check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static jmp_buf full;

static void leave(size_t used, size_t limit, void *user)
{
    (void)used;
    (void)limit;
    (void)user;
    longjmp(full, 1);
}

static void arena_checks(void)
{
    Arena *a = arena_new(1 << 20);
    char *p = arena_alloc(a, 100);
    CHECK(p[0] == 0 && p[99] == 0);
    CHECK(((uintptr_t)arena_alloc(a, 3) & 15) == 0);
    int *v = NULL;
    size_t n = 0, cap = 0;
    for (int i = 0; i < 1000; i++)
        *VEC_PUSH(a, v, n, cap) = i;
    CHECK(n == 1000 && v[0] == 0 && v[999] == 999);
    CHECK(strcmp(arena_printf(a, "%d-%s", 7, "x"), "7-x") == 0);
    arena_on_exhausted(a, leave, NULL);
    if (setjmp(full) == 0) {
        arena_alloc(a, 2 << 20);
        CHECK(false && "the limit must stop this");
    }
    if (setjmp(full) == 0) {
        arena_calloc(a, SIZE_MAX / 2, 16);
        CHECK(false && "an overflowing product must stop");
    }
    arena_free(a);
    arena_free(NULL);
}

static void strmap_checks(void)
{
    Arena *a = arena_new(0);
    StrMap m;
    strmap_init(&m, a, 0);
    for (uint32_t i = 0; i < 5000; i++)
        strmap_put(&m, arena_printf(a, "key%u", i), i);
    CHECK(strmap_get(&m, "key0") == 0 && strmap_get(&m, "key4999") == 4999);
    CHECK(strmap_get(&m, "key5000") == STRMAP_NONE);
    strmap_put(&m, "key7", 70);
    CHECK(strmap_get(&m, "key7") == 70 && m.count == 5000);
    /* FNV-1a of one zero byte (the terminator of ""): offset basis times the prime. */
    CHECK(strmap_hash_string(HASH_SEED, "") == HASH_SEED * UINT64_C(0x100000001b3));
    arena_free(a);
}

static void random_checks(void)
{
    CHECK(random_bits(1, 2, 3, 4) == random_bits(1, 2, 3, 4));
    CHECK(random_bits(1, 2, 3, 4) != random_bits(1, 2, 4, 3));
    uint64_t count[10] = {0};
    for (uint64_t i = 0; i < 10000; i++)
        count[random_below(random_bits(9, 0, i, 0), 10)]++;
    uint64_t lo = count[0], hi = count[0];
    for (int i = 1; i < 10; i++) {
        lo = count[i] < lo ? count[i] : lo;
        hi = count[i] > hi ? count[i] : hi;
    }
    CHECK(lo > 880 && hi < 1120); /* 1000 expected, 4 sigma = 4 * sqrt(900) = 120 */
}

static void dtype_checks(void)
{
    CHECK(dtype_from_name("uint8") == DT_UINT8 && dtype_from_name("byte") == DT_UNKNOWN);
    CHECK(dtype_from_onnx(16) == DT_BFLOAT16 && dtype_to_onnx(DT_INT8) == 3);
    CHECK(dtype_bytes(DT_INT4, 3) == 2 && dtype_bytes(DT_FLOAT32, 5) == 20);
    CHECK(dtype_bytes(DT_FLOAT32, INT64_MAX) == -1 && dtype_bytes(DT_STRING, 4) == -1);
    CHECK(dtype_is_float(DT_FLOAT16) && !dtype_is_float(DT_BOOL) && dtype_is_integer(DT_UINT4));
}

static void file_checks(void)
{
    Diag d = {{0}};
    char hex[65];
    sha256_hex("abc", 3, hex); /* FIPS 180-2, appendix B.1 */
    CHECK(strcmp(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
    char dir[] = "/tmp/test_base.XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    char path[64];
    snprintf(path, sizeof path, "%s/out", dir);
    OutFile out;
    CHECK(file_out_open(&out, path, &d) == STATUS_OK);
    fputs("hello", out.stream);
    CHECK(access(path, F_OK) != 0); /* nothing there before the commit */
    CHECK(file_out_commit(&out, &d) == STATUS_OK);
    file_out_abort(&out);
    InFile in;
    CHECK(file_in_open(&in, path, 100, &d) == STATUS_OK);
    CHECK(in.size == 5 && memcmp(in.data, "hello", 5) == 0);
    file_in_close(&in);
    CHECK(file_in_open(&in, dir, 100, &d) == STATUS_INPUT && strstr(d.text, "folder"));
    CHECK(file_in_open(&in, "/dev/zero", 100, &d) == STATUS_INPUT && strstr(d.text, "device"));
    CHECK(file_in_open(&in, "/nowhere/x", 100, &d) == STATUS_INPUT);
    unlink(path);
    rmdir(dir);
}

static void diag_checks(void)
{
    Diag d = {{0}};
    CHECK(diag_set(&d, STATUS_INPUT, "m.onnx", "node 'a\nb'", "bad %d", 3) == STATUS_INPUT);
    CHECK(strcmp(d.text, "m.onnx: node 'a?b': bad 3") == 0);
    CHECK(status_exit_code(STATUS_USAGE) == 2 && status_exit_code(STATUS_UNDECIDED) == 3);
    Arena *a = arena_new(0);
    Notes n;
    notes_init(&n, a);
    notes_put(&n, "x", message_verbatim(a, "first"));
    notes_put(&n, "x", message_verbatim(a, "second"));
    CHECK(n.nnote == 1 && strcmp(message_format(a, NULL, n.note[0].said), "first") == 0);
    arena_free(a);
}

static bool is_said(Arena *a, const Message *s, const char *text)
{
    return strcmp(message_format(a, NULL, s), text) == 0;
}

DEFINE_MESSAGE(PLACES_OF, "{1}: {0} place{0||s} of '{2}' {3}, {x} {9}");
DEFINE_MESSAGE(VERB, "{0}");
DEFINE_MESSAGE(ALL_KINDS, "{0} {1} {2} {3} {4} {5}");

static void said_checks(void)
{
    Arena *a = arena_new(0);
    const Message *one = MESSAGE(a, MESSAGE_ID(PLACES_OF), arg_count(1), arg_text("{0}\n"),
                                 arg_text(NULL), arg_message(message_verbatim(a, "in")));
    CHECK(is_said(a, one, "{0}?: 1 place of '' in, {x} {9}"));
    const Message *two = MESSAGE(a, MESSAGE_ID(PLACES_OF), arg_count(2), arg_text("a"),
                                 arg_text("b"), arg_message_id(&message_ALL_KINDS));
    CHECK(is_said(a, two, "a: 2 places of 'b' {0} {1} {2} {3} {4} {5}, {x} {9}"));
    CHECK(!message_equal(one, two) && message_equal(one, one) && !message_equal(one, NULL));
    CHECK(message_equal(NULL, NULL));
    const Message *kinds =
        MESSAGE(a, MESSAGE_ID(ALL_KINDS), arg_fixed(1.25, 1), arg_signed(3), arg_digits(1234.5, 3),
                arg_time(1500), arg_rate(12.345), arg_count(-7));
    CHECK(is_said(a, kinds, "1.2 +3 1.23e+03 1.50 µs 12.35/s -7"));
    CHECK(message_equal(kinds, MESSAGE(a, MESSAGE_ID(ALL_KINDS), arg_fixed(1.25, 1), arg_signed(3),
                                       arg_digits(1234.5, 3), arg_time(1500), arg_rate(12.345),
                                       arg_count(-7))));
    CHECK(!message_equal(MESSAGE(a, MESSAGE_ID(VERB), arg_count(1)),
                         MESSAGE(a, MESSAGE_ID(VERB), arg_count(2))));
    arena_free(a);
}

static Status load_text(const char *text, xmlDoc **ret, Diag *d)
{
    char path[] = "/tmp/test_base.XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    Status st = xml_load(path, NULL, ret, d);
    unlink(path);
    return st;
}

static void xml_checks(void)
{
    Diag d = {{0}};
    xmlDoc *doc = NULL;
    Arena *a = arena_new(0);
    CHECK(load_text("<a x='1.5'>\n <b> two  words </b></a>", &doc, &d) == STATUS_OK);
    const xmlNode *root = xmlDocGetRootElement(doc);
    CHECK(xml_number(root, "x", 0) == 1.5 && xml_number(root, "y", 7) == 7);
    CHECK(strcmp(xml_text(a, xml_child(root, "b")), "two words") == 0);
    xmlFreeDoc(doc);
    CHECK(load_text("<a>\n<b></a>", &doc, &d) == STATUS_INPUT && strstr(d.text, "line 2"));
    CHECK(load_text("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", &doc, &d) == STATUS_INPUT);
    CHECK(load_text("", &doc, &d) == STATUS_INPUT && strstr(d.text, "empty"));
    arena_free(a);
}

int main(void)
{
    xml_startup();
    arena_checks();
    strmap_checks();
    random_checks();
    dtype_checks();
    file_checks();
    diag_checks();
    said_checks();
    xml_checks();
    return check_failures() != 0;
}
