/* Writes the calibration file, which overrides the target's figures by name. */
#include "cost_model/calibrate.h"
#include "graph/base/xml.h"

static void put_attr(FILE *out, const char *name, const char *value)
{
    if (!value)
        return;
    fprintf(out, " %s=\"", name);
    xml_put(out, value);
    putc('"', out);
}

static void put_number(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=\"%.6g\"", name, value);
}

static void put_interval(FILE *out, const char *mid, const char *lo, const char *hi, Interval v)
{
    assert(!(v.lo > v.mid) && !(v.mid > v.hi));
    put_number(out, mid, v.mid);
    if (v.lo < v.mid || v.hi > v.mid) {
        put_number(out, lo, v.lo);
        put_number(out, hi, v.hi);
    }
}

static void put_spans(FILE *out, size_t spans)
{
    fprintf(out, " source=\"%zu measured %s\"", spans, spans == 1 ? "span" : "spans");
}

static void put_source(FILE *out, size_t spans)
{
    put_attr(out, "kind", "calibrated");
    put_spans(out, spans);
    fputs("/>\n", out);
}

static void write_figure(FILE *out, const CalibratedFigure *f)
{
    const char *name = f->info->name;
    if (f->kept) {
        fputs("  <kept", out);
        put_attr(out, "name", name);
        put_attr(out, "reason", f->kept);
        fputs("/>\n", out);
        return;
    }
    fputs("  <p", out);
    put_attr(out, "name", name);
    put_interval(out, "value", "lo", "hi", f->value);
    put_attr(out, "unit", f->info->unit);
    put_source(out, f->spans);
}

static void write_kind(FILE *out, const Calibration *cal, int k)
{
    for (int i = 0; i < TERM_MAX; i++) {
        if (cal->kind_factor[k][i] == 1)
            continue;
        fputs("  <kind", out);
        put_attr(out, "name", program_lowop_name((LowOpKind)k));
        put_attr(out, "term", cal->term[i]);
        put_number(out, "factor", cal->kind_factor[k][i]);
        put_spans(out, cal->kind_spans[k]);
        fputs("/>\n", out);
    }
}

static void write_law(FILE *out, const CalibratedLaw *c)
{
    const HostCost *h = &c->law;
    if (c->kept)
        return;
    fputs("  <host", out);
    put_attr(out, h->of_operator ? "operators" : "op", h->op);
    put_attr(out, "from", h->from ? dtype_name(h->from) : NULL);
    put_attr(out, "to", h->to ? dtype_name(h->to) : NULL);
    put_attr(out, "since", h->since ? sdk_text(h->since) : NULL);
    put_attr(out, "until", h->until ? sdk_text(h->until) : NULL);
    put_attr(out, "unit", costs_host_unit_text(h->unit));
    put_interval(out, "fixed_ns", "fixed_lo", "fixed_hi", h->fixed_ns);
    put_interval(out, "per_unit_ns", "per_unit_lo", "per_unit_hi", h->per_unit_ns);
    put_attr(out, "kind", "calibrated");
    put_spans(out, c->spans);
    fputs(h->nalso ? ">\n" : "/>\n", out);
    for (int i = 0; i < h->nalso; i++) {
        fputs("    <also", out);
        put_attr(out, "unit", costs_host_unit_text(h->also[i].unit));
        put_interval(out, "per_unit_ns", "per_unit_lo", "per_unit_hi", h->also[i].per_unit_ns);
        fputs("/>\n", out);
    }
    if (h->nalso)
        fputs("  </host>\n", out);
}

Status calibration_write(const Calibration *cal, const char *path, Diag *diag)
{
    assert(cal->target && cal->nfigure <= FIGURE_MAX);
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    fprintf(f.stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<calibration");
    put_attr(f.stream, "target", cal->target);
    fprintf(f.stream, " schema=\"1\">\n");
    for (size_t i = 0; i < cal->nfigure; i++)
        write_figure(f.stream, &cal->figure[i]);
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        write_kind(f.stream, cal, k);
    for (size_t i = 0; i < cal->nlaw; i++)
        write_law(f.stream, &cal->law[i]);
    fprintf(f.stream, "</calibration>\n");
    return file_out_commit(&f, diag);
}
