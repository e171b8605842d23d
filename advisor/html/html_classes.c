/* Section 5: where the time of one inference goes, by kind of work, as tiles and as a table. */
#include "advisor/html/html_svg.h"

#include "advisor/say/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 300, KINDS = 64, TILES = 24 };

typedef struct {
    const char *class, *key, *name; /* key: an operator of the host, or the kind of step */
    double ns;
    size_t steps, unknown;
    int order;
} Kind;

typedef struct {
    Kind kind[KINDS];
    size_t n;
    double total;
} Kinds;

/* The tile of that key; once the table is full, the last one takes the rest. */
static Kind *kind_for(Page *p, Kinds *k, const char *class, const char *key, const char *name)
{
    for (size_t i = 0; i < k->n; i++)
        if (!strcmp(k->kind[i].key, key) && !strcmp(k->kind[i].class, class))
            return &k->kind[i];
    if (k->n == KINDS)
        return &k->kind[KINDS - 1];
    if (k->n == KINDS - 1)
        name = say(p->lang, SAY_OTHER);
    k->kind[k->n] = (Kind){.class = class, .key = key, .name = name, .order = (int)k->n};
    return &k->kind[k->n++];
}

static int by_time(const void *pa, const void *pb)
{
    const Kind *a = pa, *b = pb;
    if (a->ns != b->ns)
        return a->ns < b->ns ? 1 : -1;
    return a->order - b->order;
}

static const char *key_of(const cJSON *step)
{
    const char *kind = json_text(step, "kind", "");
    return strcmp(kind, "host") ? kind : json_text(step, "op", "");
}

static void gather(Page *p, Kinds *k)
{
    const cJSON *s;
    double ns;
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        Kind *kind = kind_for(p, k, step_class(s), key_of(s), step_title(p, s));
        bool known = work_time_ns(s, &ns);
        kind->steps++;
        kind->unknown += !known;
        kind->ns += known ? ns : 0;
    }
    if (json_number(p->r, "measured.unattributed_ns", &ns))
        kind_for(p, k, "lost", "lost", say(p->lang, SAY_LANE_UNEXPLAINED))->ns = ns;
    qsort(k->kind, k->n, sizeof *k->kind, by_time);
    for (size_t i = 0; i < k->n; i++)
        k->total += k->kind[i].ns;
}

/* Worst ratio of the sides when the tiles [from, to) share a strip of that length. */
static double worst_ratio(const Kinds *k, size_t from, size_t to, double length, double area_per_ns)
{
    double sum = 0, worst = 1;
    for (size_t i = from; i < to; i++)
        sum += k->kind[i].ns * area_per_ns;
    double thick = sum / length;
    for (size_t i = from; i < to; i++) {
        double side = k->kind[i].ns * area_per_ns / thick;
        worst = fmax(worst, fmax(side / thick, thick / side));
    }
    return worst;
}

static void draw_tile(Page *p, const Kind *kind, Box b)
{
    char title[160];
    Figure f;
    Plain fit;
    snprintf(title, sizeof title, "%.80s, %s", kind->name, figure_time(&f, kind->ns));
    Box inside = {b.x + 1, b.y + 1, b.w > 3 ? b.w - 2 : b.w, b.h > 3 ? b.h - 2 : b.h};
    svg_rect(p, kind->class, inside, title);
    if (b.h < 22)
        return;
    svg_text(p, "on", b.x + 8, b.y + 19, "start", svg_fit(&fit, kind->name, b.w - 14));
    if (b.h >= 44)
        svg_text(p, "on", b.x + 8, b.y + 37, "start", svg_whole(f.text, b.w - 14));
}

/* Draws [from, to) along the shorter side of `room` and cuts their strip off it. */
static void draw_strip(Page *p, const Kinds *k, size_t from, size_t to, Box *room,
                       double area_per_ns)
{
    bool tall = room->w > room->h; /* the strip stands at the left */
    double length = tall ? room->h : room->w, sum = 0, at = 0;
    for (size_t i = from; i < to; i++)
        sum += k->kind[i].ns * area_per_ns;
    double thick = sum / length;
    for (size_t i = from; i < to; i++) {
        double side = k->kind[i].ns * area_per_ns / thick;
        Box b = tall ? (Box){room->x, room->y + at, thick, side}
                     : (Box){room->x + at, room->y, side, thick};
        draw_tile(p, &k->kind[i], b);
        at += side;
    }
    if (tall)
        *room = (Box){room->x + thick, room->y, room->w - thick, room->h};
    else
        *room = (Box){room->x, room->y + thick, room->w, room->h - thick};
}

/* Squarified tiles (Bruls, Huizing, van Wijk): a strip grows while its tiles get squarer. */
static void draw_tiles(Page *p, const Kinds *k)
{
    Box room = {0, 0, WIDTH, HEIGHT};
    double area_per_ns = k->total > 0 ? WIDTH * HEIGHT / k->total : 0;
    size_t from = 0, n = 0;
    while (n < k->n && n < TILES && k->kind[n].ns * area_per_ns >= 1)
        n++;
    while (from < n) {
        double length = room.w > room.h ? room.h : room.w;
        size_t to = from + 1;
        while (to < n && worst_ratio(k, from, to + 1, length, area_per_ns) <=
                             worst_ratio(k, from, to, length, area_per_ns))
            to++;
        draw_strip(p, k, from, to, &room, area_per_ns);
        from = to;
    }
}

static void table(Page *p, const Kinds *k)
{
    static const PhraseId head[] = {SAY_COL_WHAT, SAY_COL_TIME, SAY_COL_SHARE, SAY_COL_STEPS,
                                    SAY_COUNT};
    page_table_open(p, "classes", SAY_CLASSES_TABLE, head);
    for (size_t i = 0; i < k->n; i++) {
        const Kind *kind = &k->kind[i];
        Figure f;
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_name(p->h, kind->name, 48);
        page_bar(p, kind->class, 0, kind->ns, k->kind[0].ns);
        html_close(p->h);
        html_open(p->h, "td", "class", "number", NULL);
        if (kind->unknown)
            html_text(p->h, say(p->lang, SAY_UNKNOWN));
        else
            html_text(p->h, figure_time(&f, kind->ns));
        html_close(p->h);
        html_open(p->h, "td", "class", "number", NULL);
        html_text(p->h,
                  kind->unknown ? "–" : figure_share(&f, k->total > 0 ? kind->ns / k->total : 0));
        html_close(p->h);
        html_open(p->h, "td", "class", "number", NULL);
        html_textf(p->h, "%zu", kind->steps);
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
}

void html_classes(Page *p)
{
    Kinds *k = ARENA_NEW(p->a, Kinds);
    gather(p, k);
    if (k->total > 0) {
        svg_open(p, "tiles", WIDTH, HEIGHT, say(p->lang, SAY_TILES));
        draw_tiles(p, k);
        svg_close(p);
    }
    table(p, k);
}
