/// The options that limit the server's memory, the use of each client address, and handlers.
extension ServeOptions {
    static let limits = [
        Option(
            "memory", "SIZE",
            "the memory that the server can use, at least 32M; 0 for no limit (default: 3/4 of the memory of the "
                + "machine or control group)",
            sets: \.memory
        ) { value, name throws(UsageError) in
            try Option.unlimited(or: Option.size(in: (32 << 20)...(1 << 50), suchAs: "512M"))(value, name) ?? 0
        },
        Option(
            "address-connections", "N", "the most connections of one client address; 0 for no limit (default: 512)",
            sets: \.addressLimits.connections, limit),
        Option(
            "address-streams", "N", "the most streams of one client address; 0 for no limit (default: 128)",
            sets: \.addressLimits.streams, limit),
        Option(
            "address-sessions", "N",
            "the most sessions that one client address can open per second; 0 for no limit (default: 10)",
            sets: \.addressLimits.sessions, limit),
        Option(
            "address-bytes", "SIZE",
            "the most bytes that one client address can add to the journal per day; 0 for no limit (default: 256M)",
            sets: \.addressLimits.bytes, Option.size(in: 0...(1 << 50))),
        Option(
            "address-limits", "public|all",
            "which addresses have limits if --trusted-proxy is not set: only public addresses, or all addresses, "
                + "even of this machine and of private networks (default: public)",
            sets: \.addressLimits.scope, Option.word(.public, .all)),
    ]

    private static let limit = Option.number(in: 0...100_000_000)

    static let watching = [
        Option(
            "handler-timeout", "TIME",
            "end the process if a handler takes longer than this; 0 for no limit (default: 5s)",
            sets: \.handlerTimeout, Option.unlimited(or: Option.duration)),
        Option(
            "input-memory", "SIZE",
            "end the process if one input uses more memory than this; 0 for no limit (default: 256M)",
            sets: \.inputMemory, Option.unlimited(or: Option.size(in: (16 << 20)...(1 << 40), suchAs: "256M"))),
    ]
}
