#!/bin/sh
# Prints the C definition of the target that holds when none is named: the one file whose root says default="yes".
set -eu
found=$(grep -lE '^<target .*default="yes"' rules/targets/*.xml) || { echo "no target of rules/targets is the default" >&2; exit 1; }
[ "$(echo "$found" | wc -l)" = 1 ] || { echo "more than one target is the default:" $found >&2; exit 1; }
printf '#define TARGET_DEFAULT "%s"\n' "$(basename "$found" .xml)"
