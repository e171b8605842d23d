/* advisor/message/: how things are said: plain text, phrases, figures, JSON; processes.
 *
 * figure.h figure.c: Figures as people read them: the unit is chosen per value, three significant
 *     digits
 * helper.h helper.c: A copy of this process, made before the sandbox, that starts the runner for
 *     it
 * json.h: JSON trees: looking things up, reading result files, building and writing any tree
 * json_build.c: Building a JSON tree: what is missing is null
 * json_read.c: Looking things up in a JSON tree, and reading one from a file
 * json_write.c: Writing a JSON tree
 * languages.h languages.c: The languages there are: English, and each TAG.xml in rules/lang
 * markdown.h markdown.c: Text inside Markdown: what would be read as markup is escaped, newlines
 *     become blanks
 * phrase.h phrase.c: Phrases: every word that the advisor says by itself, in the language at hand
 * phrases.def: Every phrase that the advisor says
 * plain.h plain.c: Plain: any bytes made fit to be shown
 * process.h process.c: Running a program: fork and exec, no shell, with a time limit
 * width.def: Columns of characters, Unicode 14.0.0: 2 is East_Asian_Width W and F, 0 what takes
 *     none (combining marks, Hangul medial and final letters) */
