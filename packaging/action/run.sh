#!/bin/sh
# Advises about every model of $MODELS and ends with the worst status: 2 unreadable, 1 failed, 3 inconclusive, 0.
# Annotations go to stdout, a summary to $GITHUB_STEP_SUMMARY, npu.sarif, npu.xml and npu.json to $OUTPUT.  No model is a
# mistake: status 2.
# For a pull request, $SETTINGS and $BASELINE are taken from the target branch: the
# pull request itself may only add checks.
set -u
advise=${NPU_ADVISE:-npu-advise}
output=${OUTPUT:-npu-advise-results}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
settings=${SETTINGS:-npu-advise.json}
baseline=${BASELINE:-}
mkdir -p "$output"
trusted=$(mktemp -d)
trap 'rm -rf "$trusted"' EXIT
if [ -n "${GITHUB_BASE_REF:-}" ]; then
    if ! git fetch --quiet --depth=1 origin "$GITHUB_BASE_REF"; then
        echo "::error title=npu-advise::the target branch cannot be fetched: its settings decide"
        exit 2
    fi
    git show "FETCH_HEAD:$settings" > "$trusted/npu-advise.json" 2> /dev/null || echo '{}' > "$trusted/npu-advise.json"
    if [ -n "$baseline" ] && ! git show "FETCH_HEAD:$baseline" > "$trusted/baseline.json" 2> /dev/null; then
        echo "::notice title=npu-advise::the target branch has no baseline yet: every finding counts"
        rm -f "$trusted/baseline.json"
    fi
else
    [ ! -f "$settings" ] || cp "$settings" "$trusted/npu-advise.json"
    [ -z "$baseline" ] || cp "$baseline" "$trusted/baseline.json" || exit 2
fi
set --
[ ! -f "$trusted/npu-advise.json" ] || set -- "$@" --config "$trusted/npu-advise.json"
[ ! -f "$trusted/baseline.json" ] || set -- "$@" --baseline "$trusted/baseline.json"

# In one run: one status for all, one file of each form, and a baseline of many models holds each by its name.  Patterns
# are filled in by the program, so that they name a set however many models fit.
set -f
# shellcheck disable=SC2086  # models and options are meant to be split
"$advise" $MODELS "$@" ${ARGS:-} --quiet --format github --sarif "$output/npu.sarif" --junit "$output/npu.xml" --json "$output/npu.json" \
    --markdown "$trusted/summary.md" 2> "$trusted/errors"
status=$?
case $status in 0 | 1 | 2 | 3) ;; *) status=2 ;; esac
[ -s "$trusted/errors" ] && { printf '::error title=npu-advise::'; head -n 1 "$trusted/errors" | sed 's/%/%25/g'; }
[ ! -f "$trusted/summary.md" ] || cat "$trusted/summary.md" >> "$summary"
[ -z "${GITHUB_OUTPUT:-}" ] || echo "status=$status" >> "$GITHUB_OUTPUT"
exit "$status"
