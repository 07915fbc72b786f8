# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Memory while sessions are opened, walked and ended: it must come to a plateau, and no coordinator may stay.

# Clients at the same time.
clients=4

measure_sessions() {
    local batch ended=0 batches=10 memory=()
    batch=$((ended_sessions / batches / clients))
    [[ $batch -gt 0 ]] || fail "BENCH_SESSIONS must be at least $((batches * clients))" 2
    echo
    echo "sessions: opened, walked and ended, in one process"
    printf '%12s %12s %10s %12s %12s %8s\n' "sessions" "memory KiB" "live" "coordinators" "finished" "leaked"
    start usher
    print_memory 0
    while ((ended < batches * clients * batch)); do
        end_sessions "$batch"
        ended=$((ended + clients * batch))
        print_memory "$ended"
        memory+=("$(resident_memory usher)")
    done
    check_nothing_left
    echo "memory at the end / at 70 %: $(quotient "${memory[-1]}" "${memory[6]}")"
    stop usher
}

# end_sessions N: N each, at the same time.
end_sessions() {
    local client clients_at_work=()
    for ((client = 0; client < clients; client++)); do
        load Sessions/sessions.lua "${address[usher]}" 1 300 SESSIONS="$1" >/dev/null &
        clients_at_work+=($!)
    done
    for client in "${clients_at_work[@]}"; do
        wait "$client" || fail "not all sessions could be opened, walked and ended"
    done
}

# print_memory N: after so many sessions.
print_memory() {
    local counts
    counts=$(session_counts)
    printf '%12s %12s %10s %12s %12s %8s\n' "$1" "$(resident_memory usher)" "$(field sessions "$counts")" \
        "$(field live "$counts")" "$(field finished "$counts")" "$(field leaked "$counts")"
}

# What the server says: sessions=… live=… created=… finished=… leaked=…, the last four of coordinators.
session_counts() {
    curl -sS --fail --max-time 30 "${address[usher]}/admin/sessions?limit=1" | sed \
        's/^.*"live":\([0-9]*\),"awake":[0-9]*,"coordinators":{"live":\([0-9]*\),"created":\([0-9]*\),"finished":\([0-9]*\),"leaked":\([0-9]*\).*$/sessions=\1 live=\2 created=\3 finished=\4 leaked=\5/'
}

check_nothing_left() {
    local counts name
    counts=$(session_counts)
    for name in sessions live leaked; do
        [[ $(field "$name" "$counts") == 0 ]] || fail "something is left behind: $counts"
    done
    [[ $(field created "$counts") == "$(field finished "$counts")" ]] || fail "not all has finished: $counts"
}
