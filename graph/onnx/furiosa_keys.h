/* Reads and writes the keys with which the quantizer of Furiosa's SDK 0.10 describes a quantized
 * model.
 *
 * The nodes of such a file are the float ones.  metadata_props holds (the vendor's spelling):
 *   FurisoaAI.CalibrationResult   YAML: each tensor's name, with the list of its least and greatest
 *                                 number; names that are no tensor of the graph can be among them
 *   FurisoaAI.WithoutQuantize     inputs that take uint8: "0", "0,1"; absent: none
 *   FurisoaAI.WithoutDequantize   outputs in 8 bits: "[(0,I8,None),(1,U8,Some((0.0,1.0)))]";
 * absent: none Source: files that furiosa-quantizer 0.10.1 wrote. */
#pragma once

#include "graph/model/stored_ranges.h"

/* Sets m->stored_ranges by m->metadata where one of these keys is there.  STATUS_INPUT, with the
 * key and the place, for a value that does not follow its form, an index that the graph has not,
 * and a range that is none (not a number, min > max).  A key of the same family that is not known,
 * and names that are no tensor, are noted. */
Status furiosa_keys_read(Model *m, Diag *diag);

/* A key of that family: the writer of a calibrated model leaves the file's own out. */
bool furiosa_keys_has(const char *key);

/* The keys of a calibrated model as its graph is now: ranges of the tensors that it has, and its
 * inputs and outputs by their numbers.  In `a`. */
const Metadata *furiosa_keys_write(Arena *a, const Model *m, size_t *ret_count);
