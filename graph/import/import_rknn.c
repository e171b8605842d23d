/* Finds the tables in a log of RKNN, joins rows that a terminal wrapped, and reads the versions,
 * totals and clocks around them. */
#include "graph/import/import_build.h"
#include "graph/import/rknn_table.h"

enum { LINE_BYTES = 4096, PIECES_MAX = 16, BAD_ROWS_MAX = 1000 };

typedef struct {
    ImportBuild *b;
    RknnHead head;
    char pending[LINE_BYTES]; /* the head or row at hand, as far as it was read; "": none */
    size_t pieces;            /* lines of it */
    size_t width, length;     /* of the longest line since the head, of the last one */
    RknnTable now, best;      /* the table at hand; the last whole one, else the last */
    RknnLog log;
    bool inside, heading, skips; /* skips: the tables that follow are of other things */
    size_t bad_line;             /* in the settings of hybrid quantization; 0: none */
    RknnClock clock;             /* of the frequency list at hand; RKNN_CLOCK_COUNT: none */
} LogScan;

/* ---- lines ---- */

/* Without colours, frames of tables and what a logger puts in front. */
static void clean_log_line(const char *s, const char *end, char out[LINE_BYTES])
{
    size_t n = 0;
    for (; s < end && n < LINE_BYTES - 1; s++) {
        if (*s == '\033') {
            while (s + 1 < end && !isalpha((unsigned char)*s))
                s++;
            continue;
        }
        out[n++] = strchr("|\t\r", *s) ? ' ' : *s;
    }
    out[n] = '\0';
    const char *head = strstr(out, "RKNN: ["), *close = head ? strchr(head, ']') : NULL;
    if (close && head - out < 80) {
        close += 1 + (close[1] == ' ');
        memmove(out, close, strlen(close) + 1);
    }
}

static bool is_rule_line(const char *line)
{
    size_t n = strspn(line, "-=+ ");
    return n >= 8 && !line[n];
}

/* ---- rows ---- */

static bool read_pending(LogScan *s, RknnRow *ret)
{
    return rknn_read_row(s->b->g->arena, &s->head, s->pending, ret);
}

static void end_row(LogScan *s)
{
    RknnRow row;
    RknnTable *t = &s->now;
    if (!*s->pending)
        return;
    bool good = read_pending(s, &row);
    *s->pending = '\0';
    if (!good) {
        s->inside = ++t->bad_rows < BAD_ROWS_MAX;
        return;
    }
    int64_t last = t->nrow ? t->row[t->nrow - 1].id : 0;
    t->lost_rows += row.id > last + 1 ? (size_t)(row.id - last - 1) : 0;
    *VEC_PUSH(s->b->g->arena, t->row, t->nrow, t->row_cap) = row;
}

/* "12   ConvRelu …" of a number that follows; what wraps may begin with one, too. */
static bool begins_row(LogScan *s, const char *line)
{
    char *end;
    RknnRow row;
    line += *line == '"';
    long long id = strtoll(line, &end, 10);
    const char *type = end + strspn(end, " ,\"");
    if (end == line || id < 0 || id > IMPORT_MAX_ITEMS || type == end ||
        !isalpha((unsigned char)*type) || type[strcspn(type, " :,")] == ':')
        return false;
    return s->heading || !*s->pending || id == strtoll(s->pending, NULL, 10) + 1 ||
           read_pending(s, &row);
}

/* A line as long as the longest was cut by a terminal, anywhere; a shorter one at a blank.  What
 * follows a whole row is noise of the log, or the rest of its name. */
static void continue_pending(LogScan *s, const char *line)
{
    if (++s->pieces > PIECES_MAX) {
        end_row(s);
        return;
    }
    size_t n = strlen(s->pending), more = strlen(line);
    bool cut = s->length == s->width;
    RknnRow row;
    bool whole = !s->heading && read_pending(s, &row) && row.full_name;
    if ((whole && (!cut || strchr(line, ' '))) || n + more + 2 > LINE_BYTES)
        return;
    if (!cut)
        s->pending[n++] = ' ';
    memcpy(s->pending + n, line, more + 1);
}

/* ---- tables ---- */

static void end_head(LogScan *s)
{
    if (!s->heading)
        return;
    s->heading = false;
    s->head = rknn_read_head(s->pending);
    s->now.timed = s->head.timed;
    *s->pending = '\0';
}

static void end_table(LogScan *s, bool whole)
{
    if (!s->inside)
        return;
    end_head(s);
    end_row(s);
    s->inside = false;
    s->now.whole = whole;
    if (s->skips)
        return;
    bool better = s->now.nrow && (whole || !s->best.whole);
    s->log.ntable += s->now.nrow > 0;
    if (better || (!s->best.nrow && s->now.bad_rows))
        s->best = s->now;
}

static void begin_table(LogScan *s, const char *line)
{
    end_table(s, false);
    s->now = (RknnTable){.total_us = -1, .rw_kb = -1};
    s->inside = s->heading = true;
    s->width = 0;
    s->pieces = 1;
    strcpy(s->pending, line);
}

static bool take_number(const char *line, const char *label, double factor, double *ret)
{
    const char *at = strstr(line, label);
    char *end;
    double v = at ? strtod(at + strlen(label), &end) : -1;
    if (!at || end == at + strlen(label) || !(v >= 0 && v < 1e15))
        return false;
    *ret = v * factor;
    return true;
}

/* The footer of the table before it; true where the line is one. */
static bool read_footer(LogScan *s, const char *line)
{
    double us = -1, kb = -1;
    bool footer = take_number(line, "Total Operator Elapsed Per Frame Time(us):", 1, &us) ||
                  take_number(line, "Total Operator Elapsed Time(us):", 1, &us) ||
                  take_number(line, "Total Memory Read/Write Per Frame Size(KB):", 1, &kb) ||
                  take_number(line, "Total Memory RW Amount(MB):", 1024, &kb);
    if (!footer)
        return false;
    end_table(s, true);
    s->best.total_us = us >= 0 ? us : s->best.total_us;
    s->best.rw_kb = kb >= 0 ? kb : s->best.rw_kb;
    return true;
}

/* ---- the rest of the log ---- */

static void read_words(LogScan *s, const char *line)
{
    static const struct {
        RknnWord word;
        const char *label;
    } label[] = {
#define SAYS(word, label) {RKNN_##word, label},
#include "graph/import/rknn_words.def"
    };
    for (size_t i = 0; i < sizeof label / sizeof *label; i++) {
        RknnWord w = label[i].word;
        const char *at = strstr(line, label[i].label);
        at = at ? at + strlen(label[i].label) : "";
        at += strspn(at, " :='\"v");
        size_t n =
            strspn(at, w == RKNN_PLATFORM ? "0123456789abcdefghijklmnopqrstuvwxyz" : "0123456789.");
        if (n && n < 32)
            s->log.word[w] = arena_strndup(s->b->g->arena, at, n);
    }
}

/* "NPU Current Frequency List:", then "    - 1000000000"; the CPU's are in kHz. */
static void read_clocks(LogScan *s, const char *line)
{
    static const char *const list[] = {"CPU Current Frequency", "NPU Current Frequency",
                                       "DDR Current Frequency"};
    for (int i = 0; i < RKNN_CLOCK_COUNT; i++)
        if (strstr(line, list[i]))
            s->clock = (RknnClock)i;
    double v;
    if (s->clock < RKNN_CLOCK_COUNT && !strncmp(line, "- ", 2) &&
        take_number(line, "- ", s->clock == RKNN_CPU_CLOCK ? 1e3 : 1, &v) &&
        v > s->log.clock_hz[s->clock])
        s->log.clock_hz[s->clock] = v;
}

/* "[Conv] /model.0/conv/Conv_output_0  0.99993  92.600  0.99981  119.94": cosine and distance of
 * the whole network up to there, then of the layer alone, which older toolkits do not print. */
static void read_loss(LogScan *s, const char *line)
{
    char tensor[512];
    double x[3];
    int n = sscanf(line, "[%*[^]]] %511s %lf %lf %lf", tensor, &x[0], &x[1], &x[2]);
    double cosine = n == 4 ? x[2] : x[0];
    RknnLog *l = &s->log;
    if (n >= 3 && cosine >= -1 && cosine <= 1 && l->nloss < IMPORT_MAX_ITEMS)
        *VEC_PUSH(s->b->g->arena, l->loss, l->nloss, l->loss_cap) =
            (RknnLoss){arena_strdup(s->b->g->arena, tensor), cosine, NULL};
}

static void read_outside(LogScan *s, const char *line)
{
    if (*line == '[')
        read_loss(s, line);
    take_number(line, "Total Time(us):", 1, &s->log.plain_us);
    take_number(line, "FPS:", 1, &s->log.fps);
    if (!strpbrk(line, ":=") && *line != '-')
        return; /* most lines of a log */
    double unit = strstr(line, "MiB") ? 1024 : 1;
    take_number(line, "Weight Memory:", unit, &s->log.weight_kib);
    take_number(line, "Internal Tensor Memory:", unit, &s->log.internal_kib);
    read_words(s, line);
    read_clocks(s, line);
}

static void scan_row_line(LogScan *s, const char *line, const char *text)
{
    if (is_rule_line(text)) {
        if (!s->heading && (s->now.nrow || *s->pending))
            end_table(s, true);
        end_head(s);
    } else if (begins_row(s, text)) {
        end_head(s);
        end_row(s);
        strcpy(s->pending, text);
        s->pieces = 1;
    } else if (*s->pending) {
        continue_pending(s, line);
    }
}

static void scan_line(LogScan *s, const char *line)
{
    const char *text = line + strspn(line, " ");
    if (strstr(text, "Layer Information Table"))
        s->skips = strstr(text, "Subgraph") != NULL;
    if (rknn_is_head(text))
        begin_table(s, text);
    else if (read_footer(s, text) || !*text)
        return;
    else if (s->inside)
        scan_row_line(s, line, text);
    else
        read_outside(s, text);
}

/* The settings of hybrid quantization, where they begin here; the text after them. */
static const char *scan_hybrid(LogScan *s, const char *text, const char *end)
{
    static const char first[] = "custom_quantize_layers:";
    if (end - text < (ptrdiff_t)sizeof first || strncmp(text, first, strlen(first)))
        return text;
    /* Indented lines, and the head of the other section, belong to them. */
    const char *at = text;
    do {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : end;
    } while (at < end && strchr(" \t\r\nq", *at));
    size_t bad = rknn_read_hybrid(s->b->g->arena, text, (size_t)(at - text), &s->log);
    s->bad_line = bad ? bad : s->bad_line;
    return at;
}

static void scan_log(LogScan *s, const char *text, size_t size)
{
    const char *end = text + size;
    while ((text = scan_hybrid(s, text, end)) < end) {
        char line[LINE_BYTES];
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - text) - (stop > text && stop[-1] == '\r');
        clean_log_line(text, text + length, line);
        scan_line(s, line);
        s->length = length;
        s->width = length > s->width ? length : s->width;
        text = stop + 1;
    }
    end_table(s, s->head.comma);
}

/* ---- the graph ---- */

static DType dtype_of_row(const RknnRow *row)
{
    char name[16] = "";
    for (size_t n = 0; row->dtype[n] && n < sizeof name - 1; n++)
        name[n] = (char)tolower((unsigned char)row->dtype[n]);
    return strcmp(name, "float") ? dtype_from_name(name) : DT_FLOAT32;
}

static uint32_t add_tensor(ImportBuild *b, const RknnRow *row, const char **shape)
{
    uint32_t id = import_tensor(b, arena_printf(b->g->arena, "%zu", b->g->ntensor));
    ImportTensor *t = &b->g->tensor[id];
    const char *s = *shape;
    t->name = "";
    t->rank = 0;
    t->dtype = dtype_of_row(row);
    for (char *end; *s && *s != ')'; s = end) {
        long long v = strtoll(++s, &end, 10);
        if (end == s || t->rank == IMPORT_RANK_MAX)
            break;
        t->dim[t->rank++] = v >= 0 && v < 1000000000000 ? v : -1;
    }
    import_count_bytes(t);
    *shape = s;
    return id;
}

typedef void LinkTensor(ImportBuild *b, uint32_t op, uint32_t tensor);

/* "(1,16,320,320),(32,16,3,3)"; tensors that "..." replaces are not listed, and "\" is no tensor.
 */
static void add_shapes(ImportBuild *b, uint32_t op, const char *shape, LinkTensor *link)
{
    while ((shape = strchr(shape, '(')))
        link(b, op, add_tensor(b, &b->g->rknn->row[op], &shape));
}

/* The name without the type before it: "Conv:/model.0/conv/Conv". */
static const char *node_name(Arena *a, const RknnRow *row)
{
    const char *name = row->full_name;
    if (!name)
        return arena_printf(a, "row %" PRId64, row->id);
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_')
        n++;
    return n && name[n] == ':' && name[n + 1] && name[n + 1] != ':' ? name + n + 1 : name;
}

static ImportWork work_of_row(const RknnRow *row)
{
    static const struct {
        const char *type;
        ImportWork work;
    } moves[] = {{"Reshape", WORK_VIEW}, {"Transpose", WORK_LAYOUT}, {"exDataConvert", WORK_TYPE},
                 {"Concat", WORK_COPY},  {"Split", WORK_COPY},       {"Slice", WORK_COPY},
                 {"Pad", WORK_COPY},     {"Cast", WORK_CAST}};
    if (row->target == RKNN_CPU)
        return WORK_HOST;
    return LIST_VALUE(i, sizeof moves / sizeof *moves, !strcmp(row->type, moves[i].type),
                      moves[i].work, WORK_COMPUTE);
}

/* What the model takes and gives, by the rows at its ends. */
static void add_end(ImportBuild *b, uint32_t op, const char *shape, LinkTensor *link)
{
    if (!(shape = strchr(shape, '(')))
        return;
    uint32_t id = add_tensor(b, &b->g->rknn->row[op], &shape);
    b->g->tensor[id].name = b->g->op[op].name;
    b->g->tensor[id].bound = true;
    link(b, op, id);
}

static void add_row(ImportBuild *b, size_t i)
{
    const RknnRow *row = &b->g->rknn->row[i];
    uint32_t op = import_op(b, arena_printf(b->g->arena, "%zu", i));
    ImportOp *o = &b->g->op[op];
    o->name = node_name(b->g->arena, row);
    o->type = row->type;
    o->work = work_of_row(row);
    if (!strcmp(row->type, "InputOperator"))
        add_end(b, op, row->out_shape, import_reads);
    else
        add_shapes(b, op, row->in_shape, import_reads);
    if (!strcmp(row->type, "OutputOperator"))
        add_end(b, op, row->in_shape, import_makes);
    else
        add_shapes(b, op, row->out_shape, import_makes);
}

Status import_rknn(ImportBuild *b, const char *text, size_t size)
{
    LogScan s = {.b = b, .clock = RKNN_CLOCK_COUNT};
    RknnTable *t = ARENA_NEW(b->g->arena, RknnTable);
    s.log = (RknnLog){
        .plain_us = -1, .fps = -1, .clock_hz = {-1, -1, -1}, .weight_kib = -1, .internal_kib = -1};
    scan_log(&s, text, size);
    *t = s.best;
    t->log = s.log;
    if (t->nrow == 0)
        return diag_set(b->diag, STATUS_INPUT, b->g->path, NULL,
                        t->bad_rows ? "no row of its layer table can be read: give the table as "
                                      "eval_perf or build(verbose=True) prints it"
                                    : "is a log of RKNN without a layer table: give what eval_perf "
                                      "with perf_debug=True or build with verbose=True prints");
    if (s.bad_line)
        return diag_set(b->diag, STATUS_INPUT, b->g->path, NULL,
                        "line %zu of its hybrid quantization is not as "
                        "hybrid_quantization_step1 writes it: leave custom_quantize_layers and "
                        "quantize_parameters out, or write them again",
                        s.bad_line);
    b->g->rknn = t;
    for (size_t i = 0; i < t->nrow; i++)
        add_row(b, i);
    return STATUS_OK;
}
