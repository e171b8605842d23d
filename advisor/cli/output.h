/* Sends results where the options say, to files (renamed once they are whole) or to stdout. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/report/render.h"
#include "advisor/report/result.h"
#include "advisor/report/result_json.h"
#include "advisor/report/result_set.h"

/* --lang, --color, --verbose, and the command line to repeat. */
View view_from_args(Context *c, const Args *args);

/* With the result: the commands to type next leave out traces that it says are of another model.
 */
void view_after(Context *c, const Args *args, ResultRefuted refuted, View *view);

/* The same in the language of a result that was made before (NULL: of none), whose sentences are
 * what they are. */
View view_of_result(Context *c, const Args *args, const Result *r);

/* Writes --json FILE of any tree, if it is given. *ret_to_stdout: the result went to stdout,
 * nothing else may. */
Status output_json(Context *c, const Args *args, const cJSON *tree, bool *ret_to_stdout);

/* Opens the file of --html; ret->stream is NULL where it is not given.  *ret_to_stdout as above. */
Status output_page_open(Context *c, const Args *args, OutFile *ret, bool *ret_to_stdout);
/* Puts it in its place, or removes it where the page could not be written. */
Status output_page_close(Context *c, const Args *args, OutFile *f, bool is_written);

/* What can be said before the work is done: of any command, a file that cannot be written; */
Status output_check_files(Context *c, const Args *args);

/* of one that gives a result in forms, also a --format that there is not and two forms on stdout.
 */
Status output_check(Context *c, const Args *args);

/* How many forms go to stdout instead of the text: at most one may. */
size_t output_forms_on_stdout(const Args *args);

/* --json, --html and --format of a result; the text unless stdout is taken. */
Status output_result(Context *c, const Args *args, const Result *r, const View *view);

/* The same for the models of a run. */
Status output_set(Context *c, const Args *args, const ResultSet *set, const View *view);

/* "wrote FILE", where the text is on stdout. */
void output_wrote(Context *c, const Args *args, const char *path);

/* The options given that decide results, as they would be given again. */
const char *output_settings(Arena *a, const Args *args);
