# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# What sessions cost that nobody uses: in memory, on disk, at a start, and when somebody comes back.

# Sessions that are woken, one after the other.
woken=2000

measure_hibernation() {
    local count=$((hibernated_sessions / clients * clients)) journal=$work/journal.sqlite base awake asleep
    echo
    echo "hibernation: $count sessions of 20 inputs, journal in SQLite"
    printf '%-34s %12s %14s\n' "" "KiB" "bytes/session"
    serve_options=(--journal "sqlite:$journal" --durability relaxed --idle-after 2s --expire-after 7d)
    start usher
    base=$(resident_memory usher)
    walk_sessions $((count / clients))
    awake=$(resident_memory usher)
    await_hibernation
    asleep=$(resident_memory usher)
    print_cost "awake, after the last event" "$awake" "$base" "$count"
    print_cost "hibernated" "$asleep" "$base" "$count"
    stop usher
    printf '%-34s %12s %14s\n' "journal on disk" "$(($(stat --format %s "$journal") / 1024))" \
        "$(quotient "$(stat --format %s "$journal")" "$count" 0)"
    restart "$count"
    wake_sessions
    stop usher
    serve_options=(--journal memory)
}

# walk_sessions N: N by each client, at the same time.
walk_sessions() {
    local client clients_at_work=()
    for ((client = 0; client < clients; client++)); do
        load Hibernation/walked.lua "${address[usher]}" 1 900 SESSIONS="$1" SESSIONS_FILE="$work/walked.$client" >/dev/null &
        clients_at_work+=($!)
    done
    for client in "${clients_at_work[@]}"; do
        wait "$client" || fail "not all sessions could be walked"
    done
    cat "$work"/walked.* >"$work/walked"
}

# Waits until no session is in memory.
await_hibernation() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        [[ $(awake_sessions) != 0 ]] || return 0
        sleep 0.2
    done
    fail "after two minutes there are still sessions in memory"
}

awake_sessions() {
    curl -sS --fail --max-time 30 "${address[usher]}/admin/sessions?limit=1" | sed 's/^.*"awake":\([0-9]*\).*$/\1/'
}

# print_cost WHAT KIB BASE COUNT
print_cost() {
    printf '%-34s %12s %14s\n' "$1" "$2" "$(awk -v now="$2" -v base="$3" -v count="$4" \
        'BEGIN { printf "%.0f", (now - base) * 1024 / count }')"
}

# restart COUNT: starts on the journal, and says how long that took and what it takes.
restart() {
    local before after
    before=$(date +%s%N)
    start usher
    after=$(date +%s%N)
    printf '%-34s %12s\n' "milliseconds to listen again" "$(((after - before) / 1000000))"
    printf '%-34s %12s\n' "memory then" "$(resident_memory usher)"
    curl -sS --fail "${address[usher]}/admin/sessions?limit=1" | grep -q "\"live\":$1," ||
        fail "not all sessions are there after the restart"
}

# Sends an event to each of some sessions that hibernate, and another one to each when they are awake.
wake_sessions() {
    local cold warm
    cold=$(event_times profileEdit)
    warm=$(event_times login)
    echo "microseconds an event, median and p99, one client:"
    printf '%-34s %12s %14s\n' "  to a session of 20 inputs, cold" "${cold% *}" "${cold#* }"
    printf '%-34s %12s %14s\n' "  to the same, warm" "${warm% *}" "${warm#* }"
}

# event_times EVENT: prints the median and the 99th percentile, in microseconds.
event_times() {
    shuf --random-source="$work/walked" "$work/walked" | head -n "$woken" | while read -r path; do
        printf 'next\nurl = "%s%s/events"\njson = "{\\"event\\":\\"%s\\"}"\noutput = "%s"\nwrite-out = "%%{http_code} %%{time_total}\\n"\nsilent\n' \
            "${address[usher]}" "$path" "$1" /dev/null
    done >"$work/curl.$1"
    curl --config "$work/curl.$1" | awk '$1 != 200 { exit 1 } { printf "%.0f\n", $2 * 1000000 }' | sort -n | awk '
        { all[NR] = $1 } END { print all[int((NR + 1) / 2)], all[int(NR * 0.99)] }'
}
