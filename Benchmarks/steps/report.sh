# shellcheck shell=bash disable=SC2034,SC2154  # The parts are sourced together and share their variables.
# Prints and writes the results: each part's figures as they are measured, then the table of the targets, and both as JSON.

targets=()
details=()

# measure PART
measure() {
    local start=$SECONDS
    printf '\n%s\n' "$1"
    "measure_$1"
    printf '  (%s s)\n' $((SECONDS - start))
}

# detail NAME VALUE UNIT: prints a figure, and stores it for the JSON.
detail() {
    printf '  %-52s %14s %s\n' "$1" "$2" "$3"
    details+=("$(printf '{"figure": "%s", "value": %s, "unit": "%s"}' "$1" "${2:-null}" "$3")")
}

# judge FIGURE UNIT RELATION LIMIT VALUE [NOTE]: adds a row to the table; the relation is "at most" or "at least".
judge() {
    local verdict=misses relation='<='
    [[ $3 == "at most" ]] || relation='>='
    [[ $(calculate 0 "$5 $relation $4") != 1 ]] || verdict=meets
    targets+=("$1|$3 $4${2:+ $2}|$5${2:+ $2}|$verdict${6:-}|$5")
    printf '  %s: %s\n' "$1" "$5${2:+ $2}, $verdict${6:-}"
}

# show FIGURE UNIT VALUE [NOTE]: adds a row without a target, and therefore without a verdict.
show() {
    targets+=("$1||$3${2:+ $2}|${4:-}|$3")
    printf '  %s: %s\n' "$1" "$3${2:+ $2}${4:+, $4}"
}

# pass_over FIGURE UNIT RELATION LIMIT WHY: adds a row for a figure that could not be measured.
pass_over() {
    targets+=("$1|$3 $4${2:+ $2}||not measured: $5|null")
}

describe_run() {
    local changes=""
    git diff --quiet HEAD -- Sources Benchmarks script Package.swift 2>/dev/null || changes=", with changes"
    [[ -z ${BENCH_USHER:-} ]] || changes+=", another executable"
    run=(
        "date|$(date -u +%Y-%m-%dT%H:%MZ)"
        "form|$form"
        "commit|$(git rev-parse --short HEAD 2>/dev/null || echo none)$changes"
        "processor|$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)"
        "cores|$(nproc)"
        "pinned|servers to core $server_core, load to core $load_core"
        "kernel|$(uname -sr)"
        "swift|$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')"
        "load before|$(cut -d' ' -f1-3 /proc/loadavg)"
    )
    local line
    for line in "${run[@]}"; do printf '%-12s %s\n' "${line%%|*}" "${line#*|}"; done
    [[ $load_core != "$server_core" ]] || echo "warning: one core for both: the figures cannot be compared"
}

print_targets() {
    local row figure target measured verdict _
    printf '\n%-70s %-16s %-16s %s\n' figure target measured verdict
    for row in "${targets[@]}"; do
        IFS='|' read -r figure target measured verdict _ <<<"$row"
        printf '%-70s %-16s %-16s %s\n' "$figure" "${target:--}" "$measured" "${verdict:--}"
    done
}

# joined ROW…: prints the rows of a JSON array.
joined() {
    local rows
    rows=$(printf '    %s,\n' "$@")
    echo "${rows%,}"
}

# text_or_null TEXT: prints a text as JSON.
text_or_null() {
    if [[ -n $1 ]]; then echo "\"$1\""; else echo null; fi
}

print_json() {
    local line row rows=() figure target measured verdict value
    echo '{'
    for line in "${run[@]}" "load after|$(cut -d' ' -f1-3 /proc/loadavg)"; do
        printf '  "%s": "%s",\n' "${line%%|*}" "${line#*|}"
    done
    for row in "${targets[@]}"; do
        IFS='|' read -r figure target measured verdict value <<<"$row"
        rows+=("$(printf '{"figure": "%s", "target": %s, "measured": "%s", "value": %s, "verdict": %s}' \
            "$figure" "$(text_or_null "$target")" "$measured" "${value:-null}" "$(text_or_null "$verdict")")")
    done
    printf '  "targets": [\n%s\n  ],\n  "details": [\n%s\n  ]\n}\n' "$(joined "${rows[@]}")" "$(joined "${details[@]}")"
}

finish_report() {
    local kept
    print_targets
    json=${json:-$build/result.json}
    print_json >"$json"
    echo
    echo "written to $json"
    [[ -n $keep ]] || return 0
    kept=$benchmarks/results/$(date -u +%Y-%m-%d)-$form.json
    cp "$json" "$kept"
    "$benchmarks/table" "$kept" "$benchmarks/README.md"
    echo "kept in $kept"
}
