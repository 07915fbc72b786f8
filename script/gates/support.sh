# Functions that several gates share; a gate sources this file.

# Prints one sentence and ends the gate.
fail() {
    echo "$*" >&2
    exit 1
}

# The time limit of a group of tests. The first group has taken eight minutes on a slow machine
# with other work.
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

# The build folder of packages that use Usher; they share it, so that Usher is compiled only once for them.
packages=.build/packages

# author_tests PACKAGE: builds a package, and runs its tests.
author_tests() {
    # Deletes the description of the previous package, because SwiftPM would use it, and run that package's tests again.
    rm -f "$packages"/*/debug/description.json "$packages"/debug.yaml
    # Builds separately, so that the time limit applies only to the tests; on a busy machine, a build may take long.
    swift build --build-tests --package-path "$1" --scratch-path "$packages"
    # Without no_proxy, a proxy in the environment would receive even requests to this machine.
    no_proxy=127.0.0.1 timeout --foreground --signal INT 5m \
        swift test --skip-build --package-path "$1" --scratch-path "$packages"
}
