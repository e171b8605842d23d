/* Reports what the trace does not prove, and by how much. */
#include "passes/pass.h"
#include "cost_model/evidence_grade.h"
#include "passes/messages.h"

/* Time of an inference that not even hand-offs and launches explain: more than this share of it
 * caps what any advice can gain (a tenth: assumed; rule NPU904 speaks of it). */
#define UNEXPLAINED_MAX 0.1

static void add_issue(FindingList *out, const EvidenceIssue *x)
{
    Finding *f = finding_add(out, "evidence");
    finding_text(out, f, "code", x->code);
    finding_text(out, f, "about", evidence_about_name(x->about));
    double digits = x->observed < 2 ? 100 : 10; /* ratios have two places */
    finding_real(out, f, "observed", round(x->observed * digits) / digits);
    finding_text(out, f, "bound", x->at_least ? "at least" : "at most");
    finding_real(out, f, "threshold", round(x->threshold * digits) / digits);
    finding_message(out, f, "unit", MESSAGE(out->arena, arg_message_id(x->unit)));
    finding_message(out, f, "text", x->said);
}

static void add_unexplained(const PassInput *in, FindingList *out)
{
    double rest = in->time->unattributed_ns.mid, all = in->time->latency_ns.mid;
    double share = all > 0 ? rest / all : 0;
    if (share <= UNEXPLAINED_MAX)
        return;
    EvidenceIssue x = {.code = "unexplained",
                       .about = ABOUT_ATTRIBUTION,
                       .observed = 100 * share,
                       .threshold = 100 * UNEXPLAINED_MAX,
                       .unit = &message_PERCENT_OF_TIME};
    x.said =
        MESSAGE(out->arena, MESSAGE_ID(TIME_UNEXPLAINED), arg_fixed(x.observed, 0), arg_time(rest));
    add_issue(out, &x);
}

void pass_evidence(const PassInput *in, FindingList *out)
{
    const Reconciliation *r = in->rec;
    if (!r)
        return;
    for (size_t i = 0; i < r->nissue; i++)
        add_issue(out, &r->issue[i]);
    if (r->inferences && r->stats->lanes <= 1) /* requests that wait for each other explain it */
        add_unexplained(in, out);
}
