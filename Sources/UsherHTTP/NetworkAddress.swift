/// An IP address, of version 4 or 6.
///
/// One of version 4 is held as version 6 maps it (RFC 4291 §2.5.5.2): a socket for both versions gives no client two.
package struct NetworkAddress: Hashable, Sendable {
    /// The 128 bits of version 6.
    package let bits: UInt128

    /// An address of version 6, or a mapped one of version 4.
    package init(bits: UInt128) {
        self.bits = bits
    }

    /// An address of version 4.
    package init(version4 number: UInt32) {
        bits = Self.mapped | UInt128(number)
    }

    /// Reads the text form: `192.0.2.1`, or one of RFC 4291 §2.2.
    ///
    /// - Returns: nil for anything else: a zone, a port, a number with a leading zero, which some take for an octal one.
    package init?(_ text: Span<UInt8>) {
        if let number = Self.version4(text) {
            self.init(version4: number)
        } else if let number = Self.version6(text) {
            self.init(bits: number)
        } else {
            return nil
        }
    }

    /// Reads the text form.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// True of an address of version 4.
    package var isVersion4: Bool { bits >> 32 == Self.mapped >> 32 }

    /// The network that one client has by itself, by its first address: of version 6 the first 64 bits (RFC 6177, section
    /// 2), of version 4 the address alone.
    package var clientNetwork: NetworkAddress {
        isVersion4 ? self : NetworkAddress(bits: bits & (UInt128.max << 64))
    }

    private static let mapped: UInt128 = 0xFFFF << 32

    private static func version4(_ text: Span<UInt8>) -> UInt32? {
        var (number, octet, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for index in text.indices {
            if text[index] == UInt8(ascii: ".") {
                guard digits > 0, dots < 3 else { return nil }
                number = number << 8 | octet
                (octet, digits, dots) = (0, 0, dots + 1)
            } else {
                guard FieldGrammar.isDigit(text[index]), digits == 0 || octet > 0 else { return nil }
                octet = octet * 10 + UInt32(text[index] - UInt8(ascii: "0"))
                guard octet <= 255 else { return nil }
                digits += 1
            }
        }
        return dots == 3 && digits > 0 ? number << 8 | octet : nil
    }

    private static func version6(_ text: Span<UInt8>) -> UInt128? {
        guard text.count >= 2, text[0] != UInt8(ascii: ":") || text[1] == UInt8(ascii: ":") else { return nil }
        var groups = AddressGroups()
        var position = 0
        if text[0] == UInt8(ascii: ":") {
            groups.isCompressed = true
            position = 2
        }
        while position < text.count {
            var end = position
            while end < text.count, text[end] != UInt8(ascii: ":") { end += 1 }
            guard groups.append(text.extracting(position..<end), isLast: end == text.count) else { return nil }
            guard end < text.count else { break }
            position = end + 1
            guard position < text.count else { return nil }
            if text[position] == UInt8(ascii: ":") {
                guard !groups.isCompressed else { return nil }
                groups.isCompressed = true
                position += 1
            }
        }
        return groups.number
    }

    /// The groups of an IPv6 address as they are read: those before its `::` and those behind.
    private struct AddressGroups {
        var isCompressed = false
        private var (head, tail) = (UInt128(0), UInt128(0))
        private var (headCount, tailCount) = (0, 0)

        /// Takes a group of up to four hexadecimal digits, or, as the last, an address of version 4.
        mutating func append(_ text: Span<UInt8>, isLast: Bool) -> Bool {
            if isLast, let number = NetworkAddress.version4(text) {
                append(UInt128(number >> 16))
                append(UInt128(number & 0xFFFF))
                return true
            }
            guard (1...4).contains(text.count) else { return false }
            var number: UInt128 = 0
            for index in text.indices {
                guard let digit = FieldGrammar.hexadecimalDigit(text[index]) else { return false }
                number = number << 4 | UInt128(digit)
            }
            append(number)
            return true
        }

        /// The address, unless it has too few groups or too many.
        var number: UInt128? {
            guard isCompressed ? headCount + tailCount < 8 : headCount == 8 else { return nil }
            return head << UInt128(16 * (8 - headCount)) | tail
        }

        private mutating func append(_ group: UInt128) {
            if isCompressed {
                tail = tail << 16 | group
                tailCount += 1
            } else {
                head = head << 16 | group
                headCount += 1
            }
        }
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The canonical text form (RFC 5952).
    package var description: String {
        guard !isVersion4 else {
            return [24, 16, 8, 0].map { "\(UInt8(truncatingIfNeeded: bits >> UInt128($0)))" }.joined(separator: ".")
        }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> UInt128(112 - 16 * $0)) }
        let zeros = Self.longestZeros(of: groups)
        guard zeros.count > 1 else { return Self.text(groups[...]) }
        return "\(Self.text(groups[..<zeros.lowerBound]))::\(Self.text(groups[zeros.upperBound...]))"
    }

    private static func text(_ groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(of groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest
    }
}
