/* advisor/message/ holds phrases, figures, languages, JSON trees, and the processes that the
 * program starts.
 *
 * figure.h figure.c: Formats figures for people with three significant digits, in the unit that
 *     fits the value.
 * helper.h helper.c: Starts runners from a copy of this process that was made before the
 *     sandbox was entered.
 * json.h: Reads, searches, builds and writes JSON trees and result files.
 * json_build.c: Adds values to a JSON tree; a missing value becomes null.
 * json_read.c: Looks up values in a JSON tree and reads a tree from a file.
 * json_write.c: Writes a JSON tree with fixed indentation, escapes and digits.
 * languages.h languages.c: Lists and loads the languages of messages: English, and each TAG.xml
 *     in rules/lang.
 * markdown.h markdown.c: Writes text into Markdown, with markup characters escaped and newlines
 *     as blanks.
 * phrase.h phrase.c: Holds every sentence that the advisor prints by itself, in the user's
 *     language.
 * phrases.def: Lists every phrase of the advisor.
 * plain.h plain.c: Makes any bytes fit to be shown in a terminal, a page or a log.
 * process.h process.c: Runs programs and copies of this process within limits of time and disk
 *     space.
 * width.def: Gives the terminal columns of characters in Unicode 14.0.0: 2 for East_Asian_Width
 *     W and F, 0 for combining marks and for Hangul medial and final letters. */
