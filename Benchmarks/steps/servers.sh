# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Builds the programs, starts them pinned on free ports, observes them, and stops them by their process ids.

declare -A pid port
# The command that starts a server: env with variables, or valgrind.
wrapper=()
# The operator's token of the servers, and curl's option with the token.
export USHER_ADMIN_TOKEN=the-operator-of-benchmarks
operator=(--header "Authorization: Bearer $USHER_ADMIN_TOKEN")

# Builds the load.
build_load() {
    cc -O2 -Wall -Wextra -o "$build/send" "$benchmarks"/Load/*.c -lm
}

build_programs() {
    local warnings=(-O2 -Wall -Wextra)
    # All C programs use the same allocator.
    local allocator=(-Wl,--no-as-needed -ljemalloc -Wl,--as-needed)
    cc "${warnings[@]}" -Wno-unused-parameter -o "$build/bare" "$benchmarks/BareServer/bare.c" "${allocator[@]}" -lmicrohttpd
    cc "${warnings[@]}" -o "$build/same-job" "$benchmarks"/SameJob/*.c "$benchmarks/Load/latencies.c" "${allocator[@]}" \
        -lmicrohttpd
    cc "${warnings[@]}" -o "$build/journal" "$benchmarks/BareJournal/journal.c" "${allocator[@]}" -lsqlite3
    build_load
    cc "${warnings[@]}" -shared -fPIC -o "$build/count.so" "$benchmarks/Allocations/count.c"
    cc "${warnings[@]}" -shared -fPIC -o "$build/stand-in.so" "$benchmarks/StandIn/stand-in.c" "$benchmarks/Load/walk.c"
    cc "${warnings[@]}" -shared -fPIC -o "$build/syncs.so" "$benchmarks/Syncs/syncs.c"
    local products=(usher)
    if is_measured uikit; then products+=(TwoForms); fi
    if is_measured cluster; then products+=(usher-postgres JournalLoad); fi
    build_products "${products[@]}"
    is_measured cluster || return 0
    # Unquoted: options.
    # shellcheck disable=SC2046
    cc "${warnings[@]}" -o "$build/postgres" "$benchmarks"/BarePostgres/*.c "$benchmarks"/Load/{connection,latencies}.c \
        $(libpq_flags)
}

# build_products NAME…: builds products as operators have them, unless other executables are measured.
build_products() {
    local folder
    if [[ ${BENCH_USHER:-} ]]; then
        folder=$(dirname "$BENCH_USHER")
    else
        command -v swift >/dev/null || fail "there is no swift here; install Swift 6.2 or later (https://swift.org/install)"
        folder=$(script/build "$@" 2>"$build/swift.log") ||
            { tail -n 20 "$build/swift.log" >&2 && fail "it does not build"; }
    fi
    usher=${BENCH_USHER:-$folder/usher}
    usher_postgres=$folder/usher-postgres
    journal_load=$folder/JournalLoad
    two_forms=$folder/TwoForms
}

# serve NAME [OPTION…]: starts usher without a supervisor, so that the measured process is the one that serves.
serve() {
    start "$1" "$usher" serve --no-supervisor --session-access id --port 0 --threads "$threads" "${@:2}"
}

# serve_bare NAME: starts the server in C that answers a constant.
serve_bare() {
    start "$1" "$build/bare" 0 "$threads"
}

# serve_job NAME: starts the server in C that does the same job as usher.
serve_job() {
    start "$1" "$build/same-job" 0 "$threads"
}

# start NAME COMMAND…: starts a server, and returns when the server has printed its address.
start() {
    local name=$1 tries
    : >"$work/$name.out"
    taskset -c "$server_core" "${wrapper[@]}" "${@:2}" >"$work/$name.out" 2>"$work/$name.log" &
    pid[$name]=$!
    for ((tries = 0; tries < 6000; tries++)); do
        port[$name]=$(sed -n 's/^.*: listening on .*:\([0-9]*\)$/\1/p' "$work/$name.out")
        [[ -z ${port[$name]} ]] || return 0
        kill -0 "${pid[$name]}" 2>/dev/null || break
        sleep 0.005
    done
    fail "$name did not start: $(tail -n 5 "$work/$name.log")"
}

# stop NAME: stops a server; kills it if it has not drained within a minute.
stop() {
    local process=${pid[$1]:-} tries
    unset "pid[$1]"
    [[ -n $process ]] || return 0
    kill "$process" 2>/dev/null || true
    for ((tries = 0; tries < 1200; tries++)); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
}

clean_up() {
    local name
    for name in "${!pid[@]}"; do stop "$name"; done
    stop_database
    [[ -z ${work:-} ]] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# processor_time NAME: prints the CPU time so far in microseconds, including the kernel's (proc(5), stat 14 and 15).
processor_time() {
    time_in_stat "$1" '$12 + $13'
}

# user_time NAME: prints the CPU time outside of the kernel (stat 14).
user_time() {
    time_in_stat "$1" '$12'
}

# time_in_stat NAME TICKS: prints an awk expression's value for the fields after the command's name, which may contain spaces.
time_in_stat() {
    sed 's/^.*) //' "/proc/${pid[$1]}/stat" | awk -v ticks="$(getconf CLK_TCK)" "{ printf \"%.0f\", ($2) * 1000000 / ticks }"
}

# journal_commits NAME: prints the number of committed groups from the metrics; nothing without this metric.
journal_commits() {
    curl -sS "${operator[@]}" "http://127.0.0.1:${port[$1]}/metrics" | sed -n 's/^usher_journal_commit_changes_count[^ ]* //p'
}

# resident_memory NAME: prints the resident memory in bytes.
resident_memory() {
    awk '/^VmRSS/ { printf "%.0f", $2 * 1024 }' "/proc/${pid[$1]}/status"
}

# session_counts NAME: prints sessions=… awake=… live=… created=… finished=… leaked=…; the last four count coordinators.
session_counts() {
    curl -sS --fail --max-time 60 "${operator[@]}" "http://127.0.0.1:${port[$1]}/admin/sessions?limit=1" | sed \
        's/^.*"live":\([0-9]*\),"awake":\([0-9]*\),"coordinators":{"live":\([0-9]*\),"created":\([0-9]*\),"finished":\([0-9]*\),"leaked":\([0-9]*\).*$/sessions=\1 awake=\2 live=\3 created=\4 finished=\5 leaked=\6/'
}

# await_hibernation NAME SECONDS: waits until no session is in memory.
await_hibernation() {
    local tries
    for ((tries = 0; tries < $2 * 5; tries++)); do
        [[ $(field awake "$(session_counts "$1")") != 0 ]] || return 0
        sleep 0.2
    done
    fail "after $2 s there are still sessions in memory: $(session_counts "$1")"
}
