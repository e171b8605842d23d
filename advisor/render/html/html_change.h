/* Writes one change, work by hand or observation as a row that opens. */
#pragma once

#include "advisor/render/html/html.h"
#include "advisor/report/finding.h"

typedef enum {
    PAGE_ROW_OPENS, /* with its setting, and all about it below */
    PAGE_ROW_LINK,  /* it opens further above: the row leads there */
    PAGE_ROW_NOTE,  /* an observation: without a saving and needs */
} PageRowKind;

typedef struct {
    const ResultInterval *value; /* NULL: merged with the next row */
    const char *unit;            /* "ns" or "per_s" */
    bool up_to;                  /* value->hi is the most */
} PageSaving;

/* The heads of the columns, on wide pages. */
void page_change_heads(Page *p, PhraseId what, PhraseId saving);

/* `saving` is not read for a note. */
void page_change(Page *p, const ReportedFinding *x, const PageSaving *saving, PageRowKind kind);
