#!/usr/bin/env bash
# Marks one hand-in. Gradescope runs this script as root for each hand-in, and limits the time of the script.
# The bot runs in a sandbox, or as a separate user: it cannot write to the folder of the results, and cannot
# read what Gradescope says about earlier hand-ins.
set -uo pipefail
root=${AUTOGRADER:-/autograder}
source=${HARNESS_SOURCE:-$root/source}
environment=${HARNESS_ENVIRONMENT:-$root/harness}
results=$root/results/results.json

mkdir -p "$root/results"
chmod go-rwx "$root/results"
if [ -e "$root/submission_metadata.json" ]; then chmod go-rwx "$root/submission_metadata.json"; fi
rm -f "$results"
status=0
PYTHONPATH=$source "$environment/bin/python" -m harness mark "$source/course" "$root/submission" \
    --out "$results" ${HARNESS_SUMMARY:+--summary "$HARNESS_SUMMARY"} || status=$?
if [ ! -s "$results" ]; then
    said='The autograder failed, and this is not the fault of the bot. Please tell your instructor.'
    printf '{"score": 0, "output": "%s", "visibility": "visible", "stdout_visibility": "hidden"}\n' "$said" >"$results"
fi
# Gradescope needs exit code 0 if there are results. A workflow of GitHub needs the exit code of `harness mark`.
[ -z "${GITHUB_ACTIONS:-}" ] || exit "$status"
