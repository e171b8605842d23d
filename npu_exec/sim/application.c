/* The application: what it does before it asks and after it was answered. */
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

static void tell(const Sim *s, ApplicationWork what, uint32_t caller, uint64_t request, Ps ns)
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
    tell(s, APPLICATION_BEFORE, caller, s->o.blocking ? s->job[caller].request : s->arrived,
         s->o.submit);
    if (s->o.blocking) {
        sim_begin_request(s, caller);
        return;
    }
    s->preparing = false;
    s->arrived++;
    (void)sim_take_idle(s);
    application_prepare(s);
}

/* ---- after ---- */

static void receive(Sim *s)
{
    s->receiving = true;
    event_put(&s->heap, s->heap.now + s->o.receive, 0, EVENT_RECEIVED, 0);
}

/* Hands the worker's result over, or to the output queue while the application is busy. */
static void queue_result(Sim *s, uint32_t worker)
{
    if (s->receiving && s->results == s->o.output_queue) {
        s->result.output_blocked++;
        (void)fifo_put(&s->blocked, worker); /* as many places as workers */
        return;
    }
    if (s->receiving)
        s->results++;
    else
        receive(s);
    if (s->results > s->result.output_longest)
        s->result.output_longest = s->results;
    sim_free_worker(s, worker);
}

void application_deliver(Sim *s, uint32_t worker)
{
    if (s->o.receive == 0)
        sim_free_worker(s, worker);
    else if (s->o.blocking)
        event_put(&s->heap, s->heap.now + s->o.receive, 0, EVENT_RECEIVED, worker);
    else
        queue_result(s, worker);
}

void application_received(Sim *s, uint32_t caller)
{
    tell(s, APPLICATION_AFTER, caller, s->received++, s->o.receive);
    if (s->o.blocking) {
        sim_free_worker(s, caller);
        return;
    }
    s->receiving = false;
    if (s->results == 0)
        return;
    s->results--;
    receive(s);
    uint32_t worker = fifo_take(&s->blocked);
    if (worker != ID_NONE) {
        s->results++;
        sim_free_worker(s, worker);
    }
}
