/* Chooses one of four kinds of score and computes it before and after a change. */
#include "advisor/measure/metric.h"

#include "advisor/measure/boxes.h"
#include "advisor/measure/coco.h"
#include "advisor/measure/labels.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/process.h"
#include "advisor/candidate/runner.h"
#include "graph/model/dtype.h"

enum { LIMIT_S = 24 * 3600, SCORES_BYTES = 64 << 20 };

struct SliceMetric {
    Arena *a;
    MetricRequest q;
    ScoresKind kind;
    const char *of;             /* the output or command that is scored */
    const char *const *command; /* of the metric */
    ClassLabels *truth;
    size_t output, width; /* that the classes are those of */
    Head *head;
    Coco *coco;
    int64_t side[2]; /* width and height of the input image */
    cJSON *samples;  /* of the slice; its files */
    double *before;  /* the baseline's scores of the slice; NULL: not computed yet */
};

/* ---- which way ---- */

/* Of one image. */
static size_t width_of(const Tensor *t)
{
    bool scores = dtype_is_float(t->dtype) && t->shape.rank > 1 && t->shape.dim[0].value == 1;
    return scores ? comparer_class_count(&t->shape) : 0;
}

static bool use_classes(SliceMetric *j)
{
    const Graph *g = j->q.graph;
    size_t width = 0;
    for (size_t i = 0; i < g->noutput; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        j->width = width_of(t);
        width = j->width ? j->width : width;
        if (!j->width || !labels_fit_output(j->truth, j->width))
            continue;
        j->kind = SCORES_TOP1;
        j->output = i;
        j->of = t->name;
        return true;
    }
    if (width)
        notes_add(j->q.notes, "accuracy-labels", phrase_arg(PHRASE_NOTE_LABELS_UNUSED),
                  arg_size(labels_class_count(j->truth)), arg_size(width));
    return false;
}

static bool use_boxes(SliceMetric *j)
{
    const size_t *output;
    j->head = head_of(j->a, j->q.graph);
    if (!j->head)
        return false;
    head_outputs(j->head, &output);
    j->kind = SCORES_BOXES;
    j->of = j->q.graph->tensor[j->q.graph->output[output[0]]].name;
    return true;
}

/* Width and height of an image input; channels as npu-exec finds them. */
static bool sides_of(const Graph *g, int64_t side[2])
{
    const Shape *s = g->ninput == 1 ? &g->tensor[g->input[0]].shape : NULL;
    if (!s || s->rank != 4)
        return false;
    bool last = s->dim[1].value != 1 && s->dim[1].value != 3;
    side[0] = s->dim[last ? 2 : 3].value;
    side[1] = s->dim[last ? 1 : 2].value;
    return side[0] > 0 && side[1] > 0;
}

static void use_coco(SliceMetric *j)
{
    bool background = false;
    int64_t classes = j->head ? head_classes(j->head, &background) : 0;
    if (j->head && sides_of(j->q.graph, j->side) && coco_fits(j->coco, classes, background)) {
        j->kind = SCORES_MAP;
        return;
    }
    notes_add(j->q.notes, "accuracy-labels", phrase_arg(PHRASE_NOTE_COCO_UNUSED),
              arg_size(coco_categories(j->coco)), arg_count(classes));
}

static Status use_metric(SliceMetric *j, Diag *diag)
{
    Status st = runner_split_command(j->a, j->q.metric, OPTION_METRIC, &j->command, diag);
    if (st)
        return st;
    j->kind = SCORES_METRIC;
    j->of = file_base_name(j->command[0]);
    return STATUS_OK;
}

Status metric_open(Arena *a, const MetricRequest *q, SliceMetric **ret, Diag *diag)
{
    SliceMetric *j = ARENA_NEW(a, SliceMetric);
    *j = (SliceMetric){.a = a, .q = *q};
    *ret = NULL;
    Status st = q->metric ? use_metric(j, diag) : labels_open(a, q->data, &j->truth, diag);
    if (!st && !q->metric)
        st = coco_open(a, q->data, &j->coco, diag);
    if (st)
        return st;
    if (q->metric || (j->truth && !j->coco && use_classes(j)) || use_boxes(j))
        *ret = j;
    if (j->coco)
        use_coco(j);
    return STATUS_OK;
}

void metric_close(SliceMetric *j)
{
    if (!j)
        return;
    cJSON_Delete(j->samples);
}

Scores *metric_scores(Arena *a, const SliceMetric *j)
{
    return j ? scores_new(a, j->kind, j->of) : NULL;
}

Status metric_begin_slice(SliceMetric *j, const char *folder, Diag *diag)
{
    cJSON_Delete(j->samples);
    j->samples = NULL;
    j->before = NULL;
    return json_load(arena_printf(j->a, "%s/samples.json", folder), &j->samples, diag);
}

/* ---- classes ---- */

/* Runs without a labelled image are not counted. */
static void score_classes(const SliceMetric *j, Arena *a, const OutputTransform *before,
                          const OutputTransform *after, Scores *to)
{
    const cJSON *file = json_at(j->samples, "files");
    const OutputTransform *x = &before[j->output], *y = &after[j->output];
    double *p = ARENA_ARRAY(a, double, 2 * (x->count + 1)), *q = p + x->count + 1;
    size_t run = 0;
    file = cJSON_IsArray(file) ? file->child : NULL;
    for (; file && y->runs && run < x->runs; run++, file = file->next) {
        int64_t class =
            cJSON_IsString(file) ? labels_class_of(j->truth, file->valuestring, j->width) : -1;
        if (class < 0 || x->count != j->width)
            continue;
        output_transform_read(x, run, p);
        output_transform_read(y, run, q);
        scores_add(to, comparer_argmax(p, j->width) == (size_t) class,
                   comparer_argmax(q, j->width) == (size_t) class);
    }
}

/* ---- boxes ---- */

static void score_boxes(const SliceMetric *j, Arena *a, const OutputTransform *before,
                        const OutputTransform *after, Scores *to)
{
    const size_t *output;
    size_t n = head_outputs(j->head, &output), runs = before[output[0]].runs;
    double *p[2] = {NULL, NULL}, *q[2] = {NULL, NULL};
    for (size_t i = 0; i < n; i++) {
        p[i] = ARENA_ARRAY(a, double, before[output[i]].count + 1);
        q[i] = ARENA_ARRAY(a, double, before[output[i]].count + 1);
        if (!after[output[i]].runs || before[output[i]].count != head_numbers(j->head, i))
            return;
    }
    for (size_t run = 0; run < runs; run++) {
        double boxes = 0, same = 0;
        for (size_t i = 0; i < n; i++) {
            output_transform_read(&before[output[i]], run, p[i]);
            output_transform_read(&after[output[i]], run, q[i]);
        }
        if (!boxes_compare(j->head, (const double *const *)p, (const double *const *)q, &boxes,
                           &same))
            return; /* raw values: no score, as runs are missing */
        scores_add(to, boxes, same);
    }
}

/* ---- annotations ---- */

/* The position of an image in the input: samples.json's `placed`. */
typedef struct {
    double width, height;           /* of the image */
    double left, top, across, down; /* its origin and size in the input */
} Placed;

static bool placed_of(const cJSON *list, Placed *ret)
{
    double v[6];
    int n = 0;
    const cJSON *at = cJSON_IsArray(list) ? list->child : NULL;
    for (; at && n < 6 && cJSON_IsNumber(at); at = at->next)
        v[n++] = at->valuedouble;
    if (n != 6 || at || !(v[0] > 0 && v[1] > 0 && v[4] > 0 && v[5] > 0))
        return false;
    *ret = (Placed){v[0], v[1], v[2], v[3], v[4], v[5]};
    return true;
}

static double clamp_to(double v, double most)
{
    return fmin(fmax(v, 0), most);
}

/* Converts pixels of the input to those of the image, clamped to the image. */
static void put_back(const Placed *p, DetectionBox *list, int64_t n)
{
    double x = p->width / p->across, y = p->height / p->down;
    for (DetectionBox *b = list; b < list + n; b++) {
        b->x0 = clamp_to((b->x0 - p->left) * x, p->width);
        b->x1 = clamp_to((b->x1 - p->left) * x, p->width);
        b->y0 = clamp_to((b->y0 - p->top) * y, p->height);
        b->y1 = clamp_to((b->y1 - p->top) * y, p->height);
    }
}

/* The boxes of a run; room for HEAD_BOXES. False: the values are not scores. */
static bool decode_run_boxes(const SliceMetric *j, Arena *a, const OutputTransform *outputs,
                             size_t run, const Placed *placed, DetectionBox *list,
                             DetectionList *ret)
{
    const size_t *output;
    size_t n = head_outputs(j->head, &output);
    const double *of[2] = {NULL, NULL};
    for (size_t i = 0; i < n; i++) {
        double *own = ARENA_ARRAY(a, double, outputs[output[i]].count + 1);
        if (outputs[output[i]].count != head_numbers(j->head, i) || !outputs[output[i]].runs)
            return false;
        output_transform_read(&outputs[output[i]], run, own);
        of[i] = own;
    }
    int64_t found = boxes_of(j->head, of, j->side[0], j->side[1], list);
    *ret = (DetectionList){list, (size_t)(found > 0 ? found : 0)};
    put_back(placed, list, found);
    return found >= 0;
}

/* One run of a slice, and its image. */
typedef struct {
    const OutputTransform *before, *after;
    size_t run;
    const char *file;
    const cJSON *placing;
    CocoImage there;
} ScoredImage;

static Status score_image(const SliceMetric *j, const ScoredImage *x, Scores *to, Diag *diag)
{
    const CocoImage *there = &x->there;
    Placed placed;
    DetectionBox boxes[2][HEAD_BOXES];
    DetectionList drawn[2];
    if (!placed_of(x->placing, &placed))
        return diag_set(diag, STATUS_INPUT, x->file, NULL,
                        "the runner does not say where the image is in the input (`placed` in "
                        "samples.json), so annotations cannot be compared");
    if ((there->width && there->width != (int64_t)placed.width) ||
        (there->height && there->height != (int64_t)placed.height))
        return diag_set(diag, STATUS_INPUT, x->file, NULL,
                        "is %.0f x %.0f, but annotated as %lld x %lld", placed.width, placed.height,
                        (long long)there->width, (long long)there->height);
    Arena *scratch = arena_new(0);
    if (decode_run_boxes(j, scratch, x->before, x->run, &placed, boxes[0], &drawn[0]) &&
        decode_run_boxes(j, scratch, x->after, x->run, &placed, boxes[1], &drawn[1]))
        scores_add_boxes(to, drawn[0], drawn[1], there->box, there->nbox);
    arena_free(scratch);
    return STATUS_OK;
}

/* Images without annotations are not counted. */
static Status score_annotated_images(const SliceMetric *j, const OutputTransform *before,
                                     const OutputTransform *after, Scores *to, Diag *diag)
{
    const cJSON *file = json_at(j->samples, "files"), *placed = json_at(j->samples, "placed");
    size_t run = 0, runs = before[0].runs, named = 0;
    Status st = STATUS_OK;
    file = cJSON_IsArray(file) ? file->child : NULL;
    placed = cJSON_IsArray(placed) ? placed->child : NULL;
    for (; file && run < runs && !st; run++, file = file->next) {
        ScoredImage x = {before, after, run, file->valuestring, placed, {0}};
        if (cJSON_IsString(file) && coco_image(j->coco, x.file, &x.there)) {
            st = score_image(j, &x, to, diag);
            named++;
        }
        placed = placed ? placed->next : NULL;
    }
    if (!st && !named && !scores_count(to))
        st = diag_set(diag, STATUS_INPUT, j->q.data, NULL,
                      "none of the first %zu images is one that it annotates", runs);
    return st;
}

/* ---- the user's ---- */

static Status hand_over(const SliceMetric *j, Arena *a, const char *folder,
                        const OutputTransform *list, size_t n, Diag *diag)
{
    OutFile f;
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++)
        if (list[i].runs)
            st = output_transform_save(&list[i], arena_printf(a, "%s/output_%zu.npy", folder, i),
                                       diag);
    st = st ? st : file_out_open(&f, arena_printf(a, "%s/samples.json", folder), diag);
    if (st)
        return st;
    json_print(f.stream, j->samples);
    return file_out_commit(&f, diag);
}

static Status read_scores(const SliceMetric *j, const char *path, size_t n, double *ret, Diag *diag)
{
    InFile f;
    Status st = file_in_open(&f, path, SCORES_BYTES, diag);
    if (st)
        return diag_set(diag, STATUS_INPUT, j->of, NULL, "--metric: wrote no scores");
    char *text = arena_strndup(j->a, (const char *)f.data, f.size), *at = text, *end = text;
    file_in_close(&f);
    size_t k = 0;
    for (;; k++, at = end) {
        double v = strtod(at, &end);
        if (end == at)
            break;
        if (!isfinite(v))
            return diag_set(diag, STATUS_INPUT, j->of, NULL, "--metric: number %zu is not finite",
                            k + 1);
        if (k < n)
            ret[k] = v;
    }
    if (at[strspn(at, " \t\r\n")])
        return diag_set(diag, STATUS_INPUT, j->of, NULL,
                        "--metric: number %zu is followed by something that is not a number", k);
    return k == n ? STATUS_OK
                  : diag_set(diag, STATUS_INPUT, j->of, NULL,
                             "--metric: wrote %zu number%s for %zu run%s", k, k == 1 ? "" : "s", n,
                             n == 1 ? "" : "s");
}

static Status run_metric(const SliceMetric *j, Arena *a, const OutputTransform *list, size_t n,
                         size_t runs, double *ret, Diag *diag)
{
    TempFolder own = {0};
    WordList l = {.a = a};
    Status st = process_temp_folder_make(a, &own, diag);
    if (st)
        return st;
    const char *scores = arena_printf(a, "%s/scores", own.path);
    word_list_extend(&l, j->command, SIZE_MAX);
    word_list_add(&l, own.path);
    word_list_add(&l, scores);
    word_list_add(&l, NULL);
    st = hand_over(j, a, own.path, list, n, diag);
    st = st ? st : helper_run(j->q.helper, l.word, (ProcessLimits){LIMIT_S, own.path}, diag);
    st = st ? st : read_scores(j, scores, runs, ret, diag);
    process_temp_folder_remove(&own);
    return st;
}

static Status score_metric(SliceMetric *j, Arena *a, const OutputTransform *before,
                           const OutputTransform *after, size_t noutput, Scores *to, Diag *diag)
{
    size_t runs = before[0].runs;
    double *changed = ARENA_ARRAY(a, double, runs + 1);
    Status st = STATUS_OK;
    if (!j->before) {
        double *own = ARENA_ARRAY(j->a, double, runs + 1);
        st = run_metric(j, a, before, noutput, runs, own, diag);
        j->before = st ? NULL : own;
    }
    st = st ? st : run_metric(j, a, after, noutput, runs, changed, diag);
    for (size_t i = 0; i < runs && !st; i++)
        scores_add(to, j->before[i], changed[i]);
    return st;
}

Status metric_score_slice(SliceMetric *j, Arena *a, const OutputTransform *before,
                          const OutputTransform *after, size_t noutput, Scores *to, Diag *diag)
{
    assert(before && after && to && noutput > 0);
    if (j->kind == SCORES_METRIC)
        return score_metric(j, a, before, after, noutput, to, diag);
    if (j->kind == SCORES_MAP)
        return score_annotated_images(j, before, after, to, diag);
    (j->kind == SCORES_TOP1 ? score_classes : score_boxes)(j, a, before, after, to);
    return STATUS_OK;
}
