# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures how long a returning user waits: events for hibernated sessions of 20 inputs, and then for the same sessions awake.

measure_wake() {
    local cold warm
    serve wake --journal "sqlite:$work/wake.sqlite" --durability relaxed --idle-after 3s
    # The creation counts as the first input.
    open_sessions wake start-login-main wake.sessions "$woken" 19 >/dev/null
    await_hibernation wake 60
    cold=$(wake_all)
    warm=$(wake_all)
    stop wake
    detail "first event on a hibernated session, median" "$cold" us
    detail "an event on a warm one, median" "$warm" us
    judge "first event on a hibernated session of 20 inputs, over a warm one" "ms more" "at most" 1 \
        "$(calculate 3 "($cold - $warm) / 1000")"
}

# Sends an event to each session, one after the other; prints the median latency.
wake_all() {
    local line
    line=$(send_events wake start-login-main wake.sessions 1 requests "$woken")
    field p50 "$line"
}
