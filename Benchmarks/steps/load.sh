# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# The load, pinned to its own core.

# load SCRIPT ADDRESS CONNECTIONS SECONDS [VARIABLE=VALUE…]
#
# Prints the script's `measured` line; an answer that is an error ends the run, and so does a count of requests that
# was not reached in time: wrk's own report of the time that was up gives it away.
load() {
    local script=$1 address=$2 load_connections=$3 duration=$4 output line
    shift 4
    output=$(mktemp "$work/load.XXXXXX")
    env SESSIONS_FILE="$work/sessions" "$@" timeout --foreground "$((duration + 30))" taskset -c "$load_core" \
        wrk -t 1 -c "$load_connections" -d "${duration}s" --timeout 10s -s "$BENCHMARKS/$script" "$address" \
        >"$output" 2>&1 || fail "$script failed: $(tail -n 3 "$output")"
    grep -q 'requests in' "$output" || return 0
    line=$(grep '^measured ' "$output") || fail "$script was not done after $duration s"
    [[ $(field errors "$line") == 0 ]] || fail "$script was answered with errors: $line"
    echo "$line"
}

# field NAME LINE: the value of NAME=… in a line.
field() {
    local word
    for word in $2; do
        [[ $word != "$1="* ]] || echo "${word#*=}"
    done
}

# Opens fresh sessions and leads each to the beginning of its walk.
open_walks() {
    load load/open.lua "${address[usher]}" 1 60 SESSIONS="$open_sessions"
    [[ $(wc -l <"$work/sessions") == "$open_sessions" ]] || fail "not all sessions could be opened"
}

# median NUMBER…
median() {
    printf '%s\n' "$@" | sort -n | awk '{ all[NR] = $1 } END {
        print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'
}

# quotient A B [DECIMALS]
quotient() {
    awk -v a="$1" -v b="$2" -v decimals="${3:-2}" 'BEGIN { printf "%.*f", decimals, b == 0 ? 0 : a / b }'
}
