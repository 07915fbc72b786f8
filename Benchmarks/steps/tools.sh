# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# What the measuring needs: tools, cores, a place for its files, and the words at the head of a run.

rounds=${BENCH_ROUNDS:-3}
seconds=${BENCH_SECONDS:-5}
warm_up_seconds=${BENCH_WARM_UP:-1}
connections=${BENCH_CONNECTIONS:-64}
open_sessions=${BENCH_OPEN:-1000}
counted_requests=${BENCH_REQUESTS:-10000}
ended_sessions=${BENCH_SESSIONS:-100000}
hibernated_sessions=${BENCH_HIBERNATED:-100000}
# Options of the server; a part of the run may set others.
serve_options=(--journal memory)
server_core=${BENCH_SERVER_CORE:-0}
load_core=${BENCH_LOAD_CORE:-1}
[[ $(nproc) -gt 1 ]] || load_core=$server_core

build=.build/benchmarks
work=$(mktemp -d)

fail() {
    echo "script/bench: $1" >&2
    exit "${2:-1}"
}

has_header() {
    echo "#include <$1>" | cc -E - >/dev/null 2>&1
}

# Installs what is not there with apt, as root or through sudo.
install_tools() {
    local missing=()
    command -v wrk >/dev/null || missing+=(wrk)
    command -v curl >/dev/null || missing+=(curl)
    command -v taskset >/dev/null || missing+=(util-linux)
    command -v cc >/dev/null || missing+=(gcc libc6-dev)
    has_header microhttpd.h || missing+=(libmicrohttpd-dev)
    has_header sqlite3.h || missing+=(libsqlite3-dev)
    if [[ ${#missing[@]} -gt 0 ]]; then install_packages "${missing[@]}"; fi
    command -v swift >/dev/null || fail "there is no swift here; install Swift 6.3 or later (https://swift.org/install)"
}

install_packages() {
    command -v apt-get >/dev/null || fail "install these first: $*"
    local root=()
    [[ $EUID -eq 0 ]] || root=(sudo)
    echo "script/bench: installing $*" >&2
    "${root[@]}" apt-get update -qq >&2
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

describe_run() {
    local processor changes=""
    processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
    git diff --quiet HEAD -- Sources Benchmarks script Package.swift 2>/dev/null || changes=", with changes"
    echo "date        $(date -u +%Y-%m-%dT%H:%MZ)"
    echo "commit      $(git rev-parse --short HEAD 2>/dev/null || echo none)$changes"
    echo "processor   ${processor:-unknown}, $(nproc) cores"
    echo "system      $(uname -sr | cut -d- -f1), $(swift --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p')"
    echo "pinned      servers to core $server_core, load to core $load_core; load average $(cut -d' ' -f1 /proc/loadavg)"
    [[ $load_core != "$server_core" ]] || echo "warning     one core for both: the figures cannot be compared"
}

summary=()

# summarise WHAT BARE USHER: a row of the table at the end of the run.
summarise() {
    summary+=("$(printf '%-22s %12s %12s %10s' "$1" "$2" "$3" "$(quotient "$3" "$2")")")
}

print_summary() {
    [[ ${#summary[@]} -gt 0 ]] || return 0
    echo
    printf '%-22s %12s %12s %10s\n' "summary" "bare" "usher" "ratio"
    printf '%s\n' "${summary[@]}"
}
