/* The table of machine outputs. */
#include "advisor/forms/formats.h"

const OutputFormat output_format_table[] = {
#define FORMAT(name, is_option, most, function) {#name, is_option, most, function},
#include "advisor/forms/formats.def"
#undef FORMAT
    {0},
};
