# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# CPU time per request, requests per second and latencies of four servers that take turns: bare C, the same job in C,
# usher with its journal in memory, and usher with its journal in SQLite.

speed_servers=(bare job memory relaxed)
speed_figures=(rate cost user p50 p99 p999 busy)

measure_speed() {
    local name round
    declare -gA speed=()
    serve_bare bare
    serve_job job
    serve memory --journal memory
    serve relaxed --journal "sqlite:$work/speed.sqlite" --durability relaxed
    for name in job memory relaxed; do open_sessions "$name" start-login-main "$name.sessions" "$open_sessions" 1 >/dev/null; done
    cp "$work/memory.sessions" "$work/bare.sessions"
    for name in "${speed_servers[@]}"; do send_for 1 "$name" >/dev/null; done
    printf '  %-10s %12s %14s %8s %8s %8s %9s %10s\n' "" requests/s "us CPU/request" "us user" "p50 us" "p99 us" "p99.9 us" "core busy"
    for ((round = 1; round <= rounds; round++)); do
        for name in "${speed_servers[@]}"; do measure_round "$name"; done
    done
    for name in job relaxed; do stop "$name"; done
    summarise_speed
    measure_moves
    for name in bare memory; do stop "$name"; done
}

# send_for SECONDS NAME
send_for() {
    send_events "$2" start-login-main "$2.sessions" "$connections" seconds "$1"
}

measure_round() {
    local name=$1 before user after line requests duration figure
    local -A value
    before=$(processor_time "$name")
    user=$(user_time "$name")
    line=$(send_for "$seconds" "$name")
    user=$(($(user_time "$name") - user))
    after=$(processor_time "$name")
    requests=$(field requests "$line")
    duration=$(field microseconds "$line")
    value[rate]=$(calculate 0 "$requests * 1e6 / $duration")
    value[cost]=$(calculate 2 "($after - $before) / $requests")
    value[user]=$(calculate 2 "$user / $requests")
    for figure in p50 p99 p999; do value[$figure]=$(calculate 0 "$(field "$figure" "$line")"); done
    value[busy]=$(calculate 0 "($after - $before) * 100 / $duration")
    for figure in "${speed_figures[@]}"; do speed[$name.$figure]+=" ${value[$figure]}"; done
    printf '  %-10s %12s %14s %8s %8s %8s %9s %8s %%\n' "$name" "${value[rate]}" "${value[cost]}" "${value[user]}" \
        "${value[p50]}" "${value[p99]}" "${value[p999]}" "${value[busy]}"
}

# Prints a note if a server did not have its core to itself, because the measured rate then depends on the other work.
note_waiting() {
    local name
    for name in bare job memory; do
        ((speed[$name.busy] >= 95)) || printf ', %s had %s %% of its core' "$name" "${speed[$name.busy]}"
    done
}

summarise_speed() {
    local name figure
    # Unquoted: each is a list of numbers.
    # shellcheck disable=SC2086
    for name in "${speed_servers[@]}"; do
        for figure in "${speed_figures[@]}"; do speed[$name.$figure]=$(median ${speed[$name.$figure]}); done
    done
    for name in "${speed_servers[@]}"; do
        detail "requests per second, $name" "${speed[$name.rate]}" ""
        detail "CPU per request, $name" "${speed[$name.cost]}" us
        detail "user time per request, $name" "${speed[$name.user]}" us
        for figure in p50 p99 p999; do detail "$figure, $name" "${speed[$name.$figure]}" us; done
    done
    judge "CPU per request, in memory / bare C" "" "at most" 1.6 "$(speed_ratio memory bare cost)"
    show "CPU per request, in memory / same job in C" "" "$(speed_ratio memory job cost)"
    show "CPU per request, same job in C / bare C" "" "$(speed_ratio job bare cost)"
    judge "requests per second / bare C" "" "at least" 0.65 "$(speed_ratio memory bare rate)" "$(note_waiting)"
    judge "CPU per request, SQLite, relaxed / bare C" "" "at most" 2.0 "$(speed_ratio relaxed bare cost)"
}

# speed_ratio NAME OTHER FIGURE
speed_ratio() {
    calculate 2 "${speed[$1.$3]} / ${speed[$2.$3]}"
}
