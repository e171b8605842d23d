/* Tells which PEs a run may use, from names as the vendor spells them. */
#pragma once

#include "graph/base/diag.h"

enum { SIM_MAX_DEVICES = 8, SIM_MAX_LANES = 16 };

/* A lane runs one program at a time: a PE, or all PEs of a card fused. */
typedef struct {
    uint32_t device, pe; /* pe: the (first) PE of the card */
} PePlace;

typedef struct {
    PePlace lane[SIM_MAX_LANES];
    uint32_t nlane;
    uint32_t ndevice; /* cards: the highest one used, and those below */
} DeviceSet;

/* `text`: a number of cards, all of whose PEs are used ("2"); "NAME(1)*3" or "NAME(2)*1" of the
 * `target` (PEs per lane, how many lanes); or a comma list of "npu:0:1", "npu:0:0-1", "npu0pe0",
 * "npu0pe0-1". `pe` is how many PEs a lane of the compiled program takes, `pe_count` how many a
 * card has. STATUS_USAGE for what cannot be read, does not fit the program, or names a PE twice. */
Status devices_parse(const char *text, const char *target, uint32_t pe, uint32_t pe_count,
                     DeviceSet *ret, Diag *diag);
