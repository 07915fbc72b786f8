# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Prepares measurements: tools, a folder for files, and a little arithmetic.

fail() {
    echo "script/${0##*/}: $1" >&2
    exit "${2:-1}"
}

# The folder is beside the build and not in /tmp, which may be in memory: a million sessions take gigabytes.
prepare_work() {
    build=$PWD/.build/benchmarks
    mkdir -p "$build"
    work=$(mktemp -d "$build/work.XXXXXX")
}

# is_measured PART
is_measured() {
    [[ $form != check && " ${parts[*]} " == *" $1 "* ]]
}

has_header() {
    echo "#include <$1>" | cc -E - >/dev/null 2>&1
}

# Installs missing tools with apt, as root or with sudo.
install_tools() {
    local missing=()
    command -v curl >/dev/null || missing+=(curl)
    command -v taskset >/dev/null || missing+=(util-linux)
    command -v valgrind >/dev/null || missing+=(valgrind)
    command -v cc >/dev/null || missing+=(gcc libc6-dev)
    has_header microhttpd.h || missing+=(libmicrohttpd-dev)
    has_header sqlite3.h || missing+=(libsqlite3-dev)
    has_header jemalloc/jemalloc.h || missing+=(libjemalloc-dev)
    if ((${#missing[@]} > 0)); then install_packages "${missing[@]}"; fi
    if is_measured cluster; then need_cluster_tools; fi
}

install_packages() {
    command -v apt-get >/dev/null || fail "install these first: $*"
    local root=()
    ((EUID == 0)) || root=(sudo)
    echo "script/bench: installing $*" >&2
    "${root[@]}" apt-get update -qq >&2
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# field NAME LINE: prints the value of NAME=… in a line.
field() {
    local word
    for word in $2; do
        [[ $word != "$1="* ]] || echo "${word#*=}"
    done
}

# Prints the rows or requests in a line that begins with `measured`.
rows_of() {
    echo "$(field rows "$1")$(field requests "$1")"
}

# rate_of LINE: prints the rows or requests per second.
rate_of() {
    calculate 0 "$(rows_of "$1") * 1e6 / $(field microseconds "$1")"
}

# median NUMBER…
median() {
    printf '%s\n' "$@" | sort -n | awk '{ all[NR] = $1 } END {
        print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'
}

# calculate DECIMALS EXPRESSION: prints the value of an arithmetic expression.
calculate() {
    awk "BEGIN { printf \"%.$1f\", ($2) }"
}

# with_commas NUMBER: prints a number as 1,000,000.
with_commas() {
    sed ':again; s/^\([0-9][0-9]*\)\([0-9]\{3\}\)/\1,\2/; t again' <<<"$1"
}
