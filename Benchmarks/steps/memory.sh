# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the cost of an unused session: in memory while live and while hibernated, on disk, and at a server's start.

measure_memory() {
    local base live asleep idle_after attempt
    memory_options=(--journal "sqlite:$work/memory.sqlite" --durability relaxed --expire-after 7d)
    choose_idle_after
    for attempt in 1 2 3; do
        serve tudy "${memory_options[@]}" --idle-after "${idle_after}s"
        base=$(resident_memory tudy)
        open_sessions tudy tudy tudy.sessions "$many_sessions" 1 >/dev/null
        live=$(resident_memory tudy)
        if are_all_awake; then break; fi
        live=
        # The machine was busy: the probe was faster than the measured run.
        ((attempt < 3)) || break
        stop tudy
        rm -f "$work"/memory.sqlite*
        idle_after=$((idle_after * 2))
    done
    await_hibernation tudy $((idle_after * 3 + 60))
    asleep=$(settled_memory tudy)
    stop tudy
    detail "journal on disk, bytes a session" "$(calculate 0 "$(stat --format %s "$work/memory.sqlite") / $many_sessions")" ""
    judge_memory "memory per live session, tudy, journal in SQLite" 2048 "$live" "$base"
    judge_memory "memory per hibernated session" 128 "$asleep" "$base"
    measure_restart
}

# Measures how long it takes to open some sessions, and chooses an idle time in which all sessions can be opened before
# the first one hibernates.
choose_idle_after() {
    local line probes=2000
    serve tudy "${memory_options[@]}"
    line=$(open_sessions tudy tudy tudy.sessions "$probes" 1)
    stop tudy
    rm -f "$work"/memory.sqlite*
    idle_after=$(calculate 0 "5 + 2 * $(field microseconds "$line") / 1e6 * $many_sessions / $probes")
}

# judge_memory FIGURE LIMIT BYTES BASE
judge_memory() {
    if [[ -z $3 ]]; then
        pass_over "$1" B "at most" "$2" "some hibernated before the last was open"
        return
    fi
    judge "$1" B "at most" "$2" "$(calculate 0 "($3 - $4) / $many_sessions")" "$(note_scale "$many_sessions")"
}

# settled_memory NAME: prints the resident memory once freed memory is returned to the system, which takes a moment for gigabytes.
settled_memory() {
    local now before=0 tries
    for ((tries = 0; tries < 30; tries++)); do
        now=$(resident_memory "$1")
        ((now * 100 < before * 99 || before == 0)) || break
        before=$now
        sleep 1
    done
    echo "$now"
}

# Succeeds if all sessions are in memory, with four coordinators each.
are_all_awake() {
    local counts
    counts=$(session_counts tudy)
    [[ $(field awake "$counts") == "$many_sessions" && $(field live "$counts") == $((4 * many_sessions)) ]]
}

measure_restart() {
    local before after counts
    before=$(date +%s%N)
    serve tudy "${memory_options[@]}"
    after=$(date +%s%N)
    counts=$(session_counts tudy)
    [[ $(field sessions "$counts") == "$many_sessions" ]] || fail "not all sessions are there after the start: $counts"
    stop tudy
    rm -f "$work"/memory.sqlite*
    judge "start with 1,000,000 journalled sessions, until ready" ms "at most" 1000 "$(((after - before) / 1000000))" \
        "$(note_scale "$many_sessions")"
}
