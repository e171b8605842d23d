/* npu_exec/sim/: engines, queues and events, in picoseconds.
 *
 * convert.h convert.c: Conversions between the application's tensors and the NPU's: numbers, and
 *     places
 * devices.h devices.c: Devices: which PEs a run may use, in the vendor's words
 * dram.h dram.c: Dram: the memory channel of one device, shared by its PEs
 * event.h event.c: EventHeap: what happens next
 * geometry.h geometry.c: Geometry: how many steps a slice does, derived from shapes and the
 *     machine alone
 * host.h host.c: RunPlan: one inference as the runtime processes it: stages in order, each on one
 *     resource
 * memory_flow.h memory_flow.c: MemoryFlow: SRAM over one inference as a drawing, time from left
 *     to right, addresses upwards
 * noise.h noise.c: Noise: multiplicative, lognormal, from integer tables, so that one seed gives
 *     the same bytes on every platform
 * npu.c: Tasks on PEs: queue, launch, engines, commit
 * ps.h: Ps: simulated time in integer picoseconds, and arithmetic that saturates instead of
 *     wrapping
 * queue.h queue.c: Queues: a bounded FIFO of ids, and a station of equal servers with one queue
 *     in front
 * real_host.h real_host.c: RealHost: the conversions of a plan, done on this machine and measured
 * recurrence.c: Streams as a recurrence: the rules of engine.h, block by block, without a heap
 * run_stats.h run_stats.c: The figures of a run, as furiosa-bench prints them, and as its JSON
 * silicon.h silicon.c silicon.def: Silicon: the constants of the simulated chip and host, read
 *     from npu_exec/silicon/NAME.xml
 * sim.h sim.c: Sim: requests through the runtime and the NPU, as discrete events in integer
 *     picoseconds
 * sim_application.c: The application: what it does before it asks and after it was answered
 * sim_messages.h: What preparing a run says
 * sim_setup.c: A simulation before its first event, and its figures
 * sim_state.h: The state of a running simulation, shared by sim_setup.c, sim.c (requests and
 *     workers), sim_time.c (what the host's parts take) and npu.c (tasks)
 * sim_time.c: How long the host's parts take: noise, warm-up, profiler, preemption
 * stream.h stream.c: Stream: one NPU task on the engines of one PE, or of two PEs fused
 * task_plan.h task_plan.c: TaskPlan: what one NPU task asks of the engines of the PEs it runs on,
 *     in integer picoseconds
 * transpose_row.h transpose_row.c: Turning a line of pixels, channels side by side, into rows,
 *     one per channel, and back: bytes
 * vectorise.h: Loops that the compiler vectorises, once for any machine, once for AVX2 and once
 *     for AVX-512, chosen at run time */
