# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures allocations per event, in a separate run, because counting costs time.

measure_allocations() {
    count_allocations 10000
    detail "allocations per request, bare" "${allocations[bare]}" ""
    detail "allocations per event, usher" "${allocations[memory]}" ""
    judge "allocations per event, in memory (bare C: ${allocations[bare]})" "" "at most" 16 "${allocations[memory]}"
}

# count_allocations REQUESTS: sets allocations[memory] and allocations[bare].
count_allocations() {
    local name before
    declare -gA allocations=()
    for name in memory bare; do
        wrapper=(env LD_PRELOAD="$build/count.so" ALLOCATIONS_FILE="$work/$name.count")
        if [[ $name == memory ]]; then serve "$name" --journal memory; else serve_bare "$name"; fi
        wrapper=()
        [[ $name == bare ]] || open_sessions "$name" start-login-main counted 1000 1 >/dev/null
        # Sends enough events for the buffers that grow by doubling to have grown.
        send_events "$name" start-login-main counted 1 requests 4000 >/dev/null
        before=$(counted "$name")
        send_events "$name" start-login-main counted 1 requests "$1" >/dev/null
        allocations[$name]=$(calculate 1 "($(counted "$name") - $before) / $1")
        stop "$name"
    done
}

counted() {
    od -An -t u8 -N 8 "$work/$1.count"
}
