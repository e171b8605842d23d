/* npu_exec/: the instrument that verification measures with: a run of a program, by discrete-event
 * simulation. Rooms, bottom up: sim/ values/ data/ session/; silicon/ holds its parameters.
 *
 * exec_main.c: npu-exec: load, compile, run, report */
