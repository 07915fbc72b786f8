# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures servers that share a journal in PostgreSQL, with the database on one core and everything else on the other.

measure_cluster() {
    # The servers share the core of the load, because the other core is the database's.
    local database_core=$server_core server_core=$load_core usher=$usher_postgres load_patience=120
    local -x SEND_SHARES_CORE=yes
    start_database "$database_core"
    measure_journal
    measure_cluster_events
    measure_looks
    measure_elsewhere
    measure_streams
    measure_failover
    stop_database
}

# join NAME DATABASE [OPTION…]: starts a server on a journal.
join() {
    serve "$1" --journal "$(uri "$2")" --journal-key none --node "$1" --state "$work/$1.state" "${@:3}"
}

# Counts the database's statements for reads of a session's state over many connections.
measure_looks() {
    local line calls
    track_statements top
    load looks one "$connections" "$benchmarks/walks/start-login-main.walk" one.sessions requests 1000 >/dev/null
    query tables "SELECT pg_stat_statements_reset()" >/dev/null
    line=$(load looks one "$connections" "$benchmarks/walks/start-login-main.walk" one.sessions seconds "$cluster_seconds")
    calls=$(query tables "SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'")
    track_statements none
    detail "looks a second, $connections connections" "$(rate_of "$line")" ""
    judge "statements a GET, $connections connections" "" "at most" 0.1 "$(calculate 3 "$calls / $(rows_of "$line")")"
}

# Measures an event on a server that did not write its session's last entry.
measure_elsewhere() {
    local trip cold warm
    trip=$(field p50 "$("$build/postgres" "$(uri events)" ping 2000 </dev/null)")
    # A server that does not wait for the disk writes the sessions' inputs.
    join builder events --durability relaxed
    open_sessions builder start-login-main away.sessions "$cluster_woken" 19 >/dev/null
    load open builder 5 "$benchmarks/walks/start-login-main.walk" turns.sessions 5 1999 >/dev/null
    stop builder
    cold=$(field p50 "$(send_events two start-login-main away.sessions 1 requests "$cluster_woken")")
    warm=$(field p50 "$(send_events two start-login-main away.sessions 1 requests "$cluster_woken")")
    detail "first event on another server, median" "$cold" us
    detail "an event there afterwards, median" "$warm" us
    detail "round trip to the database, median" "$trip" us
    judge "first event of a session of 20 inputs on another server, over a warm one" "ms more" "at most" \
        "$(calculate 3 "1 + $trip / 1000")" "$(calculate 3 "($cold - $warm) / 1000")"
    measure_turns
}

# Measures two servers that use long sessions in turn. The number of sessions is odd; otherwise each server would get
# only its own sessions.
measure_turns() {
    local name round single=() turns=()
    port[both]=${port[one]},${port[two]}
    for name in both one; do take_turns "$name" >/dev/null; done
    for ((round = 1; round <= cluster_rounds; round++)); do
        single+=("$(take_turns one)")
        turns+=("$(take_turns both)")
    done
    unset "port[both]"
    detail "an event on a session of 2,000 inputs, one server" "$(median "${single[@]}")" us
    detail "an event there, two servers in turn" "$(median "${turns[@]}")" us
    show "next event on a session of 2,000 inputs, two servers in turn / one" "" \
        "$(calculate 2 "$(median "${turns[@]}") / $(median "${single[@]}")")"
}

# take_turns NAME: prints the median latency of an event.
take_turns() {
    field p50 "$(send_events "$1" start-login-main turns.sessions 1 requests "$cluster_turns")"
}

# Measures the time until a stream on one server shows an event that another server has answered.
measure_streams() {
    local line name
    line=$(taskset -c "$load_core" "$benchmarks/streams" "${port[one]}" "${port[two]}" "$cluster_streams")
    detail "a stream on another server, median, LISTEN" "$(field p50 "$line")" ms
    judge "a stream on another server, p99, LISTEN" ms "at most" 50 "$(field p99 "$line")"
    # Makes notifications fail, but not commits.
    query events "REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC"
    line=$(taskset -c "$load_core" "$benchmarks/streams" "${port[one]}" "${port[two]}" "$cluster_streams")
    detail "a stream on another server, median, without LISTEN" "$(field p50 "$line")" ms
    judge "a stream on another server, p99, without LISTEN" ms "at most" 1100 "$(field p99 "$line")"
    for name in one two; do stop "$name"; done
}
