#!/bin/sh
# Advises about every model of $MODELS and ends with the worst status: 2 unreadable, 1 failed, 3 inconclusive, 0.
# Annotations go to stdout, summaries to $GITHUB_STEP_SUMMARY, files to $OUTPUT.  No model is a mistake: status 2.
# For a pull request, $SETTINGS and $BASELINE are taken from the branch that it is to be merged into: what it
# brings itself may only add checks.
set -u
advise=${NPU_ADVISE:-npu-advise}
output=${OUTPUT:-npu-advise-results}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
settings=${SETTINGS:-npu-advise.json}
baseline=${BASELINE:-}
mkdir -p "$output"
worst=0
found=0

worse() { # the order of severity: 0 3 1 2
    case $1$worst in
    00 | 03 | 01 | 02 | 33 | 31 | 32 | 11 | 12 | 22) ;;
    *) worst=$1 ;;
    esac
}

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

# shellcheck disable=SC2086  # patterns and options are meant to be split
for model in $MODELS; do
    if [ ! -f "$model" ]; then
        echo "::error title=npu-advise::no model fits a pattern of the input 'models'"
        worse 2
        continue
    fi
    found=$((found + 1))
    name=$output/$found
    "$advise" "$model" "$@" ${ARGS:-} --quiet --format github --sarif "$name.sarif" --junit "$name.xml" --json "$name.json" --markdown "$name.md" 2> "$name.err"
    status=$?
    case $status in 0 | 1 | 2 | 3) ;; *) status=2 ;; esac
    [ -s "$name.err" ] && { printf '::error title=npu-advise::'; head -n 1 "$name.err" | sed 's/%/%25/g'; }
    [ -f "$name.md" ] && cat "$name.md" >> "$summary"
    rm -f "$name.err" "$name.md"
    worse $status
done
[ -z "${GITHUB_OUTPUT:-}" ] || echo "status=$worst" >> "$GITHUB_OUTPUT"
exit "$worst"
