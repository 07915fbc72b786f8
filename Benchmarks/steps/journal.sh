# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Measures the journal in PostgreSQL without sessions and HTTP, and for comparison: a C program with the same statement in groups
# of the same size, one plain INSERT per commit, and SQLite.

# Connections, lanes of the load, and the approximate number of entries in a group. Some of a connection's lanes are in
# the current group, and the other lanes wait. One statement of usher has at most 64 sessions.
journal_rows=("1 14 10" "1 48 30" "1 128 64" "4 224 30" "16 896 30")
entry_size=90

measure_journal() {
    local round row group
    declare -gA journal=()
    learn_statement
    make_journal measured
    printf '  %-16s %14s %14s %14s %14s %14s %14s\n' "" "rows a group" rows/s "us CPU, client" "us CPU, server" \
        "WAL bytes/row" "syncs/group"
    for ((round = 1; round <= cluster_rounds; round++)); do
        journal_round insert bare_insert
        sqlite_round
        for row in "${journal_rows[@]}"; do
            # Unquoted: its words.
            # shellcheck disable=SC2086
            journal_round "usher $row" usher_journal $row
            group=$(calculate 2 "$(field rows "$line") / $(field groups "$line")")
            journal_round "bare $row" bare_append "${row%% *}"
        done
    done
    summarise_journal
}

# Lets usher write an entry, and reads the statement from the database's log, so that both programs use the same statement.
learn_statement() {
    make_journal learning
    query postgres "ALTER DATABASE learning SET log_statement = 'all'"
    head_size=$(field head "$("$journal_load" "$(uri learning)" 1 1 1 "$entry_size" 1 </dev/null)")
    append_statement >"$work/append.sql"
    [[ -s $work/append.sql ]] || fail "usher's statement is not in the database's log"
}

# usher_journal CONNECTIONS LANES …
usher_journal() {
    exec taskset -c "$load_core" "$journal_load" "$(uri measured)" "$1" "$2" $((256 * $1)) "$entry_size" "$cluster_seconds"
}

bare_insert() {
    exec taskset -c "$load_core" "$build/postgres" "$(uri measured)" insert "$entry_size" "$cluster_seconds"
}

# bare_append CONNECTIONS …: appends groups of the same size as usher's.
bare_append() {
    exec taskset -c "$load_core" "$build/postgres" "$(uri measured)" append "$work/append.sql" "$group" "$1" \
        "$entry_size" "$head_size" "$cluster_seconds"
}

# SQLite uses the core of the database.
sqlite_round() {
    rm -f "$database_folder"/bare.sqlite*
    line=$(taskset -c "$database_core" "$build/journal" "$database_folder/bare.sqlite" "$entry_size" 30 \
        "$cluster_seconds" "$head_size")
    keep_figures sqlite 0 0 0
}

# journal_round ROW-OF-FIGURES COMMAND [ARGUMENT…]: runs a program that writes entries, and stores its figures.
journal_round() {
    local before log syncs cost
    query measured "TRUNCATE usher.sessions, usher.entries"
    syncs=$(query postgres "SELECT wal_sync FROM pg_stat_wal")
    coproc WRITER { "${@:2}"; }
    local writer=$WRITER_PID output=${WRITER[0]} input=${WRITER[1]}
    read -r -t 60 line <&"$output" && [[ $line == ready ]] || fail "nothing was written to the database"
    log=$(query postgres "SELECT pg_current_wal_insert_lsn()")
    before=$(database_time)
    echo >&"$input"
    read -r -t 60 line <&"$output" || fail "not enough was written to the database"
    cost=$(($(database_time) - before))
    log=$(query postgres "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$log')")
    exec {input}>&-
    wait "$writer"
    await_disconnection measured
    syncs=$(($(query postgres "SELECT wal_sync FROM pg_stat_wal") - syncs))
    keep_figures "$1" "$cost" "$log" "$syncs"
}

# keep_figures ROW DATABASE-TIME WAL-BYTES SYNCS: stores these figures, and those in `line`.
keep_figures() {
    local rows groups figure
    rows=$(field rows "$line")
    groups=$(field groups "$line")
    journal[$1.group]+=" $(calculate 2 "$rows / $groups")"
    journal[$1.rate]+=" $(rate_of "$line")"
    journal[$1.client]+=" $(calculate 2 "$(field cpu "$line") / $rows")"
    journal[$1.server]+=" $(calculate 2 "$2 / $rows")"
    journal[$1.wal]+=" $(calculate 0 "$3 / $rows")"
    journal[$1.syncs]+=" $(calculate 2 "$4 / $groups")"
    printf '  %-16s' "$1"
    for figure in group rate client server wal syncs; do printf ' %14s' "${journal[$1.$figure]##* }"; done
    echo
}

summarise_journal() {
    local key row
    for key in "${!journal[@]}"; do
        # Unquoted: a list of numbers.
        # shellcheck disable=SC2086
        journal[$key]=$(median ${journal[$key]})
    done
    detail "a bare insert, CPU of the database" "${journal[insert.server]}" us
    detail "a bare insert, CPU of the client" "${journal[insert.client]}" us
    detail "SQLite, FULL, groups of 30, CPU of a row and a header" "${journal[sqlite.client]}" us
    for row in "${journal_rows[@]}"; do judge_row "$row"; done
    judge_syncs "4 224 30" 0.65
    judge_syncs "16 896 30" 0.3
    row="1 48 30"
    judge "WAL bytes an entry of $entry_size bytes" "" "at most" 480 "${journal[usher $row.wal]}" \
        ", bare C ${journal[bare $row.wal]}"
}

# judge_row ROW
judge_row() {
    local name="${1%% *} connections, groups of ${1##* }" note
    [[ $1 != "1 "* ]] || name=${name/connections/connection}
    note=", groups of ${journal[usher $1.group]}"
    relate "$name: CPU of the database / a bare insert" "$1" server insert.server
    relate "$name: CPU of the database / SQLite" "$1" server sqlite.client
    relate "$name: entries a second / SQLite" "$1" rate sqlite.rate
    detail "bare C, $name: CPU of the client an entry" "${journal[bare $1.client]}" us
    detail "usher, $name: CPU of the load and the journal an entry" "${journal[usher $1.client]}" us
    judge "CPU of the database an entry / bare C, $name" "" "at most" 1.2 \
        "$(calculate 2 "${journal[usher $1.server]} / ${journal[bare $1.server]}")" "$note"
    judge "entries a second / bare C, $name" "" "at least" 0.8 \
        "$(calculate 2 "${journal[usher $1.rate]} / ${journal[bare $1.rate]}")" "$note"
}

# relate NAME ROW FIGURE OTHER: prints two details, of bare C and of usher, relative to another figure.
relate() {
    local who
    for who in bare usher; do
        detail "${who/bare/bare C}, $1" "$(calculate 2 "${journal[$who $2.$3]} / ${journal[$4]}")" ""
    done
}

# judge_syncs ROW LIMIT
judge_syncs() {
    judge "syncs a commit, ${1%% *} connections" "" "at most" "$2" "${journal[usher $1.syncs]}" ", bare C ${journal[bare $1.syncs]}"
}
