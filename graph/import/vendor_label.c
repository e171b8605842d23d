/* Parses the lines of labels, which are words, numbers and lists in the vendor's order. */
#include "graph/import/vendor_label.h"

#include "graph/import/vendor_read.h"

enum { LINES_MAX = 1 << 16 };

typedef struct {
    Arena *arena;
    const char **line;
    size_t count, cap;
} Lines;

/* ---- text */

static const struct {
    const char *entity;
    char letter;
} entity[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&amp;", '&'}};

/* The character that the text begins with, and how many bytes it takes. */
static char read_letter(const char *text, size_t *ret_size)
{
    for (size_t i = 0; i < sizeof entity / sizeof *entity; i++) {
        *ret_size = strlen(entity[i].entity);
        if (strncmp(text, entity[i].entity, *ret_size) == 0)
            return entity[i].letter;
    }
    *ret_size = text[0] == '\\' && text[1] ? 2 : 1;
    return text[*ret_size - 1];
}

/* Without the escapes of HTML or of a quoted label. */
static const char *unescape_text(Arena *a, const char *text, size_t size)
{
    char *copy = arena_strndup(a, text, size);
    size_t n = 0;
    for (size_t i = 0, step; i < size; i += step)
        copy[n++] = read_letter(copy + i, &step);
    copy[n] = 0;
    return copy;
}

/* Splits text into lines that end with `separator`; text after the last one is dropped. */
static void split_lines(Lines *l, const char *text, const char *separator)
{
    const char *end;
    while (l->count < LINES_MAX && (end = strstr(text, separator))) {
        *VEC_PUSH(l->arena, l->line, l->count, l->cap) =
            unescape_text(l->arena, text, (size_t)(end - text));
        text = end + strlen(separator);
        if (separator[0] == '<') /* the rest of the tag */
            text += strcspn(text, ">") + (strchr(text, '>') != NULL);
    }
}

/* What follows `word` and a colon in the line: whole words only.  NULL where it does not. */
static const char *value_in_line(const char *line, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(line, word); at; at = strstr(at + 1, word)) {
        const char *after = at + n + strspn(at + n, " ");
        bool starts = at == line || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (starts && (*after == ':' || *after == '{'))
            return after + 1;
    }
    return NULL;
}

/* Reads `n` numbers, each after anything that is none; false where there are fewer before `stop`.
 */
static bool read_reals(const char **text, double *ret, size_t n, char stop)
{
    const char *p = *text;
    for (size_t i = 0; i < n; i++) {
        char *end;
        while (*p && *p != stop && !isdigit((unsigned char)*p) && *p != '-' &&
               strncmp(p, "inf", 3) != 0)
            p++;
        ret[i] = strtod(p, &end);
        if (end == p)
            return false;
        p = end;
    }
    *text = p;
    return true;
}

static bool to_whole(double value, int64_t *ret)
{
    if (!(fabs(value) <= INT32_MAX) || value != floor(value))
        return false;
    *ret = (int64_t)value;
    return true;
}

static bool read_wholes(const char *text, int64_t *ret, size_t n, char stop)
{
    double real[4];
    assert(n <= 4);
    return read_reals(&text, real, n, stop) && LIST_ALL(i, n, to_whole(real[i], &ret[i]));
}

/* All numbers before ']': at most two for each axis. */
static bool read_list(Arena *a, const char *text, VendorIntegers *list)
{
    double real;
    list->item = ARENA_ARRAY(a, int64_t, 2 * VENDOR_MAX_RANK);
    list->count = 0;
    while (read_reals(&text, &real, 1, ']')) {
        if (list->count == 2 * VENDOR_MAX_RANK || !to_whole(real, &list->item[list->count]))
            return false;
        list->count++;
    }
    return strchr(text, ']') != NULL;
}

/* ---- operators */

static bool read_word(const VendorAttributeRow *row, const char *text, unsigned *ret)
{
    text += strspn(text, " ");
    size_t n = strcspn(text, " ,");
    for (unsigned i = 0; row->words[i]; i++)
        if (strlen(row->words[i]) == n && memcmp(row->words[i], text, n) == 0) {
            *ret = i;
            return true;
        }
    return false;
}

static bool read_value(Arena *a, const VendorAttributeRow *row, const char *text, void *slot)
{
    int64_t whole[4];
    double real[2];
    switch (row->kind) {
    case VALUE_INTEGER:
        return read_wholes(text, slot, 1, 0);
    case VALUE_REAL:
        if (!read_reals(&text, real, 1, 0) || !isfinite(real[0]))
            return false;
        *(double *)slot = (double)(float)real[0]; /* a .dfg has floats */
        return true;
    case VALUE_PAIR:
        if (!read_wholes(text, whole, 2, ')'))
            return false;
        *(VendorPair *)slot = (VendorPair){whole[0], whole[1]};
        return true;
    case VALUE_PADS:
        if (!read_wholes(text, whole, 4, '}'))
            return false;
        *(VendorPads *)slot = (VendorPads){whole[0], whole[1], whole[2], whole[3]};
        return true;
    case VALUE_RANGE:
        if (!read_reals(&text, real, 2, ')') || !(real[0] <= real[1]))
            return false;
        *(VendorRange *)slot = (VendorRange){real[0], real[1]};
        return true;
    case VALUE_INTEGERS:
        return read_list(a, text, slot);
    case VALUE_WORD:
        return read_word(row, text, slot);
    case VALUE_FLAG:
        *(bool *)slot = strncmp(text + strspn(text, " "), "true", 4) == 0;
        return true;
    }
    return false;
}

/* The lines between the type and the name. */
static const char *read_attribute(const Lines *l, size_t nline, VendorAttribute id, VendorOp *op)
{
    const VendorAttributeRow *row = vendor_attribute_row(id);
    for (size_t i = 1; i < nline; i++) {
        const char *text = value_in_line(l->line[i], row->word);
        if (text)
            return read_value(l->arena, row, text, vendor_attribute_slot(&op->attribute, id))
                       ? NULL
                       : arena_printf(l->arena, "its label has no value of '%s' that is known",
                                      row->word);
    }
    return arena_printf(l->arena, "its label has no '%s'", row->word);
}

/* Line of the last "name:", which is the operator's; count where there is none. */
static size_t name_line(const Lines *l)
{
    for (size_t i = l->count; i-- > 1;)
        if (strncmp(l->line[i], "name:", 5) == 0)
            return i;
    return l->count;
}

static const char *after_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* A long name is broken before each slash, the rest indented. */
static const char *joined_name(const Lines *l, size_t at)
{
    const char *name = at < l->count ? after_blanks(l->line[at] + 5) : "";
    for (size_t i = at + 1; i < l->count && l->line[i][0] == ' '; i++)
        name = arena_printf(l->arena, "%s%s", name, after_blanks(l->line[i]));
    return name;
}

const char *vendor_label_operator(Arena *a, const char *html, VendorOp *op)
{
    Lines l = {.arena = a};
    const char *start = strstr(html, ">O");
    start = start ? strstr(start, "] ") : NULL;
    if (!start)
        return "its label does not begin with its number";
    split_lines(&l, start + 2, "<BR");
    if (!l.count || !*l.line[0])
        return "its label has no type";
    size_t at = name_line(&l);
    op->kind = vendor_op_named(l.line[0]);
    op->type = l.line[0];
    op->name = joined_name(&l, at);
    if (op->kind == VENDOR_ONNX_RUNTIME)
        op->onnx_type =
            l.count > 1 && at > 1 ? after_blanks(l.line[1] + strcspn(l.line[1], " ")) : "";
    const char *fact = NULL;
    for (unsigned id = 0; id < VENDOR_ATTRIBUTES && !fact; id++)
        if (vendor_op_attributes(op->kind) >> id & 1)
            fact = read_attribute(&l, at, (VendorAttribute)id, op);
    return fact;
}

/* ---- tensors */

static const struct {
    const char *word;
    DType dtype;
    bool quantized;
} element[] = {{"f32", DT_FLOAT32, false}, {"u8", DT_UINT8, true},   {"i8", DT_INT8, true},
               {"i32", DT_INT32, true},    {"i64", DT_INT64, false}, {"bool", DT_BOOL, false}};

static bool read_element_word(const char *line, VendorTensor *t)
{
    for (size_t i = 0; i < sizeof element / sizeof *element; i++)
        if (strcmp(line, element[i].word) == 0) {
            t->dtype = element[i].dtype;
            t->quantized = element[i].quantized;
            return true;
        }
    return false;
}

/* "(axes: [AxisIndex(0)], <(m:-0.39, M:0.38) x 3>)" */
static bool read_range_line(Arena *a, const char *line, VendorTensor *t)
{
    double axis, value[3], count;
    const char *text = value_in_line(line, "axes");
    const char *end = text ? strchr(text, ']') : NULL;
    if (!end)
        return false;
    t->axis =
        read_reals(&text, &axis, 1, ']') && axis >= 0 && axis < VENDOR_MAX_RANK ? (int)axis : -1;
    if (!read_reals(&end, value, 2, ')') || !(end = strstr(end, " x ")) ||
        !read_reals(&end, &count, 1, '>') || !(count >= 1 && count <= INT32_MAX))
        return false;
    VendorRange *range = ARENA_NEW(a, VendorRange);
    *range = (VendorRange){value[0] + 0.0, value[1] + 0.0}; /* no -0 */
    t->range = range;
    t->nrange = 1;
    t->nscale = (size_t)count;
    return true;
}

/* "(s: 0.0035, o: 0) x 3": those of the first range. */
static const char *check_scale_line(const char *line, const VendorTensor *t)
{
    double value[2];
    if (strncmp(line, "(s:", 3) != 0 || !read_reals(&line, value, 2, ')'))
        return "its label has no scale and zero point after its range";
    if (!vendor_range_is_usable(t, 0))
        return NULL; /* told with the other ranges */
    double scale = vendor_tensor_scale(t, 0);
    if (!(fabs(value[0] - scale) <= 1e-9 * scale) ||
        value[1] != (double)vendor_tensor_zero_point(t, 0))
        return "its scale and zero point are not those of its range";
    return NULL;
}

static bool read_axes(const char *text, VendorShape *s)
{
    for (int i = 0; i < s->rank; i++) {
        if (!*text || !strchr("NCHW", *text) || (text[1] && text[1] != 'x'))
            return false;
        s->axis[i] = *text;
        text += text[1] ? 2 : 1;
    }
    return *text == 0;
}

/* "[1x3x32x32] NxCxHxW" or "[1, 16, 1024]" */
static bool read_shape_line(const char *line, VendorShape *s)
{
    char *end;
    const char *p = line + 1;
    if (*line != '[')
        return false;
    for (s->rank = 0; *p && *p != ']'; s->rank++) {
        p += strspn(p, "x, ");
        if (s->rank == VENDOR_MAX_RANK || !isdigit((unsigned char)*p))
            return false;
        s->dim[s->rank] = strtoll(p, &end, 10);
        p = end;
    }
    return *p == ']' && (p[1] != ' ' || read_axes(p + 2, s));
}

static bool read_buffer_line(const char *line, VendorTensor *t)
{
    int64_t bytes;
    t->is_constant = strncmp(line, "buffer ", 7) == 0;
    if (!t->is_constant)
        return strcmp(line, "no buffer") == 0;
    double real = strtod(line + 7, NULL);
    bytes = real >= 0 && real < 1e15 ? (int64_t)real : -1;
    t->constant_bytes = bytes < 0 ? 0 : (size_t)bytes;
    return bytes >= 0;
}

/* "source: {a, b}", "source: none" or "source: unknown" */
static bool read_source_line(Arena *a, const char *line, VendorTensor *t)
{
    if (strncmp(line, "source: ", 8) != 0)
        return false;
    line += 8;
    t->source = strcmp(line, "unknown") == 0 ? SOURCE_UNKNOWN : SOURCE_NONE;
    size_t size = strlen(line), cap = 0;
    const char **name = NULL;
    if (*line != '{' || line[size - 1] != '}')
        return t->source == SOURCE_UNKNOWN || strcmp(line, "none") == 0;
    const char *p = line + 1, *close = line + size - 1;
    while (p < close) {
        const char *comma = strstr(p, ", ");
        const char *end = comma ? comma : close;
        *VEC_PUSH(a, name, t->nsource, cap) = arena_strndup(a, p, (size_t)(end - p));
        p = comma ? comma + 2 : close;
    }
    t->source = SOURCE_NAMES;
    t->source_name = name;
    return true;
}

/* The rest of a label: a long list of sources is broken after each fourth. */
static const char *joined_lines(const Lines *l, size_t from)
{
    size_t size = 1;
    for (size_t i = from; i < l->count; i++)
        size += strlen(l->line[i]) + 1;
    char *text = arena_alloc(l->arena, size), *end = text;
    for (size_t i = from; i < l->count; i++) {
        end = stpcpy(end, l->line[i]);
        if (i + 1 < l->count)
            *end++ = ' ';
    }
    return text;
}

/* "T9] in#0" */
static bool read_head_line(const char *line, VendorEnd *end)
{
    const char *in = strstr(line, "in#"), *out = strstr(line, "out#");
    *end = (VendorEnd){-1, -1};
    return (!in || read_wholes(in, &end->input, 1, 0)) &&
           (!out || read_wholes(out, &end->output, 1, 0)) && end->input >= -1 &&
           end->output >= -1 && strchr(line, ']');
}

/* Lines after the element's: the range's two where it is quantized, shape, buffer, name, source. */
static const char *read_tensor_lines(const Lines *l, VendorTensor *t)
{
    size_t i = 2;
    if (t->quantized) {
        if (l->count < i + 2 || !read_range_line(l->arena, l->line[i], t))
            return "its label has no range";
        const char *fact = check_scale_line(l->line[i + 1], t);
        if (fact)
            return fact;
        i += 2;
    }
    if (l->count < i + 4 || !read_shape_line(l->line[i], &t->shape))
        return "its label has no shape, or one of more than 8 axes";
    if (!read_buffer_line(l->line[i + 1], t))
        return "its label does not say whether it is a constant";
    if (strncmp(l->line[i + 2], "name:", 5) != 0 ||
        !read_source_line(l->arena, joined_lines(l, i + 3), t))
        return "its label has no name or no source";
    t->name = after_blanks(l->line[i + 2] + 5);
    return NULL;
}

const char *vendor_label_tensor(Arena *a, const char *label, VendorTensor *t, VendorEnd *end)
{
    Lines l = {.arena = a};
    split_lines(&l, label, "\\l");
    if (l.count < 2 || !read_head_line(l.line[0], end))
        return "its label does not begin with its number";
    if (!read_element_word(l.line[1], t))
        return "its label has no element type that is known";
    return read_tensor_lines(&l, t);
}
