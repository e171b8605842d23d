/* Handles the events of tasks on the NPU. */
#pragma once

#include "npu_exec/sim/sim_state.h"

/* Puts the job's task into the queue of its lane. */
void npu_submit(Sim *s, uint32_t job);
/* Handlers of the events of a lane or a channel. */
void npu_engine(Sim *s, uint32_t lane, Engine e);
void npu_launched(Sim *s, uint32_t lane);
void npu_recurred(Sim *s, uint32_t lane);
void npu_dram(Sim *s, uint32_t device, uint32_t generation);
/* The same; returns the job whose stage is over with its task. */
uint32_t npu_committed(Sim *s, uint32_t lane);
