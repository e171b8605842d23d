/* Expands formats.def into the table of machine-readable outputs. */
#include "advisor/render/forms/formats.h"

const OutputFormat output_format_table[] = {
#define FORMAT(name, is_option, most, function) {#name, is_option, most, function},
#include "advisor/render/forms/formats.def"
#undef FORMAT
    {0},
};
