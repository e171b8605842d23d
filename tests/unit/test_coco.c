/* Annotations of COCO by hand: what is read, at the ends of what may be, and each thing refused. */
#include "advisor/measure/coco.h"

#include "graph/base/file.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/coco-test.XXXXXX";

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void drop(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK(!remove(path));
}

/* What is said of a file of these lists, without its folder; "" if it is read. */
static const char *of(Arena *a, const char *categories, const char *images, const char *annotations,
                      Coco **ret)
{
    static char text[4096];
    static Diag diag;
    snprintf(text, sizeof text, "{\"categories\": %s, \"images\": %s, \"annotations\": %s}",
             categories, images, annotations);
    put("instances_a.json", text);
    bool read = !coco_open(a, folder, ret, &diag);
    CHECK(read == (*ret != NULL));
    const char *at = strstr(diag.text, "instances_a.json: ");
    return read ? "" : at ? at + strlen("instances_a.json: ") : diag.text;
}

#define CATEGORIES "[{\"id\": 7}, {\"id\": 3}]"
#define IMAGES                                                                                     \
    "[{\"id\": 20, \"file_name\": \"b.png\", \"width\": 640, \"height\": 480}, {\"id\": 10, "      \
    "\"file_name\": \"in/a.png\"}]"
#define ONE(bbox) "[{\"image_id\": 10, \"category_id\": 3, \"bbox\": " bbox "}]"

static bool refused(Arena *a, const char *categories, const char *images, const char *annotations,
                    const char *what)
{
    Coco *c;
    const char *said = of(a, categories, images, annotations, &c);
    if (strcmp(said, what))
        printf("said: %s\n", said);
    return !strcmp(said, what);
}

static void read_checks(Arena *a)
{
    Coco *c;
    CocoImage p;
    CHECK(!*of(
        a, CATEGORIES, IMAGES,
        "[{\"image_id\": 10, \"category_id\": 3, \"bbox\": [1, 2, 3, 4.5]},"
        "{\"image_id\": 20, \"category_id\": 7, \"bbox\": [-9999999, 0, 0, 0], \"iscrowd\": 1},"
        "{\"image_id\": 10, \"category_id\": 7, \"bbox\": [5, 6, 9999999, 8], \"iscrowd\": 0}]",
        &c));
    CHECK(coco_categories(c) == 2);
    CHECK(coco_image(c, "b.png", &p) && p.nbox == 1 && p.width == 640 && p.height == 480 &&
          p.box[0].crowd);
    CHECK(p.box[0].box.class == 0 && p.box[0].box.x0 == -9999999 && p.box[0].box.x1 == -9999999);
    CHECK(coco_image(c, "in/a.png", &p) && p.nbox == 2 && p.width == 0 && p.height == 0);
    CHECK(!p.box[0].crowd && p.box[0].box.class == 1 && p.box[0].box.x0 == 1 &&
          p.box[0].box.y0 == 2 && p.box[0].box.x1 == 4 && p.box[0].box.y1 == 6.5);
    CHECK(!p.box[1].crowd && p.box[1].box.class == 0 && p.box[1].box.x1 == 10000004);
    /* By the end of a path, from a folder on. */
    CHECK(coco_image(c, "data/in/a.png", &p) && p.nbox == 2 && coco_image(c, "x/y/b.png", &p) &&
          p.nbox == 1);
    CHECK(!coco_image(c, "a.png", &p) && !coco_image(c, "ab.png", &p) && !coco_image(c, "", &p));
    /* As many classes: the place in the list.  Else the number less one, where there is a
     * background and room. */
    CHECK(coco_fits(c, 2, false) && coco_image(c, "b.png", &p) && p.box[0].box.class == 0);
    CHECK(!coco_fits(c, 7, false) && !coco_fits(c, 6, true) && !coco_fits(c, 1, true));
    CHECK(coco_fits(c, 7, true));
    CHECK(coco_image(c, "b.png", &p) && p.box[0].box.class == 6);
    CHECK(coco_image(c, "in/a.png", &p) && p.box[0].box.class == 2 && p.box[1].box.class == 6);
    CHECK(!*of(a, "[{\"id\": 0}, {\"id\": 3}]", "[]", "[]", &c) && !coco_fits(c, 3, true) &&
          coco_fits(c, 2, true));
    CHECK(!coco_image(c, "b.png", &p));
    CHECK(!*of(a, "[{\"id\": 1}, {\"id\": 3}]", "[]", "[]", &c) && coco_fits(c, 3, true));
    CHECK(!*of(a, "[{\"id\": -999999999999999}, {\"id\": 999999999999999}]", "[]", "[]", &c));
    CHECK(!*of(a, CATEGORIES,
               "[{\"id\": 1, \"file_name\": \"a\", \"width\": 999999, \"height\": 0}]", "[]", &c));
}

static void refused_checks(Arena *a)
{
    CHECK(refused(a, "[]", IMAGES, "[]", "has no categories"));
    CHECK(refused(a, "{}", IMAGES, "[]", "has no list 'categories'"));
    CHECK(refused(a, CATEGORIES, "null", "[]", "has no list 'images'"));
    CHECK(refused(a, CATEGORIES, IMAGES, "{}", "has no list 'annotations'"));
    CHECK(refused(a, "[{\"id\": 1}, {\"id\": 2.5}]", IMAGES, "[]",
                  "categories[1] has no whole number as its id"));
    CHECK(refused(a, "[{}]", IMAGES, "[]", "categories[0] has no whole number as its id"));
    CHECK(refused(a, "[{\"id\": 1000000000000000}]", IMAGES, "[]",
                  "categories[0] has no whole number as its id"));
    CHECK(refused(a, "[{\"id\": -1000000000000000}]", IMAGES, "[]",
                  "categories[0] has no whole number as its id"));
    CHECK(refused(a, CATEGORIES,
                  "[{\"id\": 1, \"file_name\": \"a\"}, {\"id\": 1, \"file_name\": \"b\"}]", "[]",
                  "images[1] has the id of another") ||
          refused(a, CATEGORIES,
                  "[{\"id\": 1, \"file_name\": \"a\"}, {\"id\": 1, \"file_name\": \"b\"}]", "[]",
                  "images[0] has the id of another"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"a\"}, {\"id\": 2}]", "[]",
                  "images[1] has no file_name"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"\"}]", "[]",
                  "images[0] has no file_name"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"a\", \"width\": -1}]", "[]",
                  "images[0] has a width or height that is none"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"a\", \"height\": -1}]", "[]",
                  "images[0] has a width or height that is none"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"a\", \"width\": 1000000}]", "[]",
                  "images[0] has a width or height that is none"));
    CHECK(refused(a, CATEGORIES, "[{\"id\": 1, \"file_name\": \"a\", \"height\": 1000000}]", "[]",
                  "images[0] has a width or height that is none"));
    CHECK(refused(a, CATEGORIES,
                  "[{\"id\": 1, \"file_name\": \"a\"}, {\"id\": 2, \"file_name\": \"b\"}, {\"id\": "
                  "3, \"file_name\": \"a\"}]",
                  "[]", "two images are called 'a'"));
    CHECK(refused(a, CATEGORIES, IMAGES,
                  "[{\"image_id\": 10, \"category_id\": 4, \"bbox\": [1, 2, 3, 4]}]",
                  "annotations[0]: no category has its category_id"));
    CHECK(refused(a, CATEGORIES, IMAGES, "[{\"category_id\": 3, \"bbox\": [1, 2, 3, 4]}]",
                  "annotations[0]: no image has its image_id"));
    CHECK(refused(a, CATEGORIES, IMAGES, "[{\"image_id\": 11, \"category_id\": 4}]",
                  "annotations[0]: no image has its image_id"));
    CHECK(refused(a, CATEGORIES, "[]", ONE("[1, 2, 3, 4]"),
                  "annotations[0]: no image has its image_id"));
    const char *box = "annotations[0].bbox is not four numbers: x, y, width, height of 0 or more";
    static const char *const bad[] = {ONE("[1, 2, 3]"),
                                      ONE("[1, 2, 3, 4, 5]"),
                                      ONE("[]"),
                                      ONE("{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}"),
                                      ONE("null"),
                                      ONE("[1, 2, -1, 4]"),
                                      ONE("[1, 2, 3, -1]"),
                                      ONE("[1, 2, 3, \"4\"]"),
                                      ONE("[10000000, 2, 3, 4]"),
                                      ONE("[1, 2, 3, 10000000]"),
                                      ONE("[-10000000, 2, 3, 4]")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(refused(a, CATEGORIES, IMAGES, bad[i], box));
}

static void place_checks(Arena *a)
{
    Coco *c;
    Diag diag = {0};
    char sub[128];
    const char *good = "{\"categories\": [{\"id\": 1}], \"images\": [], \"annotations\": []}";
    drop("instances_a.json");
    put("other.json", good);
    put("instances_b.txt", good);
    snprintf(sub, sizeof sub, "%s/annotations", folder);
    CHECK(!coco_open(a, folder, &c, &diag) && !c); /* there is none */
    mkdir(sub, 0700);
    CHECK(!coco_open(a, folder, &c, &diag) && !c);
    put("annotations/instances_c.json", good);
    CHECK(!coco_open(a, folder, &c, &diag) && c);
    put("annotations/instances_d.json", good);
    CHECK(coco_open(a, folder, &c, &diag) == STATUS_INPUT && !c);
    CHECK(strstr(
        diag.text,
        "has two files of annotations, instances_c.json and instances_d.json: which is meant?"));
    put("instances_a.json", good); /* beside the pictures: the others are not looked at */
    CHECK(!coco_open(a, folder, &c, &diag) && c);
    put("instances_a.json", "{");
    CHECK(coco_open(a, folder, &c, &diag) == STATUS_INPUT && !c);
    drop("instances_a.json");
    drop("annotations/instances_c.json");
    drop("annotations/instances_d.json");
    drop("annotations");
    drop("other.json");
    drop("instances_b.txt");
    drop("");
    CHECK(coco_open(a, folder, &c, &diag) == STATUS_INPUT && !c);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    Arena *a = arena_new(0);
    read_checks(a);
    refused_checks(a);
    place_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
