# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# What a refused input costs on a session with a long history: CPU of the server and of the copies that it makes.

measure_refusals() {
    local id before first each count=50
    {
        echo 'open {"app":"notes"}'
        echo 'cycle {"event":{"showDetail":{"id":2}}}'
        echo 'cycle {"back":true}'
    } >"$work/long.walk"
    serve refusals --journal memory
    # With the creation 99,989 inputs: a session takes 100,000.
    load open refusals 1 "$work/long.walk" long.sessions 1 99988 >/dev/null
    id=$(cut -d' ' -f1 "$work/long.sessions")
    before=$(family_time refusals)
    refuse refusals "$id" 1
    first=$(calculate 1 "($(family_time refusals) - $before) / 1000")
    before=$(family_time refusals)
    refuse refusals "$id" "$count"
    each=$(calculate 1 "($(family_time refusals) - $before) / 1000 / $count")
    stop refusals
    detail "CPU of the first input that an event's handler refuses" "$first" ms
    judge "CPU of a refused input on a session of 99,989 inputs" ms "at most" 20 "$each"
}

# refuse NAME ID COUNT: sends an event so often that the sample refuses.
refuse() {
    local status
    status=$(curl -sS --max-time 60 -o /dev/null -w '%{http_code}\n' --json '{"event":{"showDetail":{"id":99}}}' \
        "http://127.0.0.1:${port[$1]}/sessions/$2/events?[1-$3]" | sort -u)
    [[ $status == 422 ]] || fail "an event that is to be refused was answered with ${status//$'\n'/, }"
}

# family_time NAME: as processor_time, with the children that have ended (stat 16 and 17).
family_time() {
    sed 's/^.*) //' "/proc/${pid[$1]}/stat" |
        awk -v ticks="$(getconf CLK_TCK)" '{ printf "%.0f", ($12 + $13 + $14 + $15) * 1000000 / ticks }'
}
