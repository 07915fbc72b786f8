# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Requests per second and CPU time per request, of both servers in turn.

measure_speed() {
    local name round
    declare -gA rates=() costs=()
    echo
    echo "speed: $connections connections, $open_sessions sessions, $rounds rounds of $seconds s"
    start bare
    start usher
    for name in bare usher; do warm_up "$name"; done
    speed_row "" "requests/s" "us CPU/request" "p50 us" "p99 us" "core busy"
    for ((round = 1; round <= rounds; round++)); do
        for name in bare usher; do measure_round "$name"; done
    done
    stop usher
    stop bare
    # Unquoted: each is a list of numbers.
    # shellcheck disable=SC2086
    summarise "requests/s" "$(median ${rates[bare]})" "$(median ${rates[usher]})"
    # shellcheck disable=SC2086
    summarise "us CPU/request" "$(median ${costs[bare]})" "$(median ${costs[usher]})"
}

warm_up() {
    open_walks
    load load/events.lua "${address[$1]}" "$connections" "$warm_up_seconds" >/dev/null
}

# Fresh sessions for each run: where the last one stopped in its walk is not known.
measure_round() {
    local name=$1 before after line requests duration rate cost
    open_walks
    before=$(processor_time "$name")
    line=$(load load/events.lua "${address[$name]}" "$connections" "$seconds")
    after=$(processor_time "$name")
    requests=$(field requests "$line")
    duration=$(field microseconds "$line")
    rate=$(quotient "${requests}000000" "$duration" 0)
    cost=$(quotient "$((after - before))" "$requests")
    rates[$name]+=" $rate"
    costs[$name]+=" $cost"
    speed_row "$name" "$rate" "$cost" "$(field p50 "$line")" "$(field p99 "$line")" \
        "$(quotient "$((after - before))00" "$duration" 0) %"
}

speed_row() {
    printf '%-10s %12s %16s %8s %8s %10s\n' "$@"
}
