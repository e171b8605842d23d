/* Reports whether the run compiles or loads programs, and whether while it serves. */
#include "passes/pass.h"

void pass_startup(const PassInput *in, FindingList *out)
{
    if (!in->rec || in->rec->stats->ninference == 0)
        return;
    const TraceStats *s = in->rec->stats;
    Finding *f = finding_add(out, "startup");
    finding_int(out, f, "compiles", (int64_t)s->ncompile);
    finding_int(out, f, "compile-ns", s->compile_ns);
    finding_int(out, f, "in-service", (int64_t)s->nservice_compile);
    finding_int(out, f, "in-service-ns", s->service_compile_ns);
}
