# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures whether many live sessions slow each other down, with two servers in turn: 1,000 sessions, and a million.

measure_scale() {
    local name round line
    local -A p99
    for name in few many; do serve "$name" --journal memory --idle-after 24h --expire-after 7d; done
    open_sessions few start-login-main few.sessions 1000 1 >/dev/null
    open_sessions many start-login-main many.sessions "$many_sessions" 1 >/dev/null
    for ((round = 1; round <= rounds; round++)); do
        for name in few many; do
            line=$(send_events "$name" start-login-main "$name.sessions" "$connections" seconds "$seconds")
            p99[$name]+=" $(field p99 "$line")"
        done
    done
    for name in few many; do stop "$name"; done
    # Unquoted: each is a list of numbers.
    # shellcheck disable=SC2086
    for name in few many; do p99[$name]=$(median ${p99[$name]}); done
    detail "p99 with 1,000 live sessions" "${p99[few]}" us
    detail "p99 with $(with_commas "$many_sessions") live sessions" "${p99[many]}" us
    judge "p99 with 1,000,000 live sessions / with 1,000" "" "at most" 1.2 "$(calculate 2 "${p99[many]} / ${p99[few]}")" \
        "$(note_scale "$many_sessions")"
}
