# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Sets the numbers of sessions, requests and seconds for the measurements.

connections=64
open_sessions=1000
threads=$(nproc)
server_core=${BENCH_SERVER_CORE:-0}
load_core=${BENCH_LOAD_CORE:-1}
(($(nproc) > 1)) || load_core=$server_core

use_full_settings() {
    rounds=5
    seconds=5
    many_sessions=1000000
    turnover_batch=100000
    batches=10
    plateau_batch=1
    think_sessions=100000
    think_settling=40
    think_seconds=60
    woken=2000
    form_sessions=50000
    cluster_rounds=4
    cluster_seconds=2
    cluster_woken=500
    cluster_turns=200
    cluster_streams=200
    failover_seconds=9
}

use_quick_settings() {
    rounds=3
    seconds=2
    many_sessions=50000
    turnover_batch=10000
    batches=8
    # The memory for ended sessions grows until there are 65,536 of them.
    plateau_batch=7
    think_sessions=50000
    think_settling=25
    think_seconds=5
    woken=500
    form_sessions=10000
    cluster_rounds=2
    cluster_seconds=1
    cluster_woken=200
    cluster_turns=100
    cluster_streams=100
    failover_seconds=6
}

# note_scale SESSIONS: prints a note if the target is for about a million sessions, and fewer were measured.
note_scale() {
    (($1 == 1000000)) || echo ", with $(with_commas "$1")"
}
