# Allocations per request, counted in a run of their own: counting costs time.

measure_allocations() {
    local name
    declare -gA allocations=()
    echo
    echo "allocations: $counted_requests requests after as many to warm up, one connection"
    printf '%-16s %12s %16s\n' "" "per request" "bytes/request"
    start bare LD_PRELOAD="$PWD/$build/count.so" ALLOCATIONS_FILE="$work/bare.count"
    start usher LD_PRELOAD="$PWD/$build/count.so" ALLOCATIONS_FILE="$work/usher.count"
    for name in bare usher; do count_allocations "$name"; done
    stop usher
    stop bare
    printf '%-16s %12s\n' "usher / bare" "$(quotient "${allocations[usher]}" "${allocations[bare]}")"
}

count_allocations() {
    local name=$1 before after
    send_counted "$name"
    before=$(counts "$name")
    send_counted "$name" same
    after=$(counts "$name")
    allocations[$name]=$(per_request 1 "$before" "$after")
    printf '%-16s %12s %16s\n' "$name" "${allocations[$name]}" "$(per_request 2 "$before" "$after")"
}

# A whole number of walks, so that the second run begins where the first one ended: see `measure_allocations`.
send_counted() {
    [[ ${2:-} == same ]] || open_walks
    load load/events.lua "${address[$1]}" 1 120 REQUESTS="$counted_requests" >/dev/null
}

counts() {
    od -An -t u8 -N 16 "$work/$1.count"
}

per_request() {
    awk -v column="$1" -v n="$counted_requests" -v before="$2" -v after="$3" 'BEGIN {
        split(before, old); split(after, new); printf "%.2f", (new[column] - old[column]) / n }'
}
