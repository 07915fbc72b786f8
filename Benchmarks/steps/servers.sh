# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# The two servers: built, started on a free port and pinned, watched, and stopped by their process ids.

declare -A pid address
threads=$(nproc)

build_servers() {
    mkdir -p "$build"
    cc -O2 -Wall -o "$build/bare" "$BENCHMARKS/BareServer/bare.c" -lmicrohttpd
    cc -O2 -Wall -shared -fPIC -o "$build/count.so" "$BENCHMARKS/Allocations/count.c"
    swift build -c release --static-swift-stdlib -Xlinker --compress-debug-sections=zlib --product usher >"$build/swift.log" 2>&1 ||
        { tail -n 20 "$build/swift.log" >&2 && fail "usher does not build"; }
}

# start usher|bare [VARIABLE=VALUE…]
start() {
    local name=$1
    shift
    local command=("$build/bare" 0 "$threads")
    [[ $name == bare ]] || command=(.build/release/usher serve --port 0 --threads "$threads" "${serve_options[@]}")
    : >"$work/$name.out"
    env "$@" taskset -c "$server_core" "${command[@]}" >"$work/$name.out" 2>"$work/$name.log" &
    pid[$name]=$!
    local tries
    for ((tries = 0; tries < 100; tries++)); do
        address[$name]=$(sed -n 's/^.*: listening on //p' "$work/$name.out")
        [[ -z ${address[$name]} ]] || return 0
        kill -0 "${pid[$name]}" 2>/dev/null || break
        sleep 0.05
    done
    fail "$name did not start: $(cat "$work/$name.log")"
}

# stop usher|bare
stop() {
    local process=${pid[$1]:-}
    unset "pid[$1]"
    [[ -n $process ]] || return 0
    kill "$process" 2>/dev/null || true
    # A server that does not drain must not hold the run up.
    local tries
    for ((tries = 0; tries < 400; tries++)); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
}

clean_up() {
    stop usher
    stop bare
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# CPU time of a server so far, in microseconds: the whole process, its kernel time included (proc(5), stat 14 and 15).
processor_time() {
    # What stands before the last parenthesis is the command, which may hold blanks.
    sed 's/^.*) //' "/proc/${pid[$1]}/stat" | awk -v ticks="$(getconf CLK_TCK)" '{ printf "%.0f", ($12 + $13) * 1000000 / ticks }'
}

# Memory that a server has in RAM, in KiB.
resident_memory() {
    awk '/^VmRSS/ { print $2 }' "/proc/${pid[$1]}/status"
}
