/* Reports the application's own work around each inference, and the part that changes the layout
 * of images. */
#include "passes/pass.h"
#include "cost_model/costs.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/predict.h"
#include "cost_model/queueing.h"
#include "passes/pixels.h"

/* Comes about once per inference; a label around all of them is of another kind. */
static bool is_of_requests(const TraceStats *s, const NameStat *x)
{
    return x->kind == SPAN_LABEL && 2 * x->count >= s->ninference && x->count <= 2 * s->ninference;
}

/* Says that it turns channels, as hwc2chw or to_nchw. */
static bool names_transpose(const NameStat *x)
{
    return strcasestr(x->name, "transpose") || strcasestr(x->name, "permute") ||
           strcasestr(x->name, "chw");
}

/* A user label that says so, else one "pre…"; NULL without one. */
static const NameStat *label_before(const TraceStats *s)
{
    const NameStat *x = s->other_name;
    const NameStat *turns =
        LIST_FIND(i, x, s->nother_name, is_of_requests(s, &x[i]) && names_transpose(&x[i]));
    return turns ? turns
                 : LIST_FIND(i, x, s->nother_name,
                             is_of_requests(s, &x[i]) && strncasecmp(x[i].name, "pre", 3) == 0);
}

/* Least time of a Transpose of the input on a host, by the same law as an operator of the model. */
static double transpose_ns(const PassInput *in, const Tensor *t)
{
    int64_t elements = shape_elements(&t->shape), bytes = dtype_bytes(t->dtype, elements);
    Step s = {.kind = STEP_HOST,
              .host_op = HOST_OPERATOR,
              .op = "Transpose",
              .from = t->dtype,
              .to = t->dtype,
              .elements = elements,
              .bytes_in = bytes,
              .bytes_out = bytes,
              .known = true};
    const HostCost *law =
        elements > 0 ? costs_for_host(in->costs, in->program->options.sdk, &s) : NULL;
    return law ? costs_host_ns(law, &s).lo : 0;
}

/* Threads that keep up with the busiest of the other stations. */
static int threads_for(const QueueDemand *d)
{
    QueueDemand others = *d;
    others.application_ns = 0;
    double need = ceil(d->application_ns * queueing_ceiling(&others) / 1e9 - 1e-9);
    return need < 1 ? 1 : need > d->host_servers ? d->host_servers : (int)need;
}

static void own_work(const PassInput *in, FindingList *out)
{
    if (!in->rec || evidence_is_foreign(in->rec) || !(in->time->application_ns > 0))
        return;
    QueueDemand d = predict_demand(in->program, in->run, in->time);
    const Application *x = &in->rec->stats->application;
    Finding *f = finding_add(out, "own-work");
    finding_text(out, f, "label", x->label);
    finding_int(out, f, "time-ns", (int64_t)d.application_ns);
    finding_int(out, f, "threads", (int64_t)x->threads);
    finding_int(out, f, "enough", threads_for(&d));
    finding_text(out, f, "blocks", x->blocks ? "yes" : "no");
    finding_text(out, f, "limits",
                 strcmp(queueing_bottleneck(&d), "application") == 0 ? "yes" : "no");
}

/* With several inputs, it is unknown which of them the label is about. */
static void before_run(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const Graph *g = p->model->graph;
    const NameStat *label = in->rec ? label_before(in->rec->stats) : NULL;
    if (!label || g->ninput != 1)
        return;
    const Tensor *t = &g->tensor[g->input[0]];
    double all = (double)label->median_ns,
           transpose = names_transpose(label) ? all : transpose_ns(in, t);
    Finding *f = finding_add(out, "before-run");
    f->tensor = g->input[0];
    finding_text(out, f, "label", label->name);
    finding_int(out, f, "index", 0);
    finding_text(out, f, "layout", pixels_input_layout(g, g->input[0]));
    finding_text(out, f, "permuted",
                 p->options.npermute && p->options.permute[0].rank ? "yes" : "no");
    finding_int(out, f, "time-ns", label->median_ns);
    finding_int(out, f, "transpose-ns", (int64_t)(transpose < all ? transpose : all));
}

void pass_application(const PassInput *in, FindingList *out)
{
    own_work(in, out);
    before_run(in, out);
}
