/* Writes the rows of NDJSON as CSV (RFC 4180) with a header, quoted texts and empty cells for
 * unknown values.  A text that a spreadsheet would take for a formula gets an apostrophe. */
#include "advisor/message/plain.h"
#include "advisor/render/forms/out.h"

static void put_row(void *user, const OutCell cell[OUT_ROW_COLUMNS])
{
    FILE *out = user;
    char number[40];
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++) {
        const char *text = cell[i].text;
        if (cell[i].is_number)
            fputs(json_number_text(number, cell[i].number), out);
        else if (text)
            plain_put_quoted(out, *text && strchr("=+-@", *text) ? "'" : "", text);
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
