#!/bin/sh
# One more of everything that ARCHITECTURE.md says how to add.
exec tests/tools/add_one "$@"
