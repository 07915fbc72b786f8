# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# A PostgreSQL cluster for measurements: in a temporary folder on the disk, with a Unix socket, without a port, and with fsync.

# The process id of the cluster's first process, and its folder; empty if there is none.
database_pid="" database_folder=""

# Prints the folder of PostgreSQL's newest programs.
postgres_programs() {
    local folders=(/usr/lib/postgresql/*/bin)
    printf '%s\n' "${folders[@]}" | sort -V | tail -n 1
}

# Prints in one line what is missing for measuring several servers, and how to install it.
need_cluster_tools() {
    local missing=() path=$PATH:/usr/sbin:/sbin
    [[ -x $(postgres_programs)/initdb ]] || missing+=(postgresql-15)
    [[ -n $(libpq_flags) ]] || missing+=(libpq-dev pkg-config)
    PATH=$path command -v haproxy >/dev/null || missing+=(haproxy)
    pkg-config --exists libcrypto 2>/dev/null || missing+=(libssl-dev)
    command -v setpriv >/dev/null || missing+=(util-linux)
    command -v python3 >/dev/null || missing+=(python3)
    ((${#missing[@]} == 0)) || fail "for the part cluster install ${missing[*]}: apt-get install ${missing[*]}"
}

libpq_flags() {
    pkg-config --cflags --libs libpq 2>/dev/null || true
}

# start_database CORE: creates a cluster, and in it the database `tables` with a journal's tables.
start_database() {
    local tries programs
    programs=$(postgres_programs)
    # The server refuses to run as root.
    unprivileged=()
    if ((EUID == 0)); then
        unprivileged=(setpriv "--reuid=$(id -u postgres 2>/dev/null || id -u nobody)" --regid=65534 --clear-groups)
    fi
    # The server's user may be unable to enter the folder of this checkout, and /tmp may be in memory.
    database_folder=$("${unprivileged[@]}" mktemp -d /var/tmp/usher-bench.XXXXXX)
    "${unprivileged[@]}" "$programs/initdb" --auth=trust --username=usher_owner --encoding=UTF8 --no-locale \
        "$database_folder/data" >"$work/database.log" 2>&1 || fail "initdb failed: $(tail -n 3 "$work/database.log")"
    # Disables periodic checkpoints and the vacuum, because they would run during measurements.
    taskset -c "$1" "${unprivileged[@]}" "$programs/postgres" -D "$database_folder/data" -k "$database_folder" \
        -c listen_addresses= -c fsync=on -c full_page_writes=on -c max_connections=200 -c shared_buffers=256MB \
        -c checkpoint_timeout=1h -c max_wal_size=8GB -c autovacuum=off -c log_line_prefix= \
        -c shared_preload_libraries=pg_stat_statements >"$work/database.log" 2>&1 &
    database_pid=$!
    for ((tries = 0; tries < 600; tries++)); do
        ! "$programs/pg_isready" --quiet --host "$database_folder" || break
        kill -0 "$database_pid" 2>/dev/null || fail "the database did not start: $(tail -n 3 "$work/database.log")"
        sleep 0.05
    done
    make_tables
}

make_tables() {
    track_statements none
    # The migration grants rights to this role.
    query postgres "CREATE ROLE usher_app LOGIN"
    query postgres "CREATE DATABASE tables"
    "$usher_postgres" migrate --journal "$(uri tables usher_owner)" >"$work/migrate.log" 2>&1 ||
        fail "usher-postgres migrate failed: $(tail -n 3 "$work/migrate.log")"
    query tables "CREATE EXTENSION pg_stat_statements"
}

# track_statements top|none: turns pg_stat_statements on or off; only its counts depend on this.
track_statements() {
    query postgres "ALTER SYSTEM SET pg_stat_statements.track = '$1'"
    query postgres "SELECT pg_reload_conf()" >/dev/null
}

# make_journal NAME: creates an empty database with a journal's tables.
make_journal() {
    query postgres "DROP DATABASE IF EXISTS $1 WITH (FORCE)"
    query postgres "CREATE DATABASE $1 TEMPLATE tables"
}

# uri NAME [ROLE]
uri() {
    echo "postgres:///$1?host=$database_folder&user=${2:-usher_app}"
}

# query DATABASE SQL: prints the rows.
query() {
    PGOPTIONS="-c client_min_messages=warning" "$(postgres_programs)/psql" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command "$2" \
        "$(uri "$1" usher_owner)"
}

# Prints the CPU time so far of all the database's processes, including ended processes, in microseconds.
database_time() {
    { cat /proc/[0-9]*/stat 2>/dev/null || true; } | awk -v server="$database_pid" -v ticks="$(getconf CLK_TCK)" '
        { process = $1; sub(/^.*\) /, "") }
        $2 == server { total += $12 + $13 }
        process == server { total += $12 + $13 + $14 + $15 }
        END { printf "%.0f", total * 1000000 / ticks }'
}

# append_statement: prints the text of usher's statement that appends entries, from the database's log.
append_statement() {
    awk '
        function check() {
            if (text ~ /^WITH c AS/ && text ~ /UPDATE usher.sessions/ && text ~ /INSERT INTO usher.entries/ && text !~ /DELETE/) {
                printf "%s", text
                exit
            }
        }
        /^LOG:  execute / { check(); sub(/^LOG:  execute [^:]*: /, ""); text = $0 "\n"; next }
        /^\t/ { text = text $0 "\n"; next }
        { check(); text = "" }' "$work/database.log"
}

# await_disconnection DATABASE: waits until no client is connected, and the counters of all clients are complete.
await_disconnection() {
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        [[ $(query postgres "SELECT count(*) FROM pg_stat_activity WHERE datname = '$1'") != 0 ]] || return 0
        sleep 0.05
    done
    fail "somebody stays connected to the database"
}

stop_database() {
    if [[ -n $database_pid ]]; then
        # Without a checkpoint, because the data is deleted anyway.
        kill -QUIT "$database_pid" 2>/dev/null || true
        wait "$database_pid" 2>/dev/null || true
        database_pid=""
    fi
    [[ -z $database_folder ]] || rm -rf "$database_folder"
}
