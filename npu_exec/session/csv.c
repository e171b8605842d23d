/* Writes each span as one row, with empty columns where it has no value. */
#include "npu_exec/session/csv.h"
#include "graph/base/log_command.h"

Status csv_open(OutFile *f, const char *path, Diag *diag)
{
    Status st = file_out_open(f, path, diag);
    if (!st)
        fputs("trace_id,parent_span_id,span_id,start,end,cat,name,thread.id,dram_base,pe_index,"
              "execution_index,instruction_index,operator_index\n",
              f->stream);
    return st;
}

/* Names hold no line breaks; a comma or quote asks for quotes. */
static void write_name(FILE *out, const char *name)
{
    if (!strpbrk(name, ",\"\r\n#") && !log_command_begins(name)) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', out);
        if (log_command_at(name))
            fputs("\\x23", out);
        else
            fputc(*name, out);
    }
    fputc('"', out);
}

static void write_index(FILE *out, int32_t index)
{
    if (index == INDEX_NONE)
        fputc(',', out);
    else
        fprintf(out, ",%" PRId32, index);
}

void csv_span(FILE *out, const Span *s, const char *cat)
{
    bool npu = s->pe_index != INDEX_NONE;
    fprintf(out, "%016" PRIx64 "%016" PRIx64 ",%016" PRIx64 ",%016" PRIx64, s->trace_id_high,
            s->trace_id, s->parent_id, s->span_id);
    fprintf(out, ",%" PRId64 ",%" PRId64 ",%s,", s->start_ns, s->start_ns + s->dur_ns, cat);
    write_name(out, s->kind == SPAN_TASK ? "Execution" : s->name);
    fprintf(out, ",%" PRId64 ",%s", s->tid, npu ? "0" : "");
    write_index(out, s->pe_index);
    write_index(out, s->execution_index);
    write_index(out, s->kind == SPAN_TASK ? INDEX_NONE : s->instruction_index);
    write_index(out, s->operator_index);
    fputc('\n', out);
}
