# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures an event's cost as the stack grows: instructions, counted by callgrind, per byte of the answer.

measure_growth() {
    local depth cost size
    local -A instructions bytes
    serve_counted growth
    for depth in 5 10 20 50; do
        write_notes "$depth"
        count_events growth "$work/notes.walk" 20 $((depth - 1)) 200
        instructions[$depth]=$event_instructions
        bytes[$depth]=$event_bytes
        detail "instructions an event, $depth screens" "$event_instructions" ""
        detail "bytes of the answer, $depth screens" "$event_bytes" ""
    done
    stop growth
    detail "instructions a byte, 5 to 20 screens" "$(slope 5 20)" ""
    detail "instructions a byte, 20 to 50 screens" "$(slope 20 50)" ""
    judge "instructions per further byte of the answer, 5 to 50 screens" "" "at most" 1 "$(slope 5 50)"
}

# slope FEW MANY
slope() {
    calculate 2 "(${instructions[$2]} - ${instructions[$1]}) / (${bytes[$2]} - ${bytes[$1]})"
}

# write_notes DEPTH: writes a walk to a stack with this number of screens, which then alternates between the last two.
write_notes() {
    local i show='{"event":{"showDetail":{"id":2}}}'
    {
        echo 'open {"app":"notes"}'
        for ((i = 1; i < $1; i++)); do echo "once $show"; done
        echo 'cycle {"back":true}'
        echo "cycle $show"
    } >"$work/notes.walk"
}
