#!/bin/sh
# Relative links and pictures in pages (.md), or in all below a folder, that lead to no file, one a line; status 1 if there is one, or no page.
#   tests/tools/links.sh FOLDER|PAGE…
set -eu
pages=$(find "$@" -name '*.md' | LC_ALL=C sort)
[ -n "$pages" ] || { echo "$*: no page"; exit 1; }
dead=$(for page in $pages; do
    { grep -o '](\([^()# ]*\)' "$page" || true; } | sed 's/^](//' | while read -r to; do
        case $to in ''|*:*) continue ;; esac
        [ -e "$(dirname "$page")/$to" ] || echo "$page: $to"
    done
done)
[ -z "$dead" ] || { printf '%s\n' "$dead"; exit 1; }
echo "$(printf '%s\n' "$pages" | wc -l) pages: every link leads to a file"
