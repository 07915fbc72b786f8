/// The options of the watchdog: what author's code may take before the process is ended for it.
extension ServeOptions {
    static let watching = [
        Option(
            "handler-timeout", "TIME", "a handler that takes longer ends the process; 0 for no limit (5s)",
            sets: \.handlerTimeout
        ) { value, name throws(UsageError) in
            try Option.unlimited(or: Option.duration)(value, name)
        },
        Option(
            "input-memory", "SIZE", "an input by which the process grows more ends it; 0 for no limit (256M)",
            sets: \.inputMemory
        ) { value, name throws(UsageError) in
            try Option.unlimited(or: memory)(value, name)
        },
    ]

    /// A size in MiB or GiB, from 16 MiB to 1 TiB.
    private static func memory(_ text: String, _ name: String) throws(UsageError) -> Int {
        let units: [Substring: Int] = ["M": 1 << 20, "MB": 1 << 20, "G": 1 << 30, "GB": 1 << 30]
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), let unit = units[text.dropFirst(digits.count)],
            case let (bytes, overflow) = number.multipliedReportingOverflow(by: unit), !overflow,
            (16 << 20...1 << 40).contains(bytes)
        else { throw UsageError("--\(name) takes a size from 16M to 1024G, such as 256M, not \"\(text)\"") }
        return bytes
    }
}
