# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Allocations per request, counted in a run of their own: counting costs time.

measure_allocations() {
    local name
    declare -gA allocations=()
    [[ $((counted_requests % (2 * open_sessions))) == 0 ]] ||
        fail "BENCH_REQUESTS must be a multiple of twice BENCH_OPEN" 2
    echo
    echo "allocations: $counted_requests requests after as many to warm up, one connection"
    printf '%-10s %12s %16s\n' "" "per request" "bytes/request"
    start bare LD_PRELOAD="$PWD/$build/count.so" ALLOCATIONS_FILE="$work/bare.count"
    start usher LD_PRELOAD="$PWD/$build/count.so" ALLOCATIONS_FILE="$work/usher.count"
    for name in bare usher; do count_allocations "$name"; done
    stop usher
    stop bare
    summarise "allocations/request" "${allocations[bare]}" "${allocations[usher]}"
}

count_allocations() {
    local name=$1 before after
    send_counted "$name"
    before=$(counts "$name")
    send_counted "$name" again
    after=$(counts "$name")
    allocations[$name]=$(per_request 1 "$before" "$after")
    printf '%-10s %12s %16s\n' "$name" "${allocations[$name]}" "$(per_request 2 "$before" "$after")"
}

# The second run begins where the first one ended, so both must be a whole number of walks of two steps.
send_counted() {
    [[ ${2:-} == again ]] || open_walks
    load load/events.lua "${address[$1]}" 1 120 REQUESTS="$counted_requests" >/dev/null
}

counts() {
    od -An -t u8 -N 16 "$work/$1.count"
}

per_request() {
    awk -v column="$1" -v n="$counted_requests" -v before="$2" -v after="$3" 'BEGIN {
        split(before, old); split(after, new); printf "%.2f", (new[column] - old[column]) / n }'
}
