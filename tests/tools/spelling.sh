#!/bin/sh
# Spells the prose of pages: spelling.sh WORDS PAGE…    prints each word that neither hunspell's en_US nor WORDS (one a line) knows, with its page.
# Code, links' addresses and names in capitals or with digits are not prose.
set -eu
words=$1
shift
for page; do
    awk '/^```/ { code = !code; next } !code && !/^    /' "$page" |
        sed 's/`[^`]*`//g; s/](\([^)]*\))/]/g; s/<[^>]*>//g; s/https*:[^ )]*//g; s/[A-Za-z_]*[_\/.][A-Za-z_\/.]*[A-Za-z]//g; s/[A-Za-z]*[0-9][A-Za-z0-9]*//g; s/\b[A-Z][A-Z]*s*\b//g; s/&[a-z]*;//g' |
        hunspell -d en_US,en_GB -p "$words" -l 2> /dev/null | sort -u | sed "s|^|$(basename "$page"): |"
done
