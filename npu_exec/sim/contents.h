/* npu_exec/sim/ simulates engines, queues and events in picoseconds.
 *
 * convert: Converts between the application's tensors and the NPU's, in type and layout.
 * devices: Tells which PEs a run may use, from names as the vendor spells them.
 * dram: Simulates the memory channel of one device, which its PEs share.
 * event: Orders the events of a simulation by time, priority and sequence.
 * geometry: Counts the steps of a slice from shapes and the machine alone.
 * host: Plans one inference as stages in order, each on one resource.
 * memory_flow: Draws SRAM over one inference, time from left to right, addresses upwards.
 * noise: Draws multiplicative lognormal noise that is the same on every platform for one seed.
 * npu: Handles the events of tasks on the NPU.
 * ps: Declares simulated time in integer picoseconds, with arithmetic that saturates.
 * queue: Declares a bounded FIFO of ids, and a station of equal servers with one queue.
 * real_host: Measures the conversions of a plan on this machine instead of simulating them.
 * recurrence: Computes when the entries of a task retire, without events.
 * run_stats: Reports the figures of a run as furiosa-bench prints them, and as JSON.
 * silicon: Declares the constants of the simulated chip and host (npu_exec/silicon/NAME.xml).
 * sim: Simulates requests through the runtime and the NPU, as discrete events in picoseconds.
 * sim_application: Simulates what the application does before a request and after its result.
 * sim_setup: Builds a simulation before its first event, and reads its figures.
 * sim_state: Holds the state of a running simulation for sim.c, sim_setup.c, sim_application.c,
 *     sim_time.c and npu.c.
 * sim_time: Computes the times of the host's parts, with noise, warm-up, profiler and preemption.
 * stream: Simulates one NPU task on the engines of one PE, or of two fused PEs.
 * task_plan: Declares what one NPU task asks of the engines of its PEs, in integer picoseconds.
 * transpose_row: Transposes a line of pixels into rows of one channel each, and back, in bytes.
 * vectorise: Compiles a loop for any machine, AVX2 and AVX-512, and chooses at run time. */
