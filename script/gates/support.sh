# What several gates share. A gate sources this file.

# Prints one sentence and ends the gate.
fail() {
    echo "$*" >&2
    exit 1
}

# The time after which a run of tests counts as hanging. The first group of tests has taken eight minutes on a slow machine
# that had other work as well.
patience=40m
if [[ ${USHER_LONG-} ]]; then patience=120m; fi

# start_server PROGRAM [OPTION …]: starts a server, and stores its URL in `address`.
start_server() {
    exec 3< <(exec "$1" serve --port 0 --session-access id "${@:2}")
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    read -r -t 30 address <&3 || fail "the server $1 did not print its address within 30 s"
    address=${address#usher: listening on }
}

# Ends the server that was started last, as an operator does.
stop_server() {
    kill -TERM "$server"
    wait "$server" || fail "the server ended with status $? on SIGTERM"
}

# expect STATUS TEXT OPTION …: sends a request with curl, and compares the answer's status; the body must contain the text.
expect() {
    local status=$1 text=$2
    shift 2
    answer=$(curl --silent --show-error --max-time 10 --write-out '\n%{http_code}' "$@")
    [[ ${answer##*$'\n'} == "$status" && $answer == *"$text"* ]] ||
        fail "curl $*: expected status $status and '$text', got: $answer"
}

# open_session URL APP TEXT: opens a session whose first state contains the text, and stores its id in `id`.
open_session() {
    expect 201 "$3" "$1/sessions" --json "{\"app\":\"$2\"}"
    [[ $answer =~ \"session\":\"([^\"]+)\" ]] || fail "the answer names no session: $answer"
    id=${BASH_REMATCH[1]}
}

# Where the packages that use Usher are built: all in one place, so that Usher is compiled only once for them.
packages=.build/packages

# author_tests PACKAGE: builds a package, and runs its tests.
author_tests() {
    # The description of the package that was built before would be taken for this one's, and its tests would run again.
    rm -f "$packages"/*/debug/description.json "$packages"/debug.yaml
    # Two steps, so that the time limit holds for the tests only: a busy machine may take long to build.
    swift build --build-tests --package-path "$1" --scratch-path "$packages"
    # Without no_proxy, a proxy of the environment would get the requests to this machine.
    no_proxy=127.0.0.1 timeout --foreground --signal INT 5m \
        swift test --skip-build --package-path "$1" --scratch-path "$packages"
}
