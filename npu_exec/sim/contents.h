/* npu_exec/sim/ simulates engines, queues and events in picoseconds.
 *
 * convert.h convert.c: Converts between the application's tensors and the NPU's, in type and
 *     layout.
 * devices.h devices.c: Tells which PEs a run may use, from names as the vendor spells them.
 * dram.h dram.c: Simulates the memory channel of one device, which its PEs share.
 * event.h event.c: Orders the events of a simulation by time, priority and sequence.
 * geometry.h geometry.c: Counts the steps of a slice from shapes and the machine alone.
 * host.h host.c: Plans one inference as stages in order, each on one resource.
 * memory_flow.h memory_flow.c: Draws SRAM over one inference, time from left to right,
 *     addresses upwards.
 * noise.h noise.c: Draws multiplicative lognormal noise that is the same on every platform for
 *     one seed.
 * npu.h npu.c: Handles the events of tasks on the NPU.
 * ps.h: Declares simulated time in integer picoseconds, with arithmetic that saturates.
 * queue.h queue.c: Declares a bounded FIFO of ids, and a station of equal servers with one
 *     queue.
 * real_host.h real_host.c: Measures the conversions of a plan on this machine instead of
 *     simulating them.
 * recurrence.h recurrence.c: Computes when the entries of a task retire, without events.
 * run_stats.h run_stats.c: Reports the figures of a run as furiosa-bench prints them, and as
 *     JSON.
 * silicon.h silicon.c silicon.def: Declares the constants of the simulated chip and host, read
 *     from npu_exec/silicon/NAME.xml.
 * sim.h sim.c: Simulates requests through the runtime and the NPU, as discrete events in
 *     integer picoseconds.
 * sim_application.c: Simulates what the application does before a request and after its result.
 * sim_messages.h: Declares the messages of preparing a run.
 * sim_setup.c: Builds a simulation before its first event, and reads its figures.
 * sim_state.h: Holds the state of a running simulation for sim.c, sim_setup.c,
 *     sim_application.c, sim_time.c and npu.c.
 * sim_time.c: Computes the times of the host's parts, with noise, warm-up, profiler and
 *     preemption.
 * stream.h stream.c: Simulates one NPU task on the engines of one PE, or of two fused PEs.
 * task_plan.h task_plan.c: Declares what one NPU task asks of the engines of its PEs, in
 *     integer picoseconds.
 * transpose_row.h transpose_row.c: Transposes a line of pixels into rows of one channel each,
 *     and back, in bytes.
 * vectorise.h: Compiles a loop for any machine, AVX2 and AVX-512, and chooses at run time. */
