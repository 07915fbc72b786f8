extension ServeOption {
    /// Every option, in the order of the usage.
    static let all: [ServeOption] = listening + sessions + access + logging

    private static let listening: [ServeOption] = [
        ServeOption("host", "ADDRESS", "the address to listen on (127.0.0.1)") { value, options in
            // An IPv6 address may stand as in a URL.
            options.host = value.hasPrefix("[") && value.hasSuffix("]") ? String(value.dropFirst().dropLast()) : value
        },
        ServeOption("port", "N", "the port; 0 takes a free one (8080)") { value, options throws(UsageError) in
            options.port = try number(value, of: "port", in: 0...65_535)
        },
        ServeOption("public", "DIR", "the folder of the page at / (no page)") { value, options in
            options.publicFolder = value
        },
        ServeOption("threads", "N", "threads that serve connections (one a processor)") {
            value, options throws(UsageError) in
            options.threads = try number(value, of: "threads", in: 1...256)
        },
        ServeOption("connection-memory", "SIZE", "what the head of a request may take (8K)") {
            value, options throws(UsageError) in
            options.connectionMemory = try size(value, of: "connection-memory", in: 2_048...1_048_576)
        },
    ]

    private static let sessions: [ServeOption] = [
        ServeOption("journal", "memory", "where inputs are kept (memory)") { value, options throws(UsageError) in
            guard let journal = ServeOptions.Journal(rawValue: value) else {
                throw UsageError("--journal takes memory, not \"\(value)\"")
            }
            options.journal = journal
        },
        ServeOption("max-sessions", "N", "sessions that may live at the same time (1000000)") {
            value, options throws(UsageError) in
            options.maxSessions = try number(value, of: "max-sessions", in: 1...100_000_000)
        },
    ]

    private static let access: [ServeOption] = [
        ServeOption(
            "allow-origin", "URL", "a web page's origin that may use the server; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in
            options.allowedOrigins.append(try origin(value))
        },
        ServeOption(
            "allow-host", "NAME", "a name that requests may use for the server; repeatable",
            isRepeatable: true
        ) { value, options in
            options.allowedHosts.append(value)
        },
        ServeOption("admin-token", "T", "the secret that opens /admin; better given as USHER_ADMIN_TOKEN") {
            value, options throws(UsageError) in
            guard !value.isEmpty else { throw UsageError("--admin-token takes a secret that is not empty") }
            options.adminToken = value
        },
    ]

    private static let logging: [ServeOption] = [
        ServeOption("log", "text|json", "how a line of the log looks (text)") { value, options throws(UsageError) in
            guard let format = LogFormat(rawValue: value) else {
                throw UsageError("--log takes text or json, not \"\(value)\"")
            }
            options.logFormat = format
        }
    ]
}
