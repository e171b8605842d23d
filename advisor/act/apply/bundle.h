/* Declares the files of a bundle beside the model, which are needed to run a changed model on the
 * card.
 *
 * Each file is written only where there is something to say in it, and says all of it: quantize.py
 * makes every setting of the quantizer in one script that runs as it is, runtime.json names those
 * of the run, reproduce.sh goes from the bundle to a compiled program and to the advice on it. */
#pragma once

#include "advisor/report/result.h"
#include "advisor/rules/variant.h"

typedef struct {
    Arena *a;
    const char *folder;
    const Model *model;        /* the one to go on with, types and shapes inferred */
    const char *model_here;    /* its name in the folder; NULL where it lies elsewhere */
    const Variant *variant;    /* all that was chosen; its edits are in the model */
    bool has_config;           /* compiler.yaml was written */
    bool sets_run;             /* a setting of the run was chosen */
    bool quantizes;            /* the model goes through quantize.py first … */
    bool has_quantized;        /* … or is quantized in the bundle already */
    const char *rules;         /* rule ids of the chosen changes, for comments */
    const char *const *option; /* npu-advise's, of the model */
    size_t noption;
    const char *goals; /* command_goals */
} Bundle;

/* What advises on the bundle's model beside its name: " --target …". */
const char *bundle_advice(const Bundle *b);

/* Each returns STATUS_OK without a file where none is needed. *ret_name: of the written file. */
Status bundle_quantize(const Bundle *b, const char **ret_name, Diag *diag);
Status bundle_runtime(const Bundle *b, const char **ret_name, Diag *diag);
Status bundle_reproduce(const Bundle *b, const char **ret_name, Diag *diag);

const char *bundle_quantized_name(Sdk sdk); /* of the file that quantize.py writes */

/* A string as JSON and Python write it; NULL: None. */
const char *bundle_quoted(Arena *a, const char *text);

/* Writes the file `name` from the template `from`, each {{NAME}} in it replaced by its value. */
typedef struct {
    const char *name, *value;
} TemplateValue;
Status bundle_fill(const Bundle *b, const char *name, const char *from, const TemplateValue *value,
                   size_t nvalue, Diag *diag);

/* The same from the templates of a family of targets, {{NAME}} in them replaced (target, sdk,
 * workers, cores, batch, rules, model, model_here, inputs, advice). */
enum { BUNDLE_FILES = 3 };
bool bundle_has_templates(Arena *a, const char *family);
Status bundle_templates(const Bundle *b, const char *family, const char *ret_name[BUNDLE_FILES],
                        Diag *diag);

/* An input or output of the model, as the application hands it over or is handed it. */
typedef struct {
    const char *name;
    const char *shape;
    DType dtype;
    DType model_dtype; /* before the quantizer's setting */
    bool scaled;       /* codes of one scale for all, which the model holds */
    double scale;
    int64_t zero;
} Crossing;

/* Inputs, then outputs, each in the model's order, and axes as they are fed. */
Crossing *bundle_crossings(const Bundle *b, size_t *ret_ninput, size_t *ret_count);
