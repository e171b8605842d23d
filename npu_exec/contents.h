/* npu_exec/ simulates a run of a program with discrete events; verification measures with it.
 * Folders, bottom up: sim/ conv/ values/ data/ session/; silicon/ holds the parameters.
 *
 * exec_main: Loads, compiles, runs and reports; no other file of npu-exec prints or exits. */
