# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Compares one app in two forms, written for the engine and for UIKit: CPU time of an event over HTTP (also with bare C) and on a
# bare tree, and memory of a session.

# The inputs of each kind of event, in turn; the inputs before the bar prepare them.
declare -A uikit_inputs=(
    [content]='|{"event":"refresh"}'
    [push]='|{"event":{"open":{"id":2}}} {"event":"close"}'
    [back]='|{"event":{"open":{"id":2}}} {"back":true}'
    [present]='{"event":{"open":{"id":2}}}|{"event":"pay"} {"event":"confirm"}'
    [tabs]='|{"select":"Address"} {"select":"Parcels"}'
)
uikit_kinds=(content push back present tabs)
uikit_forms=(engine uikit)
# The compared forms, and the server of each.
declare -A uikit_servers=([engine]=forms [uikit]=forms [bare]=bare)

measure_uikit() {
    local kind
    declare -gA uikit_worst=()
    for kind in "${uikit_kinds[@]}"; do compare_forms_on_trees "$kind"; done
    count_forms_on_trees
    serve_forms forms --journal "sqlite:$work/forms.sqlite" --durability relaxed
    serve_bare bare
    printf '  %-10s %14s %14s\n' "us CPU" engine UIKit
    for kind in "${uikit_kinds[@]}"; do compare_forms "$kind"; done
    stop forms
    stop bare
    rm -f "$work"/forms.sqlite*
    judge "CPU of an event over HTTP, an app on UIKit / on the engine" "" "at most" 2 "${uikit_worst[engine]}" \
        ", the costliest kind"
    show "CPU of an event over HTTP, an app on UIKit / bare C" "" "${uikit_worst[bare]}" "the costliest kind"
    compare_form_memory
}

# serve_forms NAME [OPTION…]: starts the server of both forms.
serve_forms() {
    start "$1" "$two_forms" serve --no-supervisor --session-access id --port 0 --threads "$threads" "${@:2}"
}

# write_form_walk KIND FORM
write_form_walk() {
    local input
    {
        echo "open {\"app\":\"parcels-$2\"}"
        for input in ${uikit_inputs[$1]%|*}; do echo "once $input"; done
        for input in ${uikit_inputs[$1]#*|}; do echo "cycle $input"; done
    } >"$work/$1-$2.walk"
}

# compare_forms KIND: measures the CPU time of an event in each form and in bare C, in turn; bare C gets the same
# requests as the form on UIKit.
compare_forms() {
    local form round
    local -A cost=()
    for form in "${uikit_forms[@]}"; do
        write_form_walk "$1" "$form"
        load open forms "$connections" "$work/$1-$form.walk" "$1-$form.sessions" "$open_sessions" 1 >/dev/null
        send_to_form "$1" "$form" 1 >/dev/null
    done
    cp "$work/$1-uikit.walk" "$work/$1-bare.walk"
    cp "$work/$1-uikit.sessions" "$work/$1-bare.sessions"
    for ((round = 1; round <= rounds; round++)); do
        for form in "${uikit_forms[@]}" bare; do
            cost[$form]+=" $(cost_of "${uikit_servers[$form]}" send_to_form "$1" "$form" "$seconds")"
        done
    done
    # Unquoted: each is a list of numbers.
    # shellcheck disable=SC2086
    for form in "${uikit_forms[@]}" bare; do
        cost[$form]=$(median ${cost[$form]})
        detail "CPU of an event over HTTP, $1, on $form" "${cost[$form]}" us
    done
    for form in engine bare; do note_ratio "$1" "$form" "$(calculate 2 "${cost[uikit]} / ${cost[$form]}")"; done
}

# send_to_form KIND FORM SECONDS
send_to_form() {
    load events "${uikit_servers[$2]}" "$connections" "$work/$1-$2.walk" "$1-$2.sessions" seconds "$3"
}

# note_ratio KIND OTHER RATIO
note_ratio() {
    detail "CPU of an event over HTTP, $1, UIKit / $2" "$3" ""
    [[ $(calculate 0 "$3 > ${uikit_worst[$2]:-0}") != 1 ]] || uikit_worst[$2]=$3
}

# compare_forms_on_trees KIND: measures without sessions, journal and HTTP.
compare_forms_on_trees() {
    local form line
    local -A cost=()
    for form in "${uikit_forms[@]}"; do
        # Unquoted: a list of inputs, none of which has a blank.
        # shellcheck disable=SC2086
        line=$(taskset -c "$server_core" "$two_forms" trees "parcels-$form" 5000 ${uikit_inputs[$1]/|/ | }) ||
            fail "a bare tree of parcels-$form does not handle $1"
        cost[$form]=$(field nanoseconds "$line")
        detail "time of an event on a bare tree, $1, on $form" "${cost[$form]}" ns
    done
    detail "time of an event on a bare tree, $1, UIKit / engine" "$(calculate 2 "${cost[uikit]} / ${cost[engine]}")" ""
}

# Counts the instructions of a push and a pop together, on a tree.
count_forms_on_trees() {
    local form
    for form in "${uikit_forms[@]}"; do
        count_form push "$form"
        detail "instructions of a push and pop on a bare tree, on $form" "$form_instructions" ""
        detail "atomic steps of a push and pop on a bare tree, on $form" "$form_atomics" ""
    done
    judge "instructions of a push and pop, an app on UIKit" "" "at most" 50000 "$form_instructions"
    judge "atomic steps of a push and pop, an app on UIKit" "" "at most" 400 "$form_atomics"
}

# count_form KIND FORM: sets form_instructions and form_atomics for all inputs of a kind, handled once on a tree.
#
# An atomic step is an instruction that locks the memory bus, mostly for reference counts.
count_form() {
    local turns
    objdump --disassemble --no-show-raw-insn "$two_forms" |
        awk '$2 == "lock" || ($2 == "xchg" && /\(/) { print "0x" substr($1, 1, length($1) - 1) }' >"$work/atomics"
    for turns in 40 140; do
        # Unquoted: a list of inputs, none of which has a blank.
        # shellcheck disable=SC2086
        env SWIFT_DETERMINISTIC_HASHING=1 valgrind --quiet --tool=callgrind --dump-instr=yes --compress-strings=no \
            --compress-pos=no --callgrind-out-file="$work/turns.$turns" \
            "$two_forms" trees "parcels-$2" "$turns" ${uikit_inputs[$1]/|/ | } >"$work/turns.log" 2>&1 ||
            fail "a bare tree of parcels-$2 does not handle $1 under valgrind: $(tail -n 3 "$work/turns.log")"
    done
    # The difference between two runs of five rounds each.
    form_instructions=$(calculate 0 "($(counted_in 140 1) - $(counted_in 40 1)) / 500")
    form_atomics=$(calculate 0 "($(counted_in 140 2) - $(counted_in 40 2)) / 500")
}

# counted_in TURNS FIELD: prints all instructions of a run (1), or its atomic ones (2).
counted_in() {
    awk -v program="${two_forms##*/}" -v field="$2" '
        FNR == NR { atomic[$1]; next }
        /^ob=/ { here = $0 ~ "/" program "$" }
        /^totals:/ { total = $2 }
        # The line after a call has the cost of the callee.
        /^calls=/ { called = 1; next }
        /^0x/ {
            if (!called && here && $1 in atomic) sum += $3
            called = 0
        }
        END { print (field == 1 ? total : sum) + 0 }
    ' "$work/atomics" "$work/turns.$1"
}

# Measures the memory above the start, for sessions that show a list and a parcel, with a second tab.
compare_form_memory() {
    local form base
    local -A bytes=()
    for form in "${uikit_forms[@]}"; do
        write_form_walk present "$form"
        serve_forms "$form" --journal "sqlite:$work/$form.sqlite" --durability relaxed --idle-after 1h
        base=$(resident_memory "$form")
        load open "$form" "$connections" "$work/present-$form.walk" "$form.sessions" "$form_sessions" 1 >/dev/null
        bytes[$form]=$(calculate 0 "($(resident_memory "$form") - $base) / $form_sessions")
        stop "$form"
        rm -f "$work/$form".sqlite*
        detail "memory per live session, on $form" "${bytes[$form]}" B
    done
    judge "memory per live session, an app on UIKit / on the engine" "" "at most" 2 \
        "$(calculate 2 "${bytes[uikit]} / ${bytes[engine]}")"
}
