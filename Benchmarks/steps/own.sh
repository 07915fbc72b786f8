# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the server's own work per event, for usher and for the same job in C: a stand-in replaces libmicrohttpd, and
# there are no sockets.

own_sessions=100
own_events=2000

measure_own() {
    local walk
    for walk in start-login-main tudy; do
        count_own "$walk"
        detail "instructions per event of usher's own, $walk" "$own_instructions" ""
        detail "references counted per event, $walk" "$own_references" ""
    done
    count_instructions start-login-main "$build/same-job" 0 1
    detail "instructions per event of the same job in C" "$own_instructions" ""
}

# count_own WALK: sets own_instructions and own_references, for one event of the walk.
count_own() {
    count_instructions "$1" "$usher" serve --no-supervisor --session-access id --port 0 --threads 1 --journal memory
}

# count_instructions WALK SERVER [ARGUMENT…]: sets own_instructions and own_references, of a server with one thread.
count_instructions() {
    local total stand_in events
    rm -f "$work"/own.*
    env LD_PRELOAD="$build/stand-in.so" STAND_IN_WALK="$benchmarks/walks/$1.walk" \
        STAND_IN_SESSIONS="$own_sessions" STAND_IN_EVENTS="$own_events" SWIFT_DETERMINISTIC_HASHING=1 \
        valgrind --quiet --tool=callgrind --separate-threads=yes --callgrind-out-file="$work/own" "${@:2}" \
        >"$work/own.log" 2>&1 || fail "$2 does not run with the stand-in: $(tail -n 3 "$work/own.log")"
    # Counts only the thread that sends the events, because on a busy machine other threads may still be starting.
    events=$(echo "$work"/own.1-*)
    total=$(sed -n 's/^totals: //p' "$events")
    stand_in=$(callgrind_annotate --auto=no --threshold=100 --show-percs=no "$events" |
        awk '/stand-in\.so\]$/ { gsub(",", "", $1); sum += $1 } END { print sum + 0 }')
    own_instructions=$(calculate 0 "($total - $stand_in) / $own_events")
    own_references=$(calculate 0 "$(reference_calls "$events") / $own_events")
}

# reference_calls FILE: prints how often Swift's runtime counted a reference up or down, from callgrind's FILE.
reference_calls() {
    awk '
        # At its first occurrence, a name follows its number.
        /^c?fn=/ {
            match($0, /\([0-9]+\)/)
            number = substr($0, RSTART, RLENGTH)
            if (length($0) >= RSTART + RLENGTH) name[number] = substr($0, RSTART + RLENGTH + 1)
            if (/^cfn=/) callee = name[number]
        }
        /^calls=/ && callee ~ /^swift_(retain|release)(_n)?(\047|$)/ { sum += substr($1, 7) }
        END { print sum + 0 }
    ' "$1"
}
