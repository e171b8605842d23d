/* Startup: does the run compile or load programs, and does it do so while it serves? */
#include "passes/pass.h"

const Pass pass_startup;

static void find_startup_compiles(const PassInput *in, FindingList *out)
{
    if (!in->rec || in->rec->stats->ninference == 0)
        return;
    const TraceStats *s = in->rec->stats;
    Finding *f = finding_add(out, &pass_startup, "startup");
    finding_int(out, f, "compiles", (int64_t)s->ncompile);
    finding_int(out, f, "compile-ns", s->compile_ns);
    finding_int(out, f, "in-service", (int64_t)s->nservice_compile);
    finding_int(out, f, "in-service-ns", s->service_compile_ns);
}

const Pass pass_startup = {
    .name = "startup",
    .asks = "does the run compile or load programs, and does it do so while it serves?",
    .run = find_startup_compiles,
};
