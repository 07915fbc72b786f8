# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures refused inputs on a session with a long history: the CPU time of one, and of a client that sends them in a loop.

measure_refusals() {
    local id before start each part count=5
    {
        echo 'open {"app":"notes"}'
        echo 'cycle {"event":{"showDetail":{"id":2}}}'
        echo 'cycle {"back":true}'
    } >"$work/long.walk"
    serve refusals --journal memory --max-inputs 100000
    # Together with the creation, 99,989 inputs; a session accepts 100,000.
    load open refusals 1 "$work/long.walk" long.sessions 1 99988 >/dev/null
    id=$(cut -d' ' -f1 "$work/long.sessions")
    refuse refusals "$id" 1
    before=$(processor_time refusals)
    start=$(date +%s%N)
    refuse refusals "$id" "$count"
    each=$(calculate 1 "($(processor_time refusals) - $before) / 1000 / $count")
    part=$(calculate 1 "($(processor_time refusals) - $before) * 100000 / ($(date +%s%N) - $start)")
    stop refusals
    detail "CPU of an input that an event's handler refuses" "$each" ms
    judge "CPU that inputs refused without end take of a processor, on a session of 99,989 inputs" % "at most" 10 "$part"
}

# refuse NAME ID COUNT: sends an event that the sample refuses, COUNT times.
refuse() {
    local status
    status=$(curl -sS --max-time 60 -o /dev/null -w '%{http_code}\n' --json '{"event":{"showDetail":{"id":99}}}' \
        "http://127.0.0.1:${port[$1]}/sessions/$2/events?[1-$3]" | sort -u)
    [[ $status == 422 ]] || fail "an event that is to be refused was answered with ${status//$'\n'/, }"
}
