#!/bin/sh
# Builds tests/tools/edit_model.c:  edit_model.sh BUILD PROGRAM
exec "$(dirname "$0")/build_program.sh" "$1" "$2" "$(dirname "$0")/edit_model.c" graph
