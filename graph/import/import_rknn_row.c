/* Assigns the cells of a row to the columns of its head. Cells of MacUsage, SparseRatio and
 * FullName may be blank, so that neither counting from the left nor from the right finds the
 * others: each column says what it accepts, and what is optional is skipped where the rest fits
 * only so. */
#include "graph/base/enum_words.h"
#include "graph/import/rknn_table.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

ENUM_WORDS(rknn_target_name, RknnTarget, RKNN_TARGET_COUNT, "NPU", "CPU", "GPU")

typedef enum {
    COLUMN_ID,
    COLUMN_TYPE,
    COLUMN_DTYPE,
    COLUMN_TARGET,
    COLUMN_IN,
    COLUMN_OUT,
    COLUMN_CYCLES,
    COLUMN_DDR,
    COLUMN_NPU,
    COLUMN_TOTAL,
    COLUMN_TIME,
    COLUMN_MAC,
    COLUMN_LOAD,
    COLUMN_SPARSE,
    COLUMN_RW,
    COLUMN_NAME,
    COLUMN_OTHER, /* counts of tasks, and columns of versions to come */
    COLUMN_COUNT
} Column;

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

static const struct {
    const char *word;
    Column column;
} column_word[] = {{"ID", COLUMN_ID},
                   {"OpType", COLUMN_TYPE},
                   {"DataType", COLUMN_DTYPE},
                   {"Target", COLUMN_TARGET},
                   {"InputShape", COLUMN_IN},
                   {"OutputShape", COLUMN_OUT},
                   {"Cycles(DDR/NPU/Total)", COLUMN_CYCLES},
                   {"DDR Cycles", COLUMN_DDR},
                   {"DDRCycles", COLUMN_DDR},
                   {"NPU Cycles", COLUMN_NPU},
                   {"NPUCycles", COLUMN_NPU},
                   {"Total Cycles", COLUMN_TOTAL},
                   {"MaxCycles", COLUMN_TOTAL},
                   {"Time(us)", COLUMN_TIME},
                   {"MacUsage(%)", COLUMN_MAC},
                   {"WorkLoad(", COLUMN_LOAD},
                   {"SparseRatio", COLUMN_SPARSE},
                   {"RW(KB)", COLUMN_RW},
                   {"FullName", COLUMN_NAME},
                   {"Lut Number", COLUMN_OTHER},
                   {"Task Number", COLUMN_OTHER},
                   {"Task Size", COLUMN_OTHER},
                   {"Regcmd Size", COLUMN_OTHER}};

static const struct {
    CellKind kind;
    bool optional;
} column_cell[] = {
    [COLUMN_ID] = {CELL_WHOLE, false},      [COLUMN_TYPE] = {CELL_WORD, false},
    [COLUMN_DTYPE] = {CELL_WORD, false},    [COLUMN_TARGET] = {CELL_WORD, false},
    [COLUMN_IN] = {CELL_SHAPE, false},      [COLUMN_OUT] = {CELL_SHAPE, false},
    [COLUMN_CYCLES] = {CELL_CYCLES, false}, [COLUMN_DDR] = {CELL_WHOLE, false},
    [COLUMN_NPU] = {CELL_WHOLE, false},     [COLUMN_TOTAL] = {CELL_WHOLE, false},
    [COLUMN_TIME] = {CELL_NUMBER, false},   [COLUMN_MAC] = {CELL_MAC, true},
    [COLUMN_LOAD] = {CELL_LOAD, true},      [COLUMN_SPARSE] = {CELL_LOAD, true},
    [COLUMN_RW] = {CELL_NUMBER, false},     [COLUMN_NAME] = {CELL_ANY, true},
    [COLUMN_OTHER] = {CELL_ANY, true},
};
static_assert(sizeof column_cell / sizeof *column_cell == COLUMN_COUNT, "one cell per column");

/* ---- the head ---- */

bool rknn_is_head(const char *line)
{
    line += strspn(line, " ");
    const char *type = strstr(line, "OpType");
    return !strncmp(line, "ID", 2) && (line[2] == ' ' || line[2] == ',') && type &&
           type - line < 40;
}

RknnHead rknn_read_head(const char *line)
{
    RknnHead head = {.comma = strstr(line, "ID,") != NULL};
    enum { WORDS = sizeof column_word / sizeof *column_word };
    for (const char *s = line; *(s += strspn(s, " ,")) && head.ncolumn < RKNN_COLUMNS_MAX;) {
        size_t i = LIST_INDEX(k, (size_t)WORDS,
                              !strncmp(s, column_word[k].word, strlen(column_word[k].word)));
        Column column = i < WORDS ? column_word[i].column : COLUMN_OTHER;
        head.column[head.ncolumn++] = (uint8_t)column;
        head.timed |= column == COLUMN_TIME;
        s += i < WORDS ? strlen(column_word[i].word) : 0;
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
    const char *end;       /* of the text, without blanks */
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
    for (const char *s = text + (comma ? 0 : strspn(text, " ")); *s && m->ncell < CELLS_MAX;) {
        size_t n = comma ? csv_cell_length(s) : strcspn(s, " ");
        m->cell[m->ncell++] = trimmed_cell(s, n);
        s += n + (comma && s[n]);
        s += comma ? 0 : strspn(s, " ");
    }
    Cell all = trimmed_cell(text, strlen(text));
    m->end = all.at + all.size;
}

/* A number without sign, of at most 15 digits before the point; returns its length. */
static size_t number_length(const char *s, bool fraction)
{
    size_t n = strspn(s, "0123456789");
    if (n == 0 || n > 15)
        return 0;
    return n + (fraction && s[n] == '.' ? 1 + strspn(s + n + 1, "0123456789") : 0);
}

/* Numbers with `after` behind each and '/' between them; `count` is how many there must be, 0: any.
 */
static bool is_number_list(Cell c, bool fraction, const char *after, size_t count)
{
    const char *s = c.at;
    for (size_t k = 1;; k++) {
        size_t n = number_length(s, fraction);
        s += n;
        if (n == 0 || strncmp(s, after, strlen(after)) != 0)
            return false;
        s += strlen(after);
        if (s >= c.at + c.size)
            return s == c.at + c.size && (!count || k == count);
        if (*s++ != '/')
            return false;
    }
}

static bool cell_is(Cell c, CellKind kind)
{
    bool none = c.size && *c.at == '\\';
    switch (kind) {
    case CELL_WHOLE:
        return is_number_list(c, false, "", 1);
    case CELL_NUMBER:
        return is_number_list(c, true, "", 1);
    case CELL_CYCLES:
        return is_number_list(c, false, "", 3);
    case CELL_MAC:
        return none || is_number_list(c, true, "", 0);
    case CELL_LOAD:
        return is_number_list(
            (Cell){c.at, strcspn(c.at, " ") < c.size ? strcspn(c.at, " ") : c.size}, true, "%", 0);
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
    if (at >= m->ncell || m->cell[at].size > CELL_MAX ||
        (m->cell[at].size ? !cell_is(m->cell[at], column_cell[column].kind)
                          : !column_cell[column].optional))
        return 0;
    if (column == COLUMN_LOAD && at + 2 < m->ncell && m->cell[at + 1].size == 1 &&
        *m->cell[at + 1].at == '-' && !strncmp(m->cell[at + 2].at, "Up:", 3))
        return 3;
    return 1;
}

static bool match_cells(RowMatch *m, size_t column, size_t at)
{
    if (column == m->head->ncolumn)
        return at == m->ncell;
    if (m->tries-- <= 0)
        return false;
    Column c = (Column)m->head->column[column];
    if (c == COLUMN_NAME && at < m->ncell && !m->head->comma) { /* names may have blanks */
        m->of[c] = (Cell){m->cell[at].at, (size_t)(m->end - m->cell[at].at)};
        return column + 1 == m->head->ncolumn;
    }
    size_t n = cells_taken(m, c, at);
    m->of[c] = n ? m->cell[at] : (Cell){"", 0};
    if (n && match_cells(m, column + 1, at + n))
        return true;
    m->of[c] = (Cell){"", 0};
    return column_cell[c].optional && match_cells(m, column + 1, at);
}

/* ---- values ---- */

static const char *cell_text(Arena *a, Cell c)
{
    return c.size ? arena_strndup(a, c.at, c.size) : NULL;
}

static int64_t whole_of_cell(Cell c)
{
    return c.size ? strtoll(c.at, NULL, 10) : -1;
}

static double number_of_cell(Cell c)
{
    return c.size ? strtod(c.at, NULL) : -1;
}

static void read_cycles(const RowMatch *m, RknnRow *ret)
{
    Cell c = m->of[COLUMN_CYCLES];
    int64_t *const to[] = {&ret->ddr_cycles, &ret->npu_cycles, &ret->total_cycles};
    for (size_t i = 0; i < 3; i++) {
        char *end = NULL;
        *to[i] = c.size ? strtoll(c.at, &end, 10) : whole_of_cell(m->of[COLUMN_DDR + i]);
        c.at = c.size ? end + 1 : NULL;
    }
}

static void read_load(const char *text, RknnRow *ret)
{
    char *end;
    for (const char *s = text; s && *s && *s != ' ' && ret->ncore < RKNN_CORES_MAX; s = end + 1) {
        ret->load[ret->ncore++] = strtod(s, &end);
        end += *end == '%';
        if (*end != '/')
            break;
    }
}

static bool read_target(Cell c, RknnTarget *ret)
{
    for (int t = 0; t < RKNN_TARGET_COUNT; t++)
        if (c.size == 3 && !memcmp(c.at, rknn_target_name((RknnTarget)t), 3)) {
            *ret = (RknnTarget)t;
            return true;
        }
    return false;
}

bool rknn_read_row(Arena *a, const RknnHead *head, const char *text, RknnRow *ret)
{
    RowMatch m = {.head = head, .tries = TRIES_MAX};
    RknnRow row = {.ncore = 0};
    split_cells(&m, text);
    if (!match_cells(&m, 0, 0) || !read_target(m.of[COLUMN_TARGET], &row.target))
        return false;
    row.id = whole_of_cell(m.of[COLUMN_ID]);
    row.type = cell_text(a, m.of[COLUMN_TYPE]);
    row.dtype = cell_text(a, m.of[COLUMN_DTYPE]);
    row.in_shape = cell_text(a, m.of[COLUMN_IN]);
    row.out_shape = cell_text(a, m.of[COLUMN_OUT]);
    row.mac_usage = cell_text(a, m.of[COLUMN_MAC]);
    row.work_load = cell_text(a, m.of[COLUMN_LOAD]);
    row.full_name = cell_text(a, m.of[COLUMN_NAME]);
    row.time_us = number_of_cell(m.of[COLUMN_TIME]);
    row.rw_kb = number_of_cell(m.of[COLUMN_RW]);
    read_cycles(&m, &row);
    read_load(row.work_load, &row);
    *ret = row;
    return true;
}
