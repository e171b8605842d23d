/* Computes times of the host and the link from calls, rows, elements and cache lines. */
#include "npu_exec/sim/host.h"
#include "npu_exec/sim/messages.h"
#include "trace/readers/span.h"
#include "graph/compile/options.h"

enum { CACHE_LINE_BYTES = 64, MILLI = 1000, FS_PER_PS = 1000 };

static int64_t cache_lines(int64_t bytes)
{
    return i64_ceil_div(i64_max(bytes, 0), CACHE_LINE_BYTES);
}

/* Lines within the cache cost the operator's own price, those beyond the price of memory. Operators
 * of a type read in order, with their constants and windows, and have one price. */
static Ps lines_time(const Silicon *si, const SiliconHostCost *h, const Step *s)
{
    int64_t lines = i64_add(cache_lines(s->bytes_in), cache_lines(s->bytes_out));
    int64_t more = i64_add(cache_lines(s->weight_bytes), cache_lines(s->gathered_bytes));
    if (h->type)
        return i64_add(i64_mul(i64_add(lines, more), h->line),
                       i64_mul(cache_lines(s->bytes_out), h->out_line));
    int64_t near = i64_min(lines, si->cache_bytes / MILLI / CACHE_LINE_BYTES);
    return i64_add(i64_mul(near, h->line), i64_mul(lines - near, si->far_line));
}

/* Contiguous runs that a layout change copies one by one: rows of the lowered or padded side. */
static int64_t copied_rows(const Program *p, const Step *s)
{
    bool changes_layout = s->host_op == HOST_LOWER || s->host_op == HOST_UNLOWER ||
                          s->host_op == HOST_PAD || s->host_op == HOST_SLICE;
    if (!changes_layout || s->ninput == 0)
        return s->rows;
    const PTensor *t = &p->tensor[s->input[0]];
    return i64_mul(i64_mul(i64_max(t->n, 1), i64_max(t->c, 1)), i64_max(t->h, 1));
}

/* *ret_sigma_ppm: its scatter.  False when the time is not known: the nominal one. */
static bool host_step_time(const Silicon *si, const Program *p, const Step *s, Ps *ret_time,
                           int64_t *ret_sigma_ppm)
{
    const SiliconHostCost *h = silicon_host_cost(si, p->options.sdk, s);
    if (!h || !s->known) {
        *ret_time = ps_service(i64_mul(si->unknown_operator, PS_PER_US / MILLI));
        *ret_sigma_ppm = h ? h->sigma_ppm : 0;
        return false;
    }
    Ps t = i64_mul(h->call, 1 + (int64_t)s->more_calls);
    t = i64_add(t, i64_mul(copied_rows(p, s), h->row));
    t = i64_add(t, lines_time(si, h, s));
    t = i64_add(t, i64_mul_div(i64_max(s->elements, 0), h->element_fs, FS_PER_PS));
    t = i64_add(t, i64_mul_div(i64_max(s->macs, 0), h->mac_fs, FS_PER_PS));
    *ret_time = ps_service(t);
    *ret_sigma_ppm = h->sigma_ppm;
    return true;
}

static Ps host_transfer_time(const Silicon *si, int64_t bytes)
{
    int64_t packets = i64_ceil_div(i64_mul(i64_max(bytes, 0), MILLI), si->pcie_packet_bytes);
    return ps_service(i64_mul(packets, si->pcie_packet)); /* thousandths of ns are ps */
}

static Ps micros_to_ps(int64_t milli_us)
{
    return i64_mul(milli_us, PS_PER_US / MILLI);
}

static void add_host(RunPlan *r, const Step *s, int32_t operator_index)
{
    Stage *g = &r->stage[r->nstage++];
    *g = (Stage){.kind = STAGE_HOST,
                 .name = s->op,
                 .step = s->id,
                 .operator_index = operator_index,
                 .handoff = true};
    g->known = host_step_time(r->silicon, r->program, s, &g->service, &g->sigma_ppm);
    r->nunknown += !g->known;
}

/* Transfers that follow each other in one direction are one request with several parts. */
static void add_transfer(RunPlan *r, const Step *s, bool write)
{
    const Silicon *si = r->silicon;
    StageKind kind = write ? STAGE_WRITE : STAGE_READ;
    bool next = r->nstage > 0 && r->stage[r->nstage - 1].kind == kind;
    int64_t setup = write ? si->pcie_setup_write : si->pcie_setup_read;
    r->stage[r->nstage++] =
        (Stage){.kind = kind,
                .name = write ? "WriteToDram" : "ReadFromDram",
                .step = s->id,
                .service = micros_to_ps(next ? si->pcie_setup_next : setup),
                .wire = host_transfer_time(si, write ? s->bytes_in : s->bytes_out),
                .sigma_ppm = si->io_sigma / MILLI,
                .operator_index = INDEX_NONE,
                .handoff = !next,
                .known = true};
}

static void add_task(Arena *a, RunPlan *r, const Step *s, Notes *notes)
{
    const Silicon *si = r->silicon;
    Stage submit = {.kind = STAGE_SUBMIT,
                    .name = "SendOperandTriple",
                    .step = s->id,
                    .service = micros_to_ps(si->submit),
                    .sigma_ppm = si->io_sigma / MILLI,
                    .operator_index = INDEX_NONE,
                    .handoff = true,
                    .known = true};
    Stage task = {.kind = STAGE_TASK,
                  .name = "Task",
                  .step = s->id,
                  .sigma_ppm = si->task_commit_sigma / MILLI,
                  .operator_index = INDEX_NONE,
                  .task = r->ntask,
                  .known = true};
    r->stage[r->nstage++] = submit;
    r->stage[r->nstage++] = task;
    r->task[r->ntask++] = task_plan(a, si, r->program, s, notes);
}

/* Noise key of the stage: its step, its kind, and its number among equal stages. */
static void set_noise_keys(Arena *a, RunPlan *r)
{
    StrMap seen;
    strmap_init(&seen, a, r->nstage);
    for (uint32_t i = 0; i < r->nstage; i++) {
        Stage *g = &r->stage[i];
        uint64_t key = step_key(r->program, &r->program->step[g->step]);
        const char *name = arena_printf(a, "%016llx%d", (unsigned long long)key, (int)g->kind);
        uint32_t equal = strmap_get(&seen, name);
        equal = equal == STRMAP_NONE ? 0 : equal + 1;
        strmap_put(&seen, name, equal);
        g->noise_key = strmap_hash_bytes(strmap_hash_string(HASH_SEED, name), &equal, sizeof equal);
    }
}

Status run_plan(Arena *a, const Silicon *si, const Program *p, const char *devices, Notes *notes,
                RunPlan **ret, Diag *diag)
{
    RunPlan *r = ARENA_NEW(a, RunPlan);
    Status st =
        devices_parse(devices ? devices : "1", p->machine->id, (uint32_t)p->options.pe,
                      (uint32_t)compile_options_pes(&p->options, p->machine), &r->devices, diag);
    if (st)
        return st;
    r->silicon = si;
    r->program = p;
    r->stage = ARENA_ARRAY(a, Stage, 2 * p->nstep);
    r->task = ARENA_ARRAY(a, TaskPlan *, p->nstep);
    int32_t operators = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (s->kind == STEP_HOST)
            add_host(r, s, operators++);
        else if (s->kind == STEP_NPU)
            add_task(a, r, s, notes);
        else
            add_transfer(r, s, s->kind == STEP_H2D);
    }
    if (r->nstage > 0)
        r->stage[0].handoff = false;
    set_noise_keys(a, r);
    Ps left = 0;
    for (uint32_t i = r->nstage; i-- > 0;)
        r->stage[i].host_left = left += r->stage[i].kind == STAGE_HOST ? r->stage[i].service : 0;
    if (r->nunknown > 0)
        notes_add(notes, "nominal-time", MESSAGE_ID(NOMINAL_TIME), arg_count(r->nunknown));
    *ret = r;
    return STATUS_OK;
}
