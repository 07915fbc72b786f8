# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures durable events per second, divided by the rows per second of a bare C program that commits groups of the same size.

measure_durable() {
    local round events=() rows=() groups=()
    wrapper=(env LD_PRELOAD="$build/syncs.so" SYNCS_FILE="$work/syncs")
    serve durable --journal "sqlite:$work/durable.sqlite" --durability sync
    wrapper=()
    open_sessions durable start-login-main durable.sessions "$open_sessions" 1 >/dev/null
    for ((round = 1; round <= rounds; round++)); do
        durable_round
        commit_bare
    done
    stop durable
    detail "durable events per second, usher" "$(median "${events[@]}")" ""
    detail "events a group" "$(median "${groups[@]}")" ""
    detail "durable rows per second, bare, in such groups" "$(median "${rows[@]}")" ""
    judge "durable events per second / rows per second of bare C" "" "at least" 0.8 \
        "$(calculate 2 "$(median "${events[@]}") / $(median "${rows[@]}")")"
}

# Sets `group` to the mean number of events in a commit.
durable_round() {
    local before line after
    before=$(commits)
    line=$(send_events durable start-login-main durable.sessions "$connections" seconds "$seconds")
    after=$(commits)
    group=$(calculate 2 "$(field requests "$line") / ($after - $before)")
    groups+=("$group")
    events+=("$(calculate 0 "$(field requests "$line") * 1e6 / $(field microseconds "$line")")")
}

# Prints the number of commits: from the server's metrics, or else the number of times that it has synchronized a file.
commits() {
    local said
    said=$(journal_commits durable)
    if [[ -n $said ]]; then echo "$said"; else od -An -t u8 -N 8 "$work/syncs"; fi
}

# Commits groups of the same size, with rows as large as usher's entries of these events.
commit_bare() {
    local line
    rm -f "$work"/bare.sqlite*
    line=$(taskset -c "$server_core" "$build/journal" "$work/bare.sqlite" "$(entry_bytes)" "$group" "$seconds")
    rows+=("$(calculate 0 "$(field rows "$line") * 1e6 / $(field microseconds "$line")")")
}

# Prints the size of a session's newest entry in the journal.
entry_bytes() {
    local id
    read -r id _ <"$work/durable.sessions"
    curl -sS --fail "${operator[@]}" "http://127.0.0.1:${port[durable]}/admin/sessions/$id/journal?after=1&limit=2" |
        sed 's/^.*"bytes":\([0-9]*\).*$/\1/'
}
