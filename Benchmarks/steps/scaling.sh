# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the CPU time of an event in servers and database: one server with SQLite, one server with the
# database, two servers at the same time with a journal each, two on one journal, and three on one journal together with
# bare C. Each server has its own sessions.

measure_cluster_events() {
    local name round
    local -A cost=() database_cost=() groups=()
    make_journal events
    make_journal apart
    serve file --journal "sqlite:$database_folder/file.sqlite" --durability sync
    for name in one two; do join "$name" events; done
    join lone apart
    for name in file one two lone; do
        open_sessions "$name" start-login-main "$name.sessions" "$open_sessions" 1 >/dev/null
        send_cluster_events 1 "$name" >/dev/null
    done
    printf '  %-10s %12s %16s %18s %14s\n' "" requests/s "us CPU, servers" "us CPU, database" "events a group"
    for ((round = 1; round <= cluster_rounds; round++)); do
        cluster_round file file
        cluster_round one one
        cluster_round apart one lone
        cluster_round together one two
    done
    for name in file lone; do stop "$name"; done
    for name in file one apart together; do
        # Unquoted: lists of numbers.
        # shellcheck disable=SC2086
        cost[$name]=$(median ${cost[$name]}) database_cost[$name]=$(median ${database_cost[$name]}) \
            groups[$name]=$(median ${groups[$name]})
        detail "CPU of an event, $name: servers" "${cost[$name]}" us
        detail "CPU of an event, $name: database" "${database_cost[$name]}" us
        detail "events a group, $name" "${groups[$name]}" ""
    done
    judge_cluster_events
    measure_three
}

# Measures three servers on one journal, and bare C, in rounds.
measure_three() {
    local round name
    join three events
    serve_bare bare
    open_sessions three start-login-main three.sessions "$open_sessions" 1 >/dev/null
    cp "$work/three.sessions" "$work/bare.sessions"
    for name in three bare; do send_cluster_events 1 "$name" >/dev/null; done
    for ((round = 1; round <= cluster_rounds; round++)); do
        cluster_round trio one two three
        cost[bare]+=" $(cost_of bare send_cluster_events "$cluster_seconds" bare)"
    done
    for name in three bare; do stop "$name"; done
    # Unquoted: lists of numbers.
    # shellcheck disable=SC2086
    cost[trio]=$(median ${cost[trio]}) database_cost[trio]=$(median ${database_cost[trio]}) cost[bare]=$(median ${cost[bare]})
    detail "CPU of an event, three servers together" "${cost[trio]}" us
    detail "CPU of an event, the database of three servers" "${database_cost[trio]}" us
    detail "CPU of a request, bare C beside them" "${cost[bare]}" us
    show "CPU of an event, three servers on PostgreSQL, all processes / bare C" "" \
        "$(calculate 2 "(${cost[trio]} + ${database_cost[trio]}) / ${cost[bare]}")" \
        "${cost[trio]} us of servers and ${database_cost[trio]} us of the database"
}

# send_cluster_events SECONDS NAME
send_cluster_events() {
    send_events "$2" start-login-main "$2.sessions" "$connections" seconds "$1"
}

# cluster_round ROW NAME…: sends events to all these servers at the same time.
cluster_round() {
    local row=$1 name requests=0 rate=0 time database commits loads=()
    shift
    time=$(sum_of processor_time "$@")
    commits=$(sum_of journal_commits "$@")
    database=$(database_time)
    for name; do
        send_cluster_events "$cluster_seconds" "$name" >"$work/$name.measured" &
        loads+=($!)
    done
    for name in "${loads[@]}"; do wait "$name" || fail "the load failed"; done
    database=$(($(database_time) - database))
    time=$(($(sum_of processor_time "$@") - time))
    commits=$(($(sum_of journal_commits "$@") - commits))
    for name; do
        requests=$((requests + $(field requests "$(cat "$work/$name.measured")")))
        rate=$((rate + $(rate_of "$(cat "$work/$name.measured")")))
    done
    cost[$row]+=" $(calculate 2 "$time / $requests")"
    database_cost[$row]+=" $(calculate 2 "$database / $requests")"
    groups[$row]+=" $(calculate 1 "$requests / $commits")"
    printf '  %-10s %12s %16s %18s %14s\n' "$row" "$rate" "${cost[$row]##* }" "${database_cost[$row]##* }" "${groups[$row]##* }"
}

# sum_of FUNCTION NAME…
sum_of() {
    local name total=0
    for name in "${@:2}"; do total=$((total + $("$1" "$name"))); done
    echo "$total"
}

judge_cluster_events() {
    judge "CPU of an event, journal in PostgreSQL / in SQLite, sync" "" "at most" 1.1 \
        "$(calculate 2 "${cost[one]} / ${cost[file]}")" ", groups of ${groups[one]} and ${groups[file]}"
    # A server handles as many events as its core has time for, while the database has free cores. Two servers on one core with
    # a journal each take twice the time of one server, because they affect each other only by their writes.
    judge "events of two servers / of one, database not full" "" "at least" 1.9 \
        "$(calculate 2 "2 * ${cost[apart]} / ${cost[together]}")" \
        ", computed: 2 x ${cost[apart]} us of CPU an event apart / ${cost[together]} us together"
    detail "database cores for two servers with a core each, computed" \
        "$(calculate 2 "2 * ${database_cost[together]} / ${cost[together]}")" ""
    detail "events a second that fill a core of the database, computed" \
        "$(calculate 0 "1e6 / ${database_cost[together]}")" ""
}
