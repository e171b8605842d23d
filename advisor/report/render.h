/* Declares the renderers that print a result tree as text or as one HTML page.
 *
 * They read the tree only, and never say more than it does. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/report/command_words.h"
#include "advisor/report/result.h"
#include "advisor/rules/rule.h"

typedef struct {
    const Language *lang; /* NULL: English */
    bool colour;
    bool verbose;      /* every recommendation, with its evidence */
    bool front;        /* the Pareto front as well, where the result has one */
    const char *again; /* the words of the command line as it was given; NULL: from the tree, where
                          files have lost their folders */
    const char *again_apply; /* for apply, less a trace of another model; NULL: from the tree */
    const char *anchor; /* the file that annotations point at; NULL: the model as the tree has it */
    int anchor_line;    /* 0: the first */
} View;

void text_result(FILE *out, const Result *result, const View *view);
void text_diff(FILE *out, const cJSON *diff, const View *view);       /* the tree of diff.h */
void text_fleet_diff(FILE *out, const cJSON *diff, const View *view); /* that of fleet_diff.h */
void text_rule(FILE *out, const Rule *rule, const View *view);

/* One file without requests and time stamps. False when memory ends or `out` fails. */
bool html_result(FILE *out, const Result *result, const View *view);

bool html_diff(FILE *out, const cJSON *diff, const View *view);

/* The models of a run; `summary` is that of set_summary.h. */
bool html_set(FILE *out, const cJSON *summary, const View *view);
void text_set(FILE *out, const cJSON *summary, const View *view);
