/* Joins the three lists of the file (images, categories, annotations) by their ids. */
#include "advisor/measure/coco.h"

#include "advisor/message/json.h"
#include "graph/base/folder.h"

/* An id and the index of its entry. */
typedef struct {
    double id;
    size_t index;
} Numbered;

typedef struct {
    const char *file;
    int64_t width, height;
    LabeledBox *box;
    size_t nbox, cap;
} Picture;

struct Coco {
    Arena *arena;
    const char *path;
    Picture *picture;   /* sorted by file */
    Numbered *category; /* sorted by id; index: its position in the list */
    size_t npicture, ncategory;
};

/* ---- lists ---- */

ORDER_BY(by_id, Numbered, COMPARE(a->id, b->id))

ORDER_BY(by_file, Picture, strcmp(a->file, b->file))

static Status annotation_error(const Coco *c, const char *list, size_t i, const char *what,
                               Diag *diag)
{
    return diag_set(diag, STATUS_INPUT, c->path, NULL, "%s[%zu]%s", list, i, what);
}

/* The numbers of a list's objects, sorted. */
static Status read_ids(Coco *c, const cJSON *root, const char *list, Numbered **ret, size_t *ret_n,
                       Diag *diag)
{
    const cJSON *all = json_at(root, list), *o;
    size_t n = 0;
    if (!cJSON_IsArray(all))
        return diag_set(diag, STATUS_INPUT, c->path, NULL, "has no list '%s'", list);
    Numbered *found = ARENA_ARRAY(c->arena, Numbered, (size_t)cJSON_GetArraySize(all) + 1);
    cJSON_ArrayForEach(o, all)
    {
        double id;
        if (!json_number(o, "id", &id) || !(fabs(id) < 1e15) || floor(id) < id)
            return annotation_error(c, list, n, " has no whole number as its id", diag);
        found[n] = (Numbered){id, n};
        n++;
    }
    ORDER_LIST(found, n, by_id);
    for (size_t i = 1; i < n; i++)
        if (found[i].id <= found[i - 1].id)
            return annotation_error(c, list, found[i].index, " has the id of another", diag);
    *ret = found;
    *ret_n = n;
    return STATUS_OK;
}

static const Numbered *find_by_id(const Numbered *list, size_t n, const cJSON *o, const char *key)
{
    Numbered wanted = {json_number_or(o, key, NAN), 0};
    return isfinite(wanted.id) && n ? bsearch(&wanted, list, n, sizeof *list, by_id) : NULL;
}

/* ---- images and boxes ---- */

static Status read_pictures(Coco *c, const cJSON *root, Diag *diag)
{
    const cJSON *o;
    size_t i = 0;
    cJSON_ArrayForEach(o, json_at(root, "images"))
    {
        const char *file = json_text(o, "file_name", "");
        double width = json_number_or(o, "width", 0), height = json_number_or(o, "height", 0);
        if (!*file)
            return annotation_error(c, "images", i, " has no file_name", diag);
        if (!(width >= 0 && width < 1e6 && height >= 0 && height < 1e6))
            return annotation_error(c, "images", i, " has a width or height that is none", diag);
        c->picture[i++] = (Picture){.file = arena_strdup(c->arena, file),
                                    .width = (int64_t)width,
                                    .height = (int64_t)height};
    }
    return STATUS_OK;
}

/* x, y, width, height. */
static bool read_box(const cJSON *o, LabeledBox *ret)
{
    const cJSON *list = json_at(o, "bbox"), *at = cJSON_IsArray(list) ? list->child : NULL;
    double v[4];
    int n = 0;
    for (; at && n < 4 && cJSON_IsNumber(at) && fabs(at->valuedouble) < 1e7; at = at->next)
        v[n++] = at->valuedouble;
    if (n != 4 || at || v[2] < 0 || v[3] < 0)
        return false;
    ret->box = (DetectionBox){v[0], v[1], v[0] + v[2], v[1] + v[3], 0, 0};
    return true;
}

static Status read_boxes(Coco *c, const cJSON *root, const Numbered *image, Diag *diag)
{
    const cJSON *o, *list = json_at(root, "annotations");
    size_t i = 0;
    if (!cJSON_IsArray(list))
        return diag_set(diag, STATUS_INPUT, c->path, NULL, "has no list 'annotations'");
    cJSON_ArrayForEach(o, list)
    {
        const Numbered *of = find_by_id(image, c->npicture, o, "image_id"),
                       *category = find_by_id(c->category, c->ncategory, o, "category_id");
        LabeledBox box = {.crowd = json_number_or(o, "iscrowd", 0) > 0};
        if (!of || !category)
            return annotation_error(
                c, "annotations", i,
                of ? ": no category has its category_id" : ": no image has its image_id", diag);
        if (!read_box(o, &box))
            return annotation_error(c, "annotations", i,
                                    ".bbox is not four numbers: x, y, width, height of 0 or more",
                                    diag);
        box.box.class = (int64_t)category->index;
        Picture *p = &c->picture[of->index];
        *VEC_PUSH(c->arena, p->box, p->nbox, p->cap) = box;
        i++;
    }
    return STATUS_OK;
}

static Status read_all(Coco *c, const cJSON *root, Diag *diag)
{
    Numbered *image = NULL;
    Status st = read_ids(c, root, "categories", &c->category, &c->ncategory, diag);
    st = st ? st : read_ids(c, root, "images", &image, &c->npicture, diag);
    if (st)
        return st;
    if (c->ncategory == 0)
        return diag_set(diag, STATUS_INPUT, c->path, NULL, "has no categories");
    c->picture = ARENA_ARRAY(c->arena, Picture, c->npicture + 1);
    st = read_pictures(c, root, diag);
    st = st ? st : read_boxes(c, root, image, diag);
    if (st)
        return st;
    ORDER_LIST(c->picture, c->npicture, by_file);
    for (size_t i = 1; i < c->npicture; i++)
        if (!strcmp(c->picture[i].file, c->picture[i - 1].file))
            return diag_set(diag, STATUS_INPUT, c->path, NULL, "two images are called '%s'",
                            c->picture[i].file);
    return STATUS_OK;
}

/* ---- the file ---- */

/* The one in `dir`; *ret stays where there is none. */
static Status look_in(Arena *a, const char *dir, const char **ret, Diag *diag)
{
    static const char *const suffix[] = {".json"};
    const FolderEntry *entry;
    size_t n = 0;
    Status st = folder_walk(a, dir, suffix, 1, &entry, &n, diag);
    for (size_t i = 0; i < n && !st; i++) {
        if (entry[i].is_folder || strncmp(entry[i].name, "instances_", strlen("instances_")) != 0)
            continue;
        if (*ret)
            st = diag_set(diag, STATUS_INPUT, dir, NULL,
                          "has two files of annotations, %s and %s: which is meant?",
                          strrchr(*ret, '/') + 1, entry[i].name);
        *ret = arena_printf(a, "%s/%s", dir, entry[i].name);
    }
    return st;
}

static Status find_file(Arena *a, const char *dir, const char **ret, Diag *diag)
{
    const FolderEntry *entry;
    size_t n = 0;
    *ret = NULL;
    Status st = look_in(a, dir, ret, diag);
    st = st || *ret ? st : folder_walk(a, dir, NULL, 0, &entry, &n, diag);
    for (size_t i = 0; i < n && !st; i++)
        if (entry[i].is_folder && !strcmp(entry[i].name, "annotations"))
            st = look_in(a, arena_printf(a, "%s/annotations", dir), ret, diag);
    return st;
}

Status coco_open(Arena *a, const char *dir, Coco **ret, Diag *diag)
{
    Coco *c = ARENA_NEW(a, Coco);
    cJSON *root = NULL;
    *c = (Coco){.arena = a};
    *ret = NULL;
    Status st = find_file(a, dir, &c->path, diag);
    if (st || !c->path)
        return st;
    st = json_load(c->path, &root, diag);
    st = st ? st : read_all(c, root, diag);
    cJSON_Delete(root);
    *ret = st ? NULL : c;
    return st;
}

size_t coco_categories(const Coco *c)
{
    return c->ncategory;
}

/* Classes are the categories' numbers, from 1 on. */
static void renumber_classes(Coco *c)
{
    int64_t *number = ARENA_ARRAY(c->arena, int64_t, c->ncategory + 1);
    for (size_t i = 0; i < c->ncategory; i++)
        number[c->category[i].index] = (int64_t)c->category[i].id;
    for (size_t i = 0; i < c->npicture; i++)
        for (size_t k = 0; k < c->picture[i].nbox; k++)
            c->picture[i].box[k].box.class = number[c->picture[i].box[k].box.class] - 1;
}

bool coco_fits(Coco *c, int64_t classes, bool background)
{
    if (classes == (int64_t)c->ncategory)
        return true;
    bool fits =
        background && c->category[0].id >= 1 && c->category[c->ncategory - 1].id <= (double)classes;
    if (fits)
        renumber_classes(c);
    return fits;
}

static const Picture *find_image(const Coco *c, const char *file)
{
    Picture wanted = {.file = file};
    return c->npicture ? bsearch(&wanted, c->picture, c->npicture, sizeof wanted, by_file) : NULL;
}

bool coco_image(const Coco *c, const char *file, CocoImage *ret)
{
    const Picture *p = find_image(c, file);
    for (const char *slash = strchr(file, '/'); slash && !p; slash = strchr(slash + 1, '/'))
        p = find_image(c, slash + 1);
    if (p)
        *ret = (CocoImage){p->box, p->nbox, p->width, p->height};
    return p != NULL;
}
