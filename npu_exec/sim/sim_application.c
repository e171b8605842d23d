/* Simulates what the application does before a request and after its result. */
#include "npu_exec/sim/sim_state.h"

bool application_asks(const Sim *s, uint64_t asked)
{
    bool over = s->o.duration > 0 && s->taken > s->o.warmup &&
                s->heap.now - s->first_begin >= s->o.duration;
    return asked < s->total && !over;
}

bool application_queues(const Sim *s)
{
    return s->o.arrivals == ARRIVALS_CLOSED && s->o.submit > 0 && !s->o.blocking;
}

static void record_application(const Sim *s, ApplicationWork what, uint32_t caller,
                               uint64_t request, Ps ns)
{
    if (s->sink.application && request >= s->o.warmup)
        s->sink.application(s->sink.user, what, caller, s->heap.now - ns, s->heap.now);
}

/* ---- before ---- */

void application_prepare(Sim *s)
{
    if (!application_queues(s) || s->preparing || s->arrived - s->taken >= s->o.input_queue ||
        !application_asks(s, s->arrived))
        return;
    s->preparing = true;
    event_put(&s->heap, s->heap.now + s->o.submit, 0, EVENT_PREPARED, 0);
}

bool application_holds(Sim *s, uint32_t worker)
{
    bool holds = s->o.blocking && s->o.submit > 0;
    if (holds)
        event_put(&s->heap, s->heap.now + s->o.submit, 0, EVENT_PREPARED, worker);
    return holds;
}

void application_prepared(Sim *s, uint32_t caller)
{
    record_application(s, APPLICATION_BEFORE, caller,
                       s->o.blocking ? s->job[caller].request : s->arrived, s->o.submit);
    if (s->o.blocking)
        return;
    s->preparing = false;
    s->arrived++;
}

/* ---- after ---- */

static void schedule_receive(Sim *s)
{
    s->receiving = true;
    event_put(&s->heap, s->heap.now + s->o.receive, 0, EVENT_RECEIVED, 0);
}

/* Hands the worker's result over, or to the output queue while the application is busy. */
static bool queue_result(Sim *s, uint32_t worker)
{
    if (s->receiving && s->results == s->o.output_queue) {
        s->result.output_blocked++;
        (void)fifo_put(&s->blocked, worker); /* as many places as workers */
        return false;
    }
    if (s->receiving)
        s->results++;
    else
        schedule_receive(s);
    if (s->results > s->result.output_longest)
        s->result.output_longest = s->results;
    return true;
}

bool application_takes(Sim *s, uint32_t worker)
{
    if (s->o.receive == 0)
        return true;
    if (!s->o.blocking)
        return queue_result(s, worker);
    event_put(&s->heap, s->heap.now + s->o.receive, 0, EVENT_RECEIVED, worker);
    return false;
}

uint32_t application_received(Sim *s, uint32_t caller)
{
    record_application(s, APPLICATION_AFTER, caller, s->received++, s->o.receive);
    if (s->o.blocking)
        return caller;
    s->receiving = false;
    if (s->results == 0)
        return ID_NONE;
    s->results--;
    schedule_receive(s);
    uint32_t worker = fifo_take(&s->blocked);
    s->results += worker != ID_NONE;
    return worker;
}
