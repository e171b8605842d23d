/* Writes the rows of NDJSON as CSV (RFC 4180) with a header, quoted texts and empty cells for
 * unknown values.  A text that a spreadsheet would take for a formula gets an apostrophe. */
#include "advisor/render/forms/out.h"

static void put_text(FILE *out, const char *s)
{
    putc('"', out);
    if (*s && strchr("=+-@", *s))
        putc('\'', out);
    for (; *s; s++) {
        if (*s == '"')
            putc('"', out);
        putc(*s, out);
    }
    putc('"', out);
}

static void put_row(void *user, const OutCell cell[OUT_ROW_COLUMNS])
{
    FILE *out = user;
    char number[40];
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++) {
        if (cell[i].is_number)
            fputs(json_number_text(number, cell[i].number), out);
        else if (cell[i].text)
            put_text(out, cell[i].text);
        fputs(i + 1 < OUT_ROW_COLUMNS ? "," : "\r\n", out);
    }
}

bool out_csv(FILE *out, const ResultSet *set, const View *view)
{
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++)
        fprintf(out, "%s%s", out_row_column(i), i + 1 < OUT_ROW_COLUMNS ? "," : "\r\n");
    out_rows(set, view, put_row, out);
    return !ferror(out);
}
