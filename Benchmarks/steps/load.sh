# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# The load, pinned to its own core; each prints the `measured` line of Load/send.c.

# Seconds after which a load is given up.
load_patience=1800

# load VERB NAME CONNECTIONS WALK FILE …: sends to a server.
load() {
    timeout --foreground "$load_patience" taskset -c "$load_core" "$build/send" "$1" "${port[$2]}" "$3" "$4" "$work/$5" "${@:6}" ||
        fail "the load on $2 failed"
}

# cost_of NAME COMMAND…: CPU of a server over the answers of a load that the command sends it, in microseconds.
cost_of() {
    local before line
    before=$(processor_time "$1")
    line=$("${@:2}")
    calculate 2 "($(processor_time "$1") - $before) / $(field requests "$line")"
}

# open_sessions NAME WALK FILE COUNT EVENTS: opens sessions, sends each some events, and writes them to a file.
open_sessions() {
    load open "$1" "$connections" "$benchmarks/walks/$2.walk" "$3" "$4" "$5"
}

# end_sessions NAME WALK COUNT EVENTS: opens sessions, sends each some events, and ends it.
end_sessions() {
    load end "$1" "$connections" "$benchmarks/walks/$2.walk" none "$3" "$4"
}

# send_events NAME WALK FILE CONNECTIONS seconds|requests N: sends events to the sessions of a file.
send_events() {
    load events "$1" "$4" "$benchmarks/walks/$2.walk" "$3" "$5" "$6"
}
