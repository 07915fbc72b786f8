# Requests per second and CPU time per request, of both servers in turn.

measure_speed() {
    local name round
    declare -gA rates=() costs=()
    echo
    echo "speed: $connections connections, $open_sessions sessions, $rounds rounds of $seconds s"
    start bare
    start usher
    for name in bare usher; do run_events "$name" "$warm_up" >/dev/null; done
    speed_row "" "requests/s" "us CPU/request" "p50 us" "p99 us"
    for ((round = 1; round <= rounds; round++)); do
        for name in bare usher; do measure_round "$name"; done
    done
    stop usher
    stop bare
    print_speed_medians
}

# Fresh sessions for each run: where the last one stopped in its walk is not known.
run_events() {
    open_walks
    load load/events.lua "${address[$1]}" "$connections" "$2"
}

measure_round() {
    local name=$1 before after line requests rate cost
    open_walks
    before=$(processor_time "$name")
    line=$(load load/events.lua "${address[$name]}" "$connections" "$seconds")
    after=$(processor_time "$name")
    requests=$(field requests "$line")
    rate=$(awk -v n="$requests" -v t="$(field microseconds "$line")" 'BEGIN { printf "%.0f", n * 1000000 / t }')
    cost=$(quotient "$((after - before))" "$requests")
    rates[$name]+=" $rate"
    costs[$name]+=" $cost"
    speed_row "$name" "$rate" "$cost" "$(field p50 "$line")" "$(field p99 "$line")"
}

print_speed_medians() {
    local name
    declare -A rate cost
    for name in bare usher; do
        # Unquoted: each is a list of numbers.
        # shellcheck disable=SC2086
        rate[$name]=$(median ${rates[$name]}) cost[$name]=$(median ${costs[$name]})
        speed_row "$name, median" "${rate[$name]}" "${cost[$name]}"
    done
    speed_row "usher / bare" "$(quotient "${rate[usher]}" "${rate[bare]}")" "$(quotient "${cost[usher]}" "${cost[bare]}")"
}

speed_row() {
    printf '%-16s %12s %16s %8s %8s\n' "$1" "${2:-}" "${3:-}" "${4:-}" "${5:-}"
}
