/* Expands formats.xml into the table of machine-readable outputs. */
#include "advisor/render/forms/formats.h"

const OutputFormat output_format_table[] = {
#define FORMAT(name, option, most, function) {#name, OPTION_##option, most, function},
#include "advisor/render/forms/formats.def"
    {0},
};
