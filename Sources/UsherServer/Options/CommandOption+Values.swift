extension CommandOption {
    static func number(_ text: String, of name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// Bytes, or KiB with a `K`.
    static func size(_ text: String, of name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let isKibibytes = text.hasSuffix("K")
        let digits = isKibibytes ? text.dropLast() : text[...]
        let bytes = Int(digits)?.multipliedReportingOverflow(by: isKibibytes ? 1_024 : 1)
        guard let bytes, !bytes.overflow, range.contains(bytes.partialValue) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(name) takes bytes \(bounds), such as 8K, not \"\(text)\"")
        }
        return bytes.partialValue
    }

    /// A whole number with its unit: `ms`, `s`, `m`, `h` or `d`; from 100 ms to a year.
    static func duration(_ text: String, of name: String) throws(UsageError) -> Duration {
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit: [Substring: Int64] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let number = Int64(digits), let scale = unit[text.dropFirst(digits.count)],
            case let (milliseconds, overflow) = number.multipliedReportingOverflow(by: scale), !overflow,
            (100...365 * 86_400_000).contains(milliseconds)
        else {
            throw UsageError("--\(name) takes a time from 100ms to 365d, such as 30s, 5m or 24h, not \"\(text)\"")
        }
        return .milliseconds(milliseconds)
    }

    /// Scheme, host and port, and nothing behind (RFC 6454, section 6.2).
    static func origin(_ text: String) throws(UsageError) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty, !parts[2].isEmpty else {
            throw UsageError("--allow-origin takes an origin such as https://shop.example, not \"\(text)\"")
        }
        return text
    }
}
