/* NDJSON: one object per line, the same keys in every line; for DuckDB, jq, pandas. */
#include "advisor/forms/out.h"

#include "advisor/result/finding.h"
#include "advisor/say/json.h"

/* cJSON quotes; the texts are valid UTF-8 without control characters already. */
static bool put_row(FILE *out, Arena *a, const cJSON *result, const cJSON *rec)
{
    Cell cell[ROW_COLUMNS];
    row_of(a, result, rec, cell);
    cJSON *o = cJSON_CreateObject();
    char number[40];
    for (size_t i = 0; i < ROW_COLUMNS; i++)
        cJSON_AddItemToObject(o, row_column(i),
                              cell[i].is_number
                                  ? cJSON_CreateRaw(json_number_text(number, cell[i].number))
                              : cell[i].text ? cJSON_CreateString(cell[i].text)
                                             : cJSON_CreateNull());
    char *line = cJSON_PrintUnformatted(o);
    bool good = line && fprintf(out, "%s\n", line) >= 0;
    cJSON_free(line);
    cJSON_Delete(o);
    return good;
}

bool out_ndjson(FILE *out, const cJSON *result, const View *view)
{
    (void)view;
    Arena *a = arena_new(0);
    bool good = put_row(out, a, result, NULL);
    for (const cJSON *x = NULL; (x = finding_next(result, x));)
        good = good && put_row(out, a, result, x);
    arena_free(a);
    return good;
}
