# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the mean memory of a session while one in five is used by a person who thinks between events.

# The seconds after which an unused session leaves memory.
think_idle=20

measure_think() {
    local base live people=$((think_sessions / 5)) sample memory=0 awake=0 user
    serve think --journal "sqlite:$work/think.sqlite" --durability relaxed --idle-after "${think_idle}s" --expire-after 7d
    base=$(resident_memory think)
    open_sessions think tudy think.sessions "$think_sessions" 1 >/dev/null
    live=$(resident_memory think)
    [[ $(field awake "$(session_counts think)") == "$think_sessions" ]] || live=
    load people think "$connections" "$benchmarks/walks/tudy.walk" think.sessions "$people" \
        $((think_settling + think_seconds)) >"$work/think.measured" &
    user=$!
    sleep "$think_settling"
    for ((sample = 1; sample <= think_seconds; sample++)); do
        sleep 1
        memory=$((memory + $(resident_memory think) - base))
        awake=$((awake + $(field awake "$(session_counts think)")))
    done
    wait "$user" || fail "the load failed"
    stop think
    rm -f "$work"/think.sqlite*
    summarise_think
}

summarise_think() {
    local line share
    line=$(cat "$work/think.measured")
    share=$(calculate 1 "100 * $awake / $think_seconds / $think_sessions")
    detail "events a second of $(with_commas "$people") people" "$(rate_of "$line")" ""
    detail "p99 of their events" "$(field p99 "$line")" us
    detail "sessions in memory in the mean" "$share" "%"
    [[ -z $live ]] || detail "memory per session, all live" "$(calculate 0 "($live - $base) / $think_sessions")" B
    show "mean memory of a session, tudy, one in five in use with think times" B \
        "$(calculate 0 "$memory / $think_seconds / $think_sessions")" \
        "$share % of $(with_commas "$think_sessions") in memory, hibernated after $think_idle s"
}
