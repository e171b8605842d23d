/* Section 7: throughput against workers and against the batch, side by side; then the SRAM. */
#include "advisor/html/html.h"

#include "advisor/say/json.h"

#include <math.h>

static double most_throughput(const cJSON *list)
{
    const cJSON *w;
    double most = 0, v;
    cJSON_ArrayForEach(w, list)
    {
        if (json_number(w, "throughput_per_s.mid", &v))
            most = fmax(most, v);
    }
    return most;
}

typedef struct {
    const char *path, *key, *now; /* list, its setting, the setting in use */
    PhraseId caption;
    const PhraseId *head;
    bool latency;
} Curve;

static void row(Page *p, const Curve *c, const cJSON *point, double most)
{
    double n = json_number_or(point, c->key, 0), mid;
    bool now = n == json_number_or(p->r, c->now, 0);
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_textf(p->h, "%.0f%s%s%s", n, now ? " (" : "", now ? say(p->lang, SAY_IN_USE) : "",
               now ? ")" : "");
    if (json_number(point, "throughput_per_s.mid", &mid))
        page_bar(p, now ? "now" : "gain", 0, mid, most);
    html_close(p->h);
    page_cell_interval(p, json_at(point, "throughput_per_s"), "per_s");
    if (c->latency)
        page_cell_interval(p, json_at(point, "latency_ns"), "ns");
    page_row_close(p);
}

/* Both curves on one scale, so that they can be compared. */
static void curve(Page *p, const Curve *c, double most)
{
    const cJSON *list = json_at(p->r, c->path), *point;
    if (json_count(list, "") == 0)
        return;
    html_open(p->h, "div", NULL);
    page_table_open(p, "sweep", c->caption, c->head);
    cJSON_ArrayForEach(point, list) row(p, c, point, most);
    page_table_close(p);
    html_close(p->h);
}

void html_curves(Page *p)
{
    static const PhraseId workers_head[] = {SAY_COL_WORKERS, SAY_COL_THROUGHPUT, SAY_COUNT};
    static const PhraseId batch_head[] = {SAY_COL_BATCH, SAY_COL_THROUGHPUT, SAY_COL_LATENCY,
                                          SAY_COUNT};
    static const Curve workers = {"curves.workers",  "workers",    "options.workers",
                                  SAY_WORKERS_TABLE, workers_head, false};
    static const Curve batch = {"curves.batch",  "batch",    "options.batch",
                                SAY_BATCH_TABLE, batch_head, true};
    double most = fmax(most_throughput(json_at(p->r, workers.path)),
                       most_throughput(json_at(p->r, batch.path)));
    html_open(p->h, "div", "class", "beside", NULL);
    curve(p, &workers, most);
    curve(p, &batch, most);
    html_close(p->h);
    html_sram(p);
}
