# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the CPU time of a push with a payload and of a pop in `tudy`, separately; bare C gets the same requests.

# measure_moves: measures the running servers bare and memory.
measure_moves() {
    local name round
    local -A push=() pop=()
    open_sessions memory tudy memory.moves "$open_sessions" 1 >/dev/null
    cp "$work/memory.moves" "$work/bare.moves"
    for name in bare memory; do move_for 1 "$name" >/dev/null; done
    for ((round = 1; round <= rounds; round++)); do
        for name in bare memory; do move_round "$name"; done
    done
    # Unquoted: each is a list of numbers.
    # shellcheck disable=SC2086
    for name in bare memory; do push[$name]=$(median ${push[$name]}) pop[$name]=$(median ${pop[$name]}); done
    for name in bare memory; do
        detail "CPU of tudy's push, $name" "${push[$name]}" us
        detail "CPU of tudy's pop, $name" "${pop[$name]}" us
    done
    judge "CPU of tudy's push with a payload, in memory / bare C" "" "at most" 2.5 \
        "$(calculate 2 "${push[memory]} / ${push[bare]}")"
    judge "CPU of tudy's pop, in memory / bare C" "" "at most" 2.5 "$(calculate 2 "${pop[memory]} / ${pop[bare]}")"
}

# move_for SECONDS NAME: all sessions pop, then all push, and so on.
move_for() {
    load rounds "$2" "$connections" "$benchmarks/walks/tudy.walk" "$2.moves" "${pid[$2]}" "$1"
}

move_round() {
    local line
    line=$(move_for "$seconds" "$1")
    pop[$1]+=" $(field cpu0 "$line")"
    push[$1]+=" $(field cpu1 "$line")"
}
