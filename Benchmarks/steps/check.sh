# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures an event's instructions and bytes, which do not depend on other work of the machine, and compares them with thresholds.

# serve_counted NAME: starts usher under callgrind, with one thread and without the random order of hashing.
serve_counted() {
    local threads=1
    wrapper=(env SWIFT_DETERMINISTIC_HASHING=1 valgrind --quiet --tool=callgrind --callgrind-out-file="$work/callgrind")
    serve "$1" --journal memory
    wrapper=()
}

# count_events NAME WALK SESSIONS WARM_UP REQUESTS: sets event_instructions and event_bytes, each for one event.
count_events() {
    local line
    load open "$1" 1 "$2" counted "$3" "$4" >/dev/null
    load events "$1" 1 "$2" counted requests $((4 * $3)) >/dev/null
    tell_callgrind "$1" zero
    line=$(load events "$1" 1 "$2" counted requests "$5")
    rm -f "$work"/callgrind.*
    tell_callgrind "$1" dump
    event_instructions=$(calculate 0 "$(sed -n 's/^totals: //p' "$work"/callgrind.*) / $5")
    event_bytes=$(calculate 0 "$(field bytes "$line") / $5")
}

# tell_callgrind NAME COMMAND
tell_callgrind() {
    vgdb --pid="${pid[$1]}" "$2" >"$work/vgdb.log" 2>&1 || fail "callgrind does not listen: $(tail -n 3 "$work/vgdb.log")"
}

check_thresholds() {
    local over=0
    # Not pinned, because the counts do not depend on time; any free core will do.
    server_core=0-$(($(nproc) - 1)) load_core=$server_core
    count_allocations 4000
    serve_counted check
    count_events check "$benchmarks/walks/start-login-main.walk" 100 1 2000
    stop check
    count_own start-login-main
    printf '%-26s %10s %10s %10s\n' "an event, in memory" measured threshold allowed
    compare allocations "${allocations[memory]}" "$(threshold allocations)" "$(threshold allocations) + 0.5" || over=1
    compare instructions "$event_instructions" "$(threshold instructions)" "$(threshold instructions) * 1.05" || over=1
    compare own_instructions "$own_instructions" "$(threshold own_instructions)" "$(threshold own_instructions) * 1.02" || over=1
    ((over == 0)) || fail "an event costs more than Benchmarks/thresholds allows; find out why (valgrind --tool=callgrind), or raise the threshold there in the same change, and say why in its message"
}

threshold() {
    awk -v name="$1" '$1 == name { print $2 }' "$benchmarks/thresholds"
}

# compare NAME MEASURED THRESHOLD ALLOWED
compare() {
    printf '%-26s %10s %10s %10s\n' "$1" "$2" "$3" "$(calculate 1 "$4")"
    [[ -n $3 ]] || fail "Benchmarks/thresholds has no line for $1"
    [[ $(calculate 0 "$2 <= $4") == 1 ]]
}
