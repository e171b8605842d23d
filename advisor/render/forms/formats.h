/* Declares the table of machine-readable outputs (formats.xml). */
#pragma once

#include "advisor/render/forms/out.h"
#include "graph/options/option.h"

typedef struct {
    const char *name;
    OptionId option; /* that writes it to a file; OPTION_NONE: none does */
    size_t most;     /* models in one file; 0: any number */
    OutputWriter *write;
} OutputFormat;

/* NULL-named at the end. */
extern const OutputFormat output_format_table[];
