/* NDJSON: one object per line, the same keys in every line; for DuckDB, jq, pandas. */
#include "advisor/forms/out.h"

#include "advisor/result/finding.h"
#include "advisor/say/json.h"

typedef struct {
    FILE *out;
    bool good;
} Rows;

/* cJSON quotes; the texts are valid UTF-8 without control characters already. */
static void put_row(Rows *rows, Arena *a, const ResultEntry *entry, const cJSON *result,
                    const cJSON *rec)
{
    Cell cell[ROW_COLUMNS];
    row_of(a, entry, result, rec, cell);
    cJSON *o = cJSON_CreateObject();
    char number[40];
    for (size_t i = 0; i < ROW_COLUMNS; i++)
        cJSON_AddItemToObject(o, row_column(i),
                              cell[i].is_number
                                  ? cJSON_CreateRaw(json_number_text(number, cell[i].number))
                              : cell[i].text ? cJSON_CreateString(cell[i].text)
                                             : cJSON_CreateNull());
    char *line = cJSON_PrintUnformatted(o);
    rows->good = rows->good && line && fprintf(rows->out, "%s\n", line) >= 0;
    cJSON_free(line);
    cJSON_Delete(o);
}

static void put_result(void *user, const ResultEntry *entry, const cJSON *result, const View *view)
{
    (void)view;
    Arena *a = arena_new(0);
    put_row(user, a, entry, result, NULL);
    for (const cJSON *x = NULL; (x = finding_next(result, x));)
        put_row(user, a, entry, result, x);
    arena_free(a);
}

bool out_ndjson(FILE *out, const ResultSet *set, const View *view)
{
    Rows rows = {.out = out, .good = true};
    out_each(set, view, put_result, &rows);
    return rows.good;
}
