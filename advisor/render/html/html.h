/* Declares the sections of the HTML report, each one function in a file html_<what>.c, in the order
 * of html_page.c.  Figures are in <data value="…"> with the JSON's own number. */
#pragma once

#include "advisor/render/html/blocks.h"
#include "advisor/report/summary.h"
#include "advisor/message/figure.h"
#include "advisor/render/html/html_write.h"
#include "advisor/message/phrase.h"
#include "advisor/report/render.h"

typedef struct {
    Html *h;
    const Result *result;  /* NULL: the page is of a difference or of a set */
    Summary summary;       /* of it */
    const cJSON *document; /* the result's whole tree; else what the page is of */
    const Language *lang;
    const char *again, *again_apply; /* as given, or NULL (render.h) */
    Arena *a;                        /* lists that a section makes */
    StrMap anchors;                  /* ids of findings that the page has */
    /* Of a page that is a workbench (html_data.c); else none. */
    Elements elements;
    Blocks blocks;
    Marks marks;
    uint32_t *row; /* elements in the order of the table */
} Page;

typedef struct {
    const char *id; /* of the section; NULL ends a list */
    PhraseId name;  /* in the list of sections */
    PhraseId head;  /* PHRASE_COUNT: the page's first heading, which the section writes */
    void (*write)(Page *p);
} Section;

typedef struct {
    const char *title[2]; /* second: NULL, or what the first is set against */
    const Section *section;
    const Result *result; /* which its script draws; NULL: of another document */
    const cJSON *document;
} Sheet;

/* A whole page; one section has the id "recommendations", where the skip link leads. */
bool html_document(FILE *out, const View *view, const Sheet *sheet);

enum { PAGE_NAME = 72 }; /* columns of a name before its middle is left out */

void html_summary(Page *p);
void html_advice(Page *p);
void html_timeline(Page *p);
void html_program(Page *p);
void html_operators(Page *p);
void html_curves(Page *p);
void html_rules(Page *p);
void html_environment(Page *p);
void html_front(Page *p); /* part of html_advice; nothing where the front is one point or none */
void html_sram(Page *p);  /* part of html_curves */
void html_gate(Page *p);  /* part of the first section; nothing where there is no gate */
void html_data(Page *p);  /* after the sections */
/* An element that is not shown, with 'text' in it: gzip, as base64. */
void html_packed(Page *p, const char *id, const char *text, size_t size);
/* Elements longest first; of Page.elements. */
uint32_t *rows_of(Arena *a, const Elements *e);
/* Of a compiled graph with its measured times (html_layers.c). */
void html_layer_axis(Page *p);
void html_layer_shares(Page *p);
void html_layer_graph(Page *p);
void html_layer_table(Page *p);

/* ---- names of the timeline (html_timeline.c) ---- */

/* What a span is called: the step's or operator's title where it is one, else the trace's name. */
const char *span_name(const Page *p, const char *name);

/* ---- controls of the charts (html_timeline.c) ---- */

void page_tool(Page *p, const char *id, const char *text,
               PhraseId label); /* PHRASE_COUNT: its text */
void page_advice_select(Page *p, const char *id, PhraseId none);
void page_canvas(Page *p, const char *id, PhraseId name, const char *described);
/* For a mouse and keys, for a finger: one of them is shown. */
void page_hints(Page *p, PhraseId fine, PhraseId coarse);

/* ---- parts that sections share (html_parts.c) ---- */

/* The id of the element that was started, unless another one has it. */
void page_anchor(Page *p, const char *id);
/* "npu-advise apply m.onnx --plan 0b7742e9 --output fixed" */
const char *page_apply_command(Page *p, const char *plan);

/* A command line to copy. */
void page_command(Page *p, const char *command);

/* <hN> with a phrase. */
void page_heading(Page *p, const char *tag, PhraseId id);
/* A paragraph of one phrase. */
void page_note(Page *p, PhraseId id);
/* "60.3 ms", and "60.3 ms [58.0 62.0]". */
void page_value(Page *p, double value, const char *unit);
void page_interval(Page *p, const ResultInterval *x, const char *unit);
/* The phrase with one count filled in, in `.text`. */
Phrase page_count(const Page *p, PhraseId id, size_t n);
/* A number as it is, in <data>. */
void page_number(Page *p, double value);

/* <table> in a box that scrolls, with caption and column heads (PhraseIds, ended by PHRASE_COUNT).
 */
void page_table_open(Page *p, const char *class, PhraseId caption, const PhraseId *head);
void page_table_close(Page *p);
/* Folds a long table: <details> around it when it has more than a screenful of rows.  On paper a
 * dozen of them are shown, and that it is so. */
void page_fold_open(Page *p, PhraseId what, size_t rows);
void page_fold_close(Page *p, size_t rows);

/* "and 12 more" below a table of `all` rows that shows no more than `shown`; else nothing. */
void page_and_more(Page *p, size_t all, size_t shown);
void page_row_open(Page *p);
void page_row_close(Page *p);
void page_cell_text(Page *p, const char *text);
void page_cell_value(Page *p, double value, const char *unit);
void page_cell_count(Page *p, double n);
/* Of a row of another document, with a unit, after `before`; "–" where it has no such number. */
void page_cell_known(Page *p, const cJSON *row, const char *key, const char *before);
void page_cell_interval(Page *p, const ResultInterval *x, const char *unit); /* NULL: "–" */
/* Head of a row. */
void page_cell_head(Page *p, const char *text);
/* A row of two cells: its head, and a cell that stays open for its content. */
void page_field_open(Page *p, PhraseId name);
void page_field_close(Page *p);

/* A bar from `from` to `to` of `full` in the fill of `class`; the figure stands beside it. */
void page_bar(Page *p, const char *class, double from, double to, double full);

/* The little square that shows the fill of a kind. */
void page_key(Page *p, const char *class);
