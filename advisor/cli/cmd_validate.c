/* Implements `npu-advise validate`, which compares the cost model with real chips. */
#include "advisor/cli/progress.h"
#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/message/text_out.h"
#include "advisor/report/result_json.h"
#include "advisor/validation/validate.h"
#include "advisor/message/json.h"
#include "cost_model/costs.h"
#include "graph/compile/options.h"

/* ---- text ---- */

static void print_point(const PhraseOut *to, const PointOutcome *o, bool every)
{
    FILE *out = to->out;
    const PublishedPoint *p = o->point;
    Figure measured, predicted;
    TargetText target;
    fprintf(out, "%-12.12s %-10s %2lld %-13.13s ", p->model, target_text(&target, p->target, p->pe),
            (long long)p->batch, p->table ? p->op : p->metric);
    plain_put_right(out, figure_time(&measured, p->measured_ns), 8);
    putc(' ', out);
    if (!o->known) {
        fprintf(out, "%s\n", o->missing ? o->missing : phrase_text(to->lang, PHRASE_NOT_PREDICTED));
        return;
    }
    Interval v = o->predicted_ns;
    bool inside = v.lo <= p->measured_ns && p->measured_ns <= v.hi;
    size_t columns = plain_width(figure_interval(&predicted, v.lo, v.mid, v.hi, "ns"));
    plain_put(out, predicted.text, columns < 21 ? 21 : columns);
    fprintf(out, "%+5.0f %%%s", 100 * (v.mid / p->measured_ns - 1), inside ? "" : " *");
    if (o->has_other && every)
        PHRASE_PUT(to, phrase_arg(PHRASE_VALIDATE_OTHER),
                   arg_text(target_text(&target, p->target, 3 - p->pe)), arg_time(o->other_ns.mid));
    fputc('\n', out);
}

static double point_error(const PointOutcome *o)
{
    return o->known ? fabs(log(o->predicted_ns.mid / o->point->measured_ns)) : -1;
}

ORDER_BY_POINTED(by_error, PointOutcome, COMPARE(point_error(b), point_error(a)),
                 COMPARE(a->point, b->point))

/* The worst first. */
static void print_points(const PhraseOut *o, const Validation *v, bool every)
{
    enum { SHOWN = 12 };
    const PointOutcome **worst = ARENA_ARRAY(o->arena, const PointOutcome *, v->noutcome + 1);
    size_t shown = every || v->noutcome < SHOWN ? v->noutcome : SHOWN;
    for (size_t i = 0; i < v->noutcome; i++)
        worst[i] = &v->outcome[i];
    ORDER_LIST(worst, v->noutcome, by_error);
    putc('\n', o->out);
    PHRASE_LINE(o, phrase_arg(PHRASE_VALIDATE_POINTS));
    for (size_t i = 0; i < shown; i++)
        print_point(o, worst[i], every);
    PHRASE_PUT(o, phrase_arg(PHRASE_VALIDATE_OUTSIDE));
    if (shown < v->noutcome)
        PHRASE_PUT(o, phrase_arg(PHRASE_VALIDATE_MORE), arg_size((v->noutcome - shown)));
    putc('\n', o->out);
}

static void print_groups(const PhraseOut *o, const Validation *v)
{
    FILE *out = o->out;
    PHRASE_LINE(o, phrase_arg(PHRASE_VALIDATE_GROUPS));
    for (size_t i = 0; i < v->ngroup; i++) {
        const PointGroup *g = &v->group[i];
        fprintf(out, "%-20s %4zu %8.1f %% %8.1f %% %8.0f %% %9.3f", g->name, g->score.n,
                100 * g->score.mean_abs_error, 100 * g->score.median_abs_error,
                100 * g->score.interval_coverage, g->score.spearman);
        if (g->physical.n)
            fprintf(out, " %8.1f %%", 100 * g->physical.mean_abs_error);
        putc('\n', out);
    }
}

static MessageArg percent_arg(double share)
{
    return arg_fixed(100 * share, 1);
}

/* A sentence, wrapped. */
#define FIT_LINE(o, ...)                                                                           \
    text_paragraph(&(TextOut){.out = (o)->out, .lang = (o)->lang}, (TextPlace){0, 2}, STYLE_NONE,  \
                   message_format((o)->arena, (o)->lang, MESSAGE((o)->arena, __VA_ARGS__)))

static void print_fit(const PhraseOut *o, const Validation *v, const char *hold_out)
{
    const FitReport *f = &v->fit;
    const Score *one = &f->left_out, *family = &f->families.all;
    putc('\n', o->out);
    if (hold_out && f->held.n)
        FIT_LINE(o, phrase_arg(PHRASE_FIT_HELD_OUT), arg_text(hold_out), arg_size(f->held.n),
                 percent_arg(f->held.mean_abs_error), percent_arg(f->held.median_abs_error));
    FIT_LINE(o, phrase_arg(PHRASE_FIT_IN_SAMPLE), arg_size(one->n),
             percent_arg(f->in_sample.mean_abs_error), percent_arg(f->physical.mean_abs_error),
             arg_size(f->npair), percent_arg(f->pair_mean_error), arg_size(f->wrong_side));
    FIT_LINE(o, phrase_arg(PHRASE_FIT_POINTS), percent_arg(one->mean_abs_error),
             percent_arg(one->median_abs_error), arg_fixed(100 * one->interval_coverage, 0),
             arg_fixed(one->median_width, 2), arg_fixed(one->spearman, 3));
    FIT_LINE(o, phrase_arg(PHRASE_FIT_FAMILIES), percent_arg(family->mean_abs_error),
             percent_arg(family->median_abs_error), arg_fixed(100 * family->interval_coverage, 0),
             arg_fixed(family->median_width, 2));
}

/* The errors by metric, then the points that are furthest off. */
static void print_text(Context *c, const Args *args, const Validation *v)
{
    const PhraseOut o = {c->out, c->language, c->arena};
    print_groups(&o, v);
    if (v->has_fit)
        print_fit(&o, v, args_text(args, OPTION_HOLD_OUT, NULL));
    print_points(&o, v, args_flag(args, OPTION_VERBOSE));
}

/* ---- JSON ---- */

static cJSON *json_of_interval(Interval v)
{
    return result_interval_to_json(&(ResultInterval){v.lo, v.mid, v.hi});
}

static void add_score(cJSON *o, const Score *s)
{
    cJSON_AddNumberToObject(o, "n", (double)s->n);
    cJSON_AddNumberToObject(o, "mean_abs_error", s->mean_abs_error);
    cJSON_AddNumberToObject(o, "median_abs_error", s->median_abs_error);
    cJSON_AddNumberToObject(o, "interval_coverage", s->interval_coverage);
    cJSON_AddNumberToObject(o, "median_width", s->median_width);
    cJSON_AddNumberToObject(o, "spearman", s->spearman);
}

static cJSON *json_of_point(const Validation *v, size_t i)
{
    assert(i < v->noutcome);
    const PointOutcome *out = &v->outcome[i];
    const PublishedPoint *p = out->point;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", p->model);
    cJSON_AddStringToObject(o, "flags", p->flags);
    TargetText target;
    cJSON_AddStringToObject(o, "target", target_text(&target, p->target, p->pe));
    cJSON_AddNumberToObject(o, "batch", (double)p->batch);
    cJSON_AddStringToObject(o, "metric", p->metric);
    if (p->op)
        cJSON_AddStringToObject(o, "operator", p->op);
    if (p->round)
        cJSON_AddStringToObject(o, "scenario", p->round);
    cJSON_AddNumberToObject(o, "measured_ns", p->measured_ns);
    if (!out->known) {
        cJSON_AddNullToObject(o, "predicted_ns");
        cJSON_AddNullToObject(o, "error");
        cJSON_AddStringToObject(o, "reason",
                                out->missing ? "the model file is not there"
                                             : "nothing that the model predicts");
        return o;
    }
    cJSON_AddItemToObject(o, "predicted_ns", json_of_interval(out->predicted_ns));
    cJSON_AddNumberToObject(o, "error", out->predicted_ns.mid / p->measured_ns - 1);
    if (out->has_other)
        cJSON_AddItemToObject(o, "other_target_ns", json_of_interval(out->other_ns));
    if (v->has_fit && v->fit.left_out_ns[i] > 0)
        cJSON_AddNumberToObject(o, "left_out_ns", v->fit.left_out_ns[i]);
    if (v->has_fit && v->fit.family_out_ns[i].mid > 0)
        cJSON_AddItemToObject(o, "family_out_ns", json_of_interval(v->fit.family_out_ns[i]));
    cJSON_AddStringToObject(o, "source", p->source);
    return o;
}

static cJSON *json_of_group(const PointGroup *g)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "metric", g->name);
    add_score(o, &g->score);
    if (g->physical.n)
        cJSON_AddNumberToObject(o, "physical_mean_abs_error", g->physical.mean_abs_error);
    return o;
}

static cJSON *json_of_families(const FamilyReport *f)
{
    cJSON *o = cJSON_CreateObject();
    add_score(o, &f->all);
    cJSON_AddNumberToObject(o, "width_needed", f->width);
    cJSON *list = cJSON_AddArrayToObject(o, "groups");
    for (size_t i = 0; i < f->nfamily; i++) {
        cJSON *row = json_add_row(list);
        json_add_text(row, "family", f->family[i].name);
        cJSON_AddStringToObject(row, "first_model", f->family[i].first_model);
        add_score(row, &f->family[i].score);
        cJSON_AddNumberToObject(row, "width_of_the_others", f->family[i].width);
    }
    return o;
}

static cJSON *json_of_fit(const FitReport *f)
{
    cJSON *o = cJSON_CreateObject();
    add_score(cJSON_AddObjectToObject(o, "leave_one_out"), &f->left_out);
    cJSON_AddItemToObject(o, "leave_family_out", json_of_families(&f->families));
    add_score(cJSON_AddObjectToObject(o, "in_sample"), &f->in_sample);
    add_score(cJSON_AddObjectToObject(o, "physical"), &f->physical);
    cJSON *pairs = cJSON_AddObjectToObject(o, "single_to_fused");
    cJSON_AddNumberToObject(pairs, "n", (double)f->npair);
    cJSON_AddNumberToObject(pairs, "mean_abs_error", f->pair_mean_error);
    cJSON_AddNumberToObject(pairs, "wrong_side_of_2", (double)f->wrong_side);
    if (f->held.n)
        add_score(cJSON_AddObjectToObject(o, "held_out"), &f->held);
    cJSON *list = cJSON_AddArrayToObject(o, "figures");
    for (size_t i = 0; i < f->nfigure; i++) {
        cJSON *row = json_add_row(list);
        cJSON_AddStringToObject(row, "name", f->figure[i].info->name);
        cJSON_AddStringToObject(row, "unit", f->figure[i].info->unit);
        cJSON_AddItemToObject(row, "file", json_of_interval(f->figure[i].file));
        cJSON_AddNumberToObject(row, "fitted", f->figure[i].fitted);
        cJSON_AddNumberToObject(row, "leave_one_out_without", f->figure[i].mean_without);
    }
    return o;
}

static cJSON *json_of(const Validation *v)
{
    cJSON *root = cJSON_CreateObject();
    cJSON *points = cJSON_AddArrayToObject(root, "points");
    for (size_t i = 0; i < v->noutcome; i++)
        cJSON_AddItemToArray(points, json_of_point(v, i));
    cJSON *groups = cJSON_AddArrayToObject(root, "groups");
    for (size_t i = 0; i < v->ngroup; i++)
        cJSON_AddItemToArray(groups, json_of_group(&v->group[i]));
    cJSON_AddItemToObject(root, "fit", v->has_fit ? json_of_fit(&v->fit) : cJSON_CreateNull());
    return root;
}

/* ---- command ---- */

static void note_left_out(Context *c, const Validation *v)
{
    size_t missing = 0;
    const char *first = NULL;
    for (size_t i = 0; i < v->noutcome; i++) {
        if (!v->outcome[i].missing)
            continue;
        first = first ? first : v->outcome[i].missing;
        missing++;
    }
    if (missing)
        notes_add(c->notes, "missing-models", phrase_arg(PHRASE_NOTE_MISSING_MODELS),
                  arg_size(missing), arg_text(first));
    if (v->ndisturbed)
        notes_add(c->notes, "disturbed-rows", phrase_arg(PHRASE_NOTE_DISTURBED_ROWS),
                  arg_size(v->ndisturbed));
}

Status cmd_validate(Context *c, const Args *args)
{
    Progress progress = progress_of(c, args, PHRASE_PROGRESS_POINTS);
    ValidateRequest q = {.points_path = args_text(args, OPTION_POINTS, NULL),
                         .models_dir = args_text(args, OPTION_MODELS, NULL),
                         .calibration = args_text(args, OPTION_CALIBRATION, NULL),
                         .hold_out = args_text(args, OPTION_HOLD_OUT, NULL),
                         .progress = progress_show,
                         .user = &progress};
    q.targets.folder = args_all(c->arena, args, OPTION_RULES, &q.targets.n);
    Status st = args_positional(args, 0, 0, "no argument", c->diag);
    if (st)
        return st;
    if (!q.points_path || !q.models_dir)
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "validate needs --points FILE and --models DIR");
    Validation v;
    if ((st = validate(c->arena, &q, &v, c->diag)))
        return st;
    note_left_out(c, &v);
    const char *json = args_text(args, OPTION_JSON, NULL),
               *table = args_text(args, OPTION_MARKDOWN, NULL);
    if ((!json || strcmp(json, "-") != 0) && (!table || strcmp(table, "-") != 0))
        print_text(c, args, &v);
    if (table && (st = validate_table(c->arena, &v, table, c->out, c->diag)))
        return st;
    if (json) {
        cJSON *root = json_of(&v);
        st = json_save(root, json, c->out, c->diag);
        cJSON_Delete(root);
    }
    if (!v.ngroup)
        c->exit_code = 3;
    return st;
}
