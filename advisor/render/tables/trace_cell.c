/* Makes cells of each kind, and shows any of them as plain text. */
#include "advisor/render/tables/trace_cell.h"

Cell cell_none(void)
{
    return (Cell){.kind = CELL_NONE};
}

Cell cell_int(int64_t v)
{
    return (Cell){.kind = CELL_INT, .integer = v};
}

Cell cell_real(double v)
{
    return (Cell){.kind = CELL_REAL, .real = v};
}

Cell cell_figure(double v, const char *(*show)(Figure *, double))
{
    return (Cell){.kind = CELL_REAL, .real = v, .figure = show};
}

Cell cell_known(double v, const char *(*show)(Figure *, double))
{
    return v > 0 ? cell_figure(v, show) : cell_none();
}

Cell cell_text(const char *s)
{
    return s ? (Cell){.kind = CELL_TEXT, .text = s} : cell_none();
}

Cell cell_word(const char *s)
{
    return (Cell){.kind = CELL_TEXT, .text = s, .is_word = true};
}

Cell cell_bool(bool v)
{
    return (Cell){.kind = CELL_BOOL, .integer = v};
}

Cell cell_hex(uint64_t high, uint64_t low, int digits)
{
    assert(digits == 16 || digits == 32);
    return high || low ? (Cell){.kind = CELL_HEX, .high = high, .low = low, .digits = digits}
                       : cell_none();
}

const char *cell_show(const Cell *c, char buf[CELL_TEXT_SIZE])
{
    buf[0] = '\0';
    if (c->kind == CELL_INT)
        snprintf(buf, CELL_TEXT_SIZE, "%" PRId64, c->integer);
    else if (c->kind == CELL_REAL)
        snprintf(buf, CELL_TEXT_SIZE, "%.6f", c->real);
    else if (c->kind == CELL_BOOL)
        snprintf(buf, CELL_TEXT_SIZE, "%s", c->integer ? "true" : "false");
    else if (c->kind == CELL_HEX && c->digits > 16)
        snprintf(buf, CELL_TEXT_SIZE, "%016" PRIx64 "%016" PRIx64, c->high, c->low);
    else if (c->kind == CELL_HEX)
        snprintf(buf, CELL_TEXT_SIZE, "%016" PRIx64, c->low);
    else if (c->kind == CELL_TEXT)
        return c->text;
    return buf;
}
