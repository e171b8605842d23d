/* The HTML report, section by section: each section is one function in a file html_<what>.c, in
 * the order of html_page.c.  Figures stand in <data value="…"> with the JSON's own number. */
#ifndef ADVISOR_HTML_HTML_H
#define ADVISOR_HTML_HTML_H

#include "advisor/result/digest.h"
#include "advisor/say/figure.h"
#include "advisor/html/html_write.h"
#include "advisor/say/phrase.h"
#include "advisor/result/render.h"

typedef struct {
    Html *h;
    const cJSON *r; /* the result */
    Digest d;
    const Language *lang;
    Arena *a; /* lists that a section sorts */
    /* Items of the result by place: its lists are chained. */
    const cJSON **step, **op, **value;
    size_t nstep, nop, nvalue;
} Page;

typedef struct {
    const char *id; /* of the section; NULL ends a list */
    PhraseId name;
    void (*write)(Page *p);
} Section;

/* A whole page; one section has the id "recommendations", where the skip link leads. */
bool html_document(FILE *out, const cJSON *tree, const View *view, const Section *sections,
                   const char *const title[2]);

enum { PAGE_NAME = 72 }; /* columns of a name before its middle is left out */

void html_verdict(Page *p);
void html_gains(Page *p);
void html_findings(Page *p);
void html_timeline(Page *p);
void html_classes(Page *p);
void html_operators(Page *p);
void html_steps(Page *p);    /* part of html_timeline */
void html_roofline(Page *p); /* part of html_operators */
void html_sram(Page *p);     /* part of html_curves */
/* Part of html_findings: the picture of what is around the place that a recommendation names. */
void html_neighbourhood(Page *p, const cJSON *rec);
void html_graph(Page *p);
void html_curves(Page *p);
void html_rules(Page *p);
void html_environment(Page *p);
/* Of a compiled graph with its measured times (html_layers.c). */
void html_layer_axis(Page *p);
void html_layer_shares(Page *p);
void html_layer_graph(Page *p);
void html_layer_table(Page *p);

/* ---- parts that sections share (html_parts.c) ---- */

/* <hN> with a phrase. */
void page_heading(Page *p, const char *tag, PhraseId id);
/* A paragraph of one phrase. */
void page_note(Page *p, PhraseId id);
/* "60.3 ms", or "60.3 ms [58.0 62.0]" of {lo, mid|median, hi}; "unknown" when it is not there. */
void page_value(Page *p, double value, const char *unit);
void page_interval(Page *p, const cJSON *o, const char *unit);
/* A number as it is, in <data>. */
void page_number(Page *p, double value);

/* <table> in a box that scrolls, with caption and column heads (PhraseIds, ended by SAY_COUNT). */
void page_table_open(Page *p, const char *class, PhraseId caption, const PhraseId *head);
void page_table_close(Page *p);
/* Folds a long table: <details> around it when it has more than a screenful of rows.  On paper a
 * dozen of them are shown, and that it is so. */
void page_fold_open(Page *p, PhraseId what, size_t rows);
void page_fold_close(Page *p, size_t rows);
/* The id of the element just started, for deep links: the fingerprint. */
void page_anchor(Page *p, const cJSON *item);

/* What is to be done: code can be copied, a sentence is read. */
void page_fix(Page *p, const cJSON *rec);
/* "and 12 more" below a table of `all` rows that shows no more than `shown`; else nothing. */
void page_and_more(Page *p, size_t all, size_t shown);
void page_row_open(Page *p);
void page_row_close(Page *p);
void page_cell_text(Page *p, const char *text);
void page_cell_value(Page *p, double value, const char *unit);
void page_cell_interval(Page *p, const cJSON *o, const char *unit);
/* Head of a row. */
void page_cell_head(Page *p, const char *text);

/* A bar from `from` to `to` of `full` in the fill of `class`; the figure stands beside it. */
void page_bar(Page *p, const char *class, double from, double to, double full);

/* ---- which step a recommendation speaks of (html_places.c) ---- */

/* True when the step or operator came from the ONNX node of that name. */
bool holds_node(const cJSON *item, const char *node);
/* How well a step fits what a recommendation speaks of: its operator counts more than its node,
 * for conversions stand beside the node that they serve. */
int page_step_fits(const cJSON *step, const cJSON *where);
/* The step that fits best; the first of equals; SIZE_MAX if none does. */
size_t page_step_of(const Page *p, const cJSON *where);

/* "host", "io" or "npu": the fill of a step. */
const char *step_class(const cJSON *step);
/* "convolution": an NPU operator in words; its own name where there are none. */
const char *operator_title(const Page *p, const cJSON *op);
/* "Quantize", or "transfer to the NPU" …: what a step is called. */
const char *step_title(const Page *p, const cJSON *step);
/* The first node's name and how many more there are. */
void page_nodes(Page *p, const cJSON *names);

#endif
