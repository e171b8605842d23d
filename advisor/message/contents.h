/* advisor/message/ holds phrases, figures, JSON trees, and the processes that the
 * program starts.
 *
 * figure: Formats figures for people with three significant digits, in the unit that fits.
 * helper: Starts runners from a copy of this process that was made before the sandbox was entered.
 * json: Reads, searches, builds and writes JSON trees and result files.
 * json_build: Adds values to a JSON tree; a missing value becomes null.
 * json_read: Looks up values in a JSON tree and reads a tree from a file.
 * json_write: Writes a JSON tree with fixed indentation, escapes and digits.
 * markdown: Writes text into Markdown, with markup characters escaped and newlines as blanks.
 * phrase: Holds every sentence that the advisor prints by itself, in the user's language.
 * plain: Makes any bytes fit to be shown in a terminal, a page or a log.
 * process: Runs programs and copies of this process within limits of time and disk space.
 * text_out: Writes wrapped, indented and optionally coloured text for a terminal of 60 to 160
 *     columns. */
