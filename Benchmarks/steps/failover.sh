# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures three servers behind HAProxy, each with its own sessions, when one server ends under load.

measure_failover() {
    local name line
    make_journal failover
    for name in first second third; do join "$name" failover; done
    start_proxy first second third
    # Without this command, the shell would report the process's end.
    disown "${pid[first]}"
    line=$(taskset -c "$load_core" "$benchmarks/failover" "${port[proxy]}" "${pid[first]}" "$failover_seconds") ||
        fail "the load through HAProxy failed"
    for name in proxy first second third; do stop "$name"; done
    [[ $(field twice "$line") == 0 ]] || fail "there are inputs that nobody has sent: $line"
    detail "events acknowledged through HAProxy" "$(field requests "$line")" ""
    judge "one of three servers killed: until all sessions answer" ms "at most" 2000 "$(field until "$line")"
    judge "one of three servers killed: acknowledged events lost" "" "at most" 0 "$(field lost "$line")"
}

# start_proxy NAME NAME NAME: starts HAProxy in front of three servers, as docs/cluster.md describes; its port is port[proxy].
start_proxy() {
    local tries
    # HAProxy cannot choose a free port itself.
    for ((tries = 0; tries < 20; tries++)); do
        port[proxy]=$((20000 + RANDOM % 10000))
        PATH=$PATH:/usr/sbin:/sbin CLUSTER_BIND=127.0.0.1:${port[proxy]} CLUSTER_SERVER1=127.0.0.1:${port[$1]} \
            CLUSTER_SERVER2=127.0.0.1:${port[$2]} CLUSTER_SERVER3=127.0.0.1:${port[$3]} \
            taskset -c "$load_core" haproxy -db -q -f docker/haproxy.cfg >"$work/proxy.log" 2>&1 &
        pid[proxy]=$!
        ! await_proxy || return 0
        stop proxy
    done
    fail "HAProxy did not start: $(tail -n 3 "$work/proxy.log")"
}

await_proxy() {
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        kill -0 "${pid[proxy]}" 2>/dev/null || return 1
        ! curl -sS --fail --max-time 1 -o /dev/null "http://127.0.0.1:${port[proxy]}/healthz" 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}
