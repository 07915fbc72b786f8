# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures memory while sessions are opened, walked and ended: it must reach a plateau, and no coordinator may remain.

measure_turnover() {
    local batch memory plateau total=$((batches * turnover_batch))
    serve turnover --journal memory
    printf '  %12s %14s\n' sessions "memory KiB"
    for ((batch = 1; batch <= batches; batch++)); do
        end_sessions turnover start-login-main "$turnover_batch" 3 >/dev/null
        memory=$(resident_memory turnover)
        printf '  %12s %14s\n' $((batch * turnover_batch)) $((memory / 1024))
        ((batch != plateau_batch)) || plateau=$memory
    done
    judge_leftovers "$total"
    stop turnover
    judge "memory after 1,000,000 ended sessions / after 100,000" "" "at most" 1.10 "$(calculate 2 "$memory / $plateau")" \
        "$(note_turnover)"
}

note_turnover() {
    [[ -z $(note_scale "$total") ]] || echo ", $(with_commas "$total") / $(with_commas $((plateau_batch * turnover_batch)))"
}

# judge_leftovers SESSIONS
judge_leftovers() {
    local counts
    counts=$(session_counts turnover)
    [[ $(field sessions "$counts") == 0 && $(field leaked "$counts") == 0 ]] || fail "something is left behind: $counts"
    [[ $(field created "$counts") == "$(field finished "$counts")" ]] || fail "not all has finished: $counts"
    detail "coordinators created and finished" "$(field created "$counts")" ""
    judge "1,000,000 sessions ended: live coordinators" "" "at most" 0 "$(field live "$counts")" "$(note_scale "$1")"
}
