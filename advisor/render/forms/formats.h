/* Declares the table of machine-readable outputs (formats.def). */
#ifndef ADVISOR_RENDER_FORMS_FORMATS_H
#define ADVISOR_RENDER_FORMS_FORMATS_H

#include "advisor/render/forms/out.h"

typedef struct {
    const char *name;
    bool is_option;
    size_t most; /* models in one file; 0: any number */
    OutputWriter *write;
} OutputFormat;

/* NULL-named at the end. */
extern const OutputFormat output_format_table[];

#endif
