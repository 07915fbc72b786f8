# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Runs the load, pinned to its own core; each function prints the `measured` line of Load/send.c.

# The time limit of a load in seconds.
load_patience=1800

# load VERB NAME CONNECTIONS WALK FILE …: sends requests to a server.
load() {
    timeout --foreground "$load_patience" taskset -c "$load_core" "$build/send" "$1" "${port[$2]}" "$3" "$4" "$work/$5" "${@:6}" ||
        fail "the load on $2 failed"
}

# cost_of NAME COMMAND…: prints a server's CPU time per answer, in microseconds, while a command sends it requests.
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

# end_sessions NAME WALK COUNT EVENTS: opens sessions, sends each session some events, and ends the sessions.
end_sessions() {
    load end "$1" "$connections" "$benchmarks/walks/$2.walk" none "$3" "$4"
}

# send_events NAME WALK FILE CONNECTIONS seconds|requests N: sends events to the sessions of a file.
send_events() {
    load events "$1" "$4" "$benchmarks/walks/$2.walk" "$3" "$5" "$6"
}
