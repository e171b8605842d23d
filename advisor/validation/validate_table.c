/* Prints the accuracy of the cost model as a Markdown table.  Each row says whether its points were
 * left out of the fit. */
#include "advisor/validation/validate.h"

/* Metrics of one row (a NULL ends them), in the order of the rows. */
static const struct {
    const char *title;
    const char *metric[4];
} row_table[] = {
    {"End to end, synchronous calls and tables of the vendor", {"end_to_end_ms"}},
    {"End to end, MLPerf single stream", {"latency_mean_ms", "latency_p90_ms"}},
    {"Time per image under load", {"period_ms", "query_mean_ms", "query_p99_ms"}},
    {"Host operators, one by one", {"host_op_ms"}},
    {"NPU operators, by kind", {"npu_op_ms"}},
    {"Rows of layer tables, with the least time of a row from the table", {"layers"}},
};

static void print_score_row(FILE *out, const char *title, const char *left_out, const Score *s)
{
    fprintf(out, "| %s | %s | %zu | %.1f %% | %.1f %% | %.0f %% | %.2f |\n", title, left_out, s->n,
            100 * s->mean_abs_error, 100 * s->median_abs_error, 100 * s->interval_coverage,
            s->median_width);
}

static void print_table(Arena *a, const Validation *v, FILE *out)
{
    fputs("| What | Left out of the fit | Points | Mean error | Median error | In 90 % interval | "
          "Median width |\n|---|---|---:|---:|---:|---:|---:|\n",
          out);
    if (v->has_fit) {
        print_score_row(out, "NPU time", "its family of networks", &v->fit.families.all);
        print_score_row(out, "NPU time", "the point", &v->fit.left_out);
    }
    for (size_t i = 0; i < sizeof row_table / sizeof *row_table; i++) {
        Score s = validate_score(a, v, row_table[i].metric, SCORE_PREDICTED);
        if (s.n)
            print_score_row(out, row_table[i].title, "nothing", &s);
    }
}

Status validate_table(Arena *a, const Validation *v, const char *path, FILE *out, Diag *diag)
{
    if (strcmp(path, "-") == 0) {
        print_table(a, v, out);
        return STATUS_OK;
    }
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    print_table(a, v, f.stream);
    return file_out_commit(&f, diag);
}
