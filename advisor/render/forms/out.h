/* Writes results as other programs read them (formats.xml), and declares what these forms
 * share.  Names come from strangers' models: every text is shown plainly (advisor/message/plain.h)
 * before it is quoted as the format demands. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/report/finding.h"
#include "advisor/report/render.h"
#include "advisor/report/result_set.h"

/* True when all was written. */
typedef bool OutputWriter(FILE *out, const ResultSet *set, const View *view);

#define FORMAT(name, option, most, function) OutputWriter function;
#include "advisor/render/forms/formats.def"

/* The same, but line ends stay: of a fix of several lines.  A line that a CI would take for a
 * command (it begins with ":" or "#") is joined to the one before. */
const char *out_lines(Arena *a, const char *s, size_t limit);

/* Calls `each` for the entries of a set in order.  The result of a model without one has nothing
 * in it (entry->has_result is false); it and `a` live until the call returns.  Of many models,
 * view->anchor is the model's path unless one was given. */
typedef void OutEach(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                     const View *view);
void out_each(const ResultSet *set, const View *view, OutEach *each, void *user);

/* "unreadable", "failed", "inconclusive" or "passed", of an exit status. */
const char *out_status(int status);

/* All of `s` as it is shown, at most `limit` bytes of it (then "…"); "?" for NULL. */
const char *out_text(Arena *a, const char *s, size_t limit);

/* `text` with each character of `special` printed in the format `code`: "%%%02X" … */
const char *out_escape(Arena *a, const char *text, const char *special, const char *code);

/* One line: title, saving and its source, fix. */
const char *out_message(Arena *a, const Result *r, const ReportedFinding *finding);

/* "9.65 ms [8.1, 11.2], predicted": finding_saving in words. */
const char *out_saving(Arena *a, const Result *r, const ReportedFinding *finding);

/* "input,accuracy", or "none". */
const char *out_needs(Arena *a, const ResultTexts *needs);

/* Node, tensor or operator of a place; "" for the whole model. */
const char *out_location(Arena *a, const ResultWhere *where);

/* The file to point at: view->anchor, else the model; relative, never absolute. */
const char *out_file(Arena *a, const Result *result, const View *view);

/* The same percent-encoded. */
const char *out_uri(Arena *a, const Result *result, const View *view);

/* What an assertion expects and what was found, in English. */
const char *out_assertion(Arena *a, const ResultAssertion *assertion);

/* "pass", "fail" or "inconclusive". */
const char *out_outcome(const ResultAssertion *assertion);

/* Rows for tables: one for the result, then one per change, work by hand and observation, all of
 * the same columns. */
typedef struct {
    const char *text; /* NULL: none */
    double number;
    bool is_number;
} OutCell;
enum { OUT_ROW_COLUMNS = 27 };
const char *out_row_column(size_t i); /* its name */
/* Calls `put` for the rows of a set in order; the texts of a row live until it returns. */
typedef void RowPut(void *user, const OutCell cell[OUT_ROW_COLUMNS]);
void out_rows(const ResultSet *set, const View *view, RowPut *put, void *user);
