/* Writes NDJSON for DuckDB, jq and pandas: an object per line, with the same keys. */
#include "advisor/render/forms/out.h"

typedef struct {
    FILE *out;
    bool good;
} Rows;

/* cJSON quotes; the texts are valid UTF-8 without control characters already. */
static void put_row(void *user, const OutCell cell[OUT_ROW_COLUMNS])
{
    Rows *rows = user;
    cJSON *o = cJSON_CreateObject();
    char number[40];
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++)
        cJSON_AddItemToObject(o, out_row_column(i),
                              cell[i].is_number
                                  ? cJSON_CreateRaw(json_number_text(number, cell[i].number))
                              : cell[i].text ? cJSON_CreateString(cell[i].text)
                                             : cJSON_CreateNull());
    char *line = cJSON_PrintUnformatted(o);
    rows->good = rows->good && line && fprintf(rows->out, "%s\n", line) >= 0;
    cJSON_free(line);
    cJSON_Delete(o);
}

bool out_ndjson(FILE *out, const ResultSet *set, const View *view)
{
    Rows rows = {.out = out, .good = true};
    out_rows(set, view, put_row, &rows);
    return rows.good;
}
