/* Writes text into Markdown, with markup characters escaped and newlines as blanks. */
#pragma once

#include <stdio.h>

void markdown_text(FILE *out, const char *s);
/* `code`; a backtick inside becomes an apostrophe. */
void markdown_code(FILE *out, const char *s);
/* A fenced block that nothing in `s` can end. */
void markdown_block(FILE *out, const char *s);
