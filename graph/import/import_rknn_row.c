/* Assigns the cells of a row to the columns of its head. Some cells may be blank, so that neither
 * counting from the left nor from the right finds the others: each column says what it accepts, and
 * what is optional is skipped where the rest fits only so. */
#include "graph/import/rknn_table.h"

ENUM_WORDS(rknn_target_name, RknnTarget, RKNN_TARGET_COUNT, "NPU", "CPU", "GPU")

/* From CELL_MAC on a cell may be blank. */
typedef enum {
    CELL_WHOLE,
    CELL_WORD,
    CELL_SHAPE,
    CELL_CYCLES,
    CELL_NUMBER,
    CELL_MAC,
    CELL_LOAD,
    CELL_ANY
} CellKind;

/* COLUMN(id, word of the head, kind); OTHER: counts of tasks, and columns of versions to come. */
#define COLUMNS(COLUMN)                                                                            \
    COLUMN(ID, "ID", WHOLE)                                                                        \
    COLUMN(TYPE, "OpType", WORD)                                                                   \
    COLUMN(DTYPE, "DataType", WORD)                                                                \
    COLUMN(TARGET, "Target", WORD)                                                                 \
    COLUMN(IN, "InputShape", SHAPE)                                                                \
    COLUMN(OUT, "OutputShape", SHAPE)                                                              \
    COLUMN(CYCLES, "Cycles(DDR/NPU/Total)", CYCLES)                                                \
    COLUMN(DDR, "DDR Cycles", WHOLE)                                                               \
    COLUMN(NPU, "NPU Cycles", WHOLE)                                                               \
    COLUMN(TOTAL, "Total Cycles", WHOLE)                                                           \
    COLUMN(TIME, "Time(us)", NUMBER)                                                               \
    COLUMN(MAC, "MacUsage(%)", MAC)                                                                \
    COLUMN(LOAD, "WorkLoad(", LOAD)                                                                \
    COLUMN(SPARSE, "SparseRatio", LOAD)                                                            \
    COLUMN(RW, "RW(KB)", NUMBER)                                                                   \
    COLUMN(NAME, "FullName", ANY)                                                                  \
    COLUMN(OTHER, "", ANY)

typedef enum {
#define COLUMN(id, word, kind) COLUMN_##id,
    COLUMNS(COLUMN)
#undef COLUMN
        COLUMN_COUNT
} Column;

static const struct {
    const char *word;
    CellKind kind;
} column_table[] = {
#define COLUMN(id, word, kind) {word, CELL_##kind},
    COLUMNS(COLUMN)
#undef COLUMN
};

/* ---- the head ---- */

bool rknn_is_head(const char *line)
{
    const char *type = strstr(line, "OpType");
    return !strncmp(line, "ID", 2) && strchr(" ,", line[2]) && type && type - line < 40;
}

RknnHead rknn_read_head(const char *line)
{
    RknnHead head = {.comma = strstr(line, "ID,") != NULL};
    for (const char *s = line; *(s += strspn(s, " ,")) && head.ncolumn < RKNN_COLUMNS_MAX;) {
        size_t i = 0; /* the last one, "", always fits */
        while (strncmp(s, column_table[i].word, strlen(column_table[i].word)) != 0)
            i++;
        head.column[head.ncolumn++] = (uint8_t)i;
        head.timed |= i == COLUMN_TIME;
        s += strlen(column_table[i].word);
        s += strcspn(s, head.comma ? "," : " ,");
    }
    return head;
}

/* ---- cells ---- */

enum { CELLS_MAX = 48, CELL_MAX = 512, TRIES_MAX = 4096 };

typedef struct {
    const char *at;
    size_t size;
} Cell;

typedef struct {
    const RknnHead *head;
    Cell cell[CELLS_MAX];
    size_t ncell;
    Cell of[COLUMN_COUNT]; /* what was assigned; size 0: blank */
    int tries;             /* left; a hostile head has many optional columns */
} RowMatch;

/* Up to the next comma outside of quotes and brackets. */
static size_t csv_cell_length(const char *s)
{
    int depth = 0;
    bool quoted = false;
    size_t n = 0;
    for (; s[n] && (quoted || depth > 0 || s[n] != ','); n++) {
        quoted ^= s[n] == '"';
        depth += s[n] == '(' ? 1 : s[n] == ')' ? -1 : 0;
    }
    return n;
}

static Cell trimmed_cell(const char *at, size_t size)
{
    while (size && strchr(" \"", *at))
        at++, size--;
    while (size && strchr(" \"", at[size - 1]))
        size--;
    return (Cell){at, size};
}

static void split_cells(RowMatch *m, const char *text)
{
    bool comma = m->head->comma;
    for (const char *s = text; *s && m->ncell < CELLS_MAX;) {
        s += comma ? 0 : strspn(s, " ");
        size_t n = comma ? csv_cell_length(s) : strcspn(s, " ");
        if (n || comma)
            m->cell[m->ncell++] = trimmed_cell(s, n);
        s += n + (comma && s[n]);
    }
}

/* Numbers without sign of at most 15 digits, each with `after` and '/' between them; `count` is how
 * many there must be, 0: any. */
static bool is_number_list(Cell c, const char *after, size_t count)
{
    const char *s = c.at;
    for (size_t k = 1;; k++) {
        size_t n = strspn(s, "0123456789"), m = s[n] == '.' ? strspn(s + n + 1, "0123456789") : 0;
        s += n + (s[n] == '.' && n) + m;
        if (n == 0 || n > 15 || strncmp(s, after, strlen(after)) != 0)
            return false;
        s += strlen(after);
        if (s >= c.at + c.size)
            return s == c.at + c.size && (!count || k == count);
        if (*s++ != '/')
            return false;
    }
}

static bool cell_fits(Cell c, CellKind kind)
{
    bool none = *c.at == '\\', whole = !memchr(c.at, '.', c.size);
    switch (kind) {
    case CELL_WHOLE:
        return whole && is_number_list(c, "", 1);
    case CELL_NUMBER:
        return is_number_list(c, "", 1);
    case CELL_CYCLES:
        return whole && is_number_list(c, "", 3);
    case CELL_MAC:
        return none || is_number_list(c, "", 0);
    case CELL_LOAD:
        c.size = memchr(c.at, ' ', c.size) ? strcspn(c.at, " ") : c.size;
        return is_number_list(c, "%", 0);
    case CELL_SHAPE:
        return none || *c.at == '(';
    case CELL_WORD:
        return none || (isalpha((unsigned char)*c.at) && !memchr(c.at, ':', c.size));
    case CELL_ANY:
        break;
    }
    return true;
}

/* How many cells from `at` on the column takes: "100.0% - Up:0.0%" is one load. */
static size_t cells_taken(const RowMatch *m, Column column, size_t at)
{
    CellKind kind = column_table[column].kind;
    const Cell *c = &m->cell[at];
    if (at >= m->ncell || c->size > CELL_MAX || (c->size ? !cell_fits(*c, kind) : kind < CELL_MAC))
        return 0;
    bool improved = kind == CELL_LOAD && at + 2 < m->ncell && c[1].size == 1 && *c[1].at == '-';
    return improved ? 3 : 1;
}

static bool match_cells(RowMatch *m, size_t column, size_t at)
{
    if (column == m->head->ncolumn)
        return at == m->ncell;
    if (m->tries-- <= 0)
        return false;
    Column c = (Column)m->head->column[column];
    size_t n = cells_taken(m, c, at);
    m->of[c] = n ? m->cell[at] : (Cell){"", 0};
    if (n && c == COLUMN_NAME && column + 1 == m->head->ncolumn) { /* names may have blanks */
        m->of[c] = trimmed_cell(m->cell[at].at, strlen(m->cell[at].at));
        return true;
    }
    if (n && match_cells(m, column + 1, at + n))
        return true;
    m->of[c] = (Cell){"", 0};
    return column_table[c].kind >= CELL_MAC && match_cells(m, column + 1, at);
}

/* ---- values ---- */

static const char *cell_text(Arena *a, Cell c)
{
    return c.size ? arena_strndup(a, c.at, c.size) : NULL;
}

static double cell_number(Cell c)
{
    return c.size ? strtod(c.at, NULL) : -1;
}

static void read_cycles(const RowMatch *m, RknnRow *ret)
{
    int64_t *const to[] = {&ret->ddr_cycles, &ret->npu_cycles, &ret->total_cycles};
    const char *s = m->of[COLUMN_CYCLES].at;
    for (size_t i = 0; i < 3; i++) {
        char *end = NULL;
        *to[i] = m->of[COLUMN_CYCLES].size ? strtoll(s, &end, 10)
                                           : (int64_t)cell_number(m->of[COLUMN_DDR + i]);
        s = end ? end + 1 : NULL;
    }
}

static void read_load(const char *text, RknnRow *ret)
{
    while (text && ret->ncore < RKNN_CORES_MAX) {
        ret->load[ret->ncore++] = strtod(text, NULL);
        text = strchr(text, '/');
        text = text ? text + 1 : NULL;
    }
}

bool rknn_read_row(Arena *a, const RknnHead *head, const char *text, RknnRow *ret)
{
    RowMatch m = {.head = head, .tries = TRIES_MAX};
    split_cells(&m, text);
    for (int i = 0; i < COLUMN_COUNT; i++)
        m.of[i].at = "";
    if (!match_cells(&m, 0, 0) || !m.of[COLUMN_IN].size || !m.of[COLUMN_OUT].size)
        return false;
    int target = LIST_INDEX(i, (int)RKNN_TARGET_COUNT,
                            !strncmp(m.of[COLUMN_TARGET].at, rknn_target_name((RknnTarget)i), 3));
    *ret = (RknnRow){.id = (int64_t)cell_number(m.of[COLUMN_ID]),
                     .target = (RknnTarget)target,
                     .type = cell_text(a, m.of[COLUMN_TYPE]),
                     .dtype = cell_text(a, m.of[COLUMN_DTYPE]),
                     .in_shape = cell_text(a, m.of[COLUMN_IN]),
                     .out_shape = cell_text(a, m.of[COLUMN_OUT]),
                     .mac_usage = cell_text(a, m.of[COLUMN_MAC]),
                     .work_load = cell_text(a, m.of[COLUMN_LOAD]),
                     .full_name = cell_text(a, m.of[COLUMN_NAME]),
                     .time_us = cell_number(m.of[COLUMN_TIME]),
                     .rw_kb = cell_number(m.of[COLUMN_RW])};
    read_cycles(&m, ret);
    read_load(ret->work_load, ret);
    return target < (int)RKNN_TARGET_COUNT && ret->type && ret->dtype;
}
