/// The safeguards by which servers on one journal keep each other's answers true.
///
/// All are on in whatever serves anybody: no option and no public API switches one off. The tests' own server does, to
/// see that without it the checker of histories finds what then goes wrong.
package struct Safeguards: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A record's version has a random mark.
    ///
    /// Off: all marks are alike, so that writes are swapped by revision alone.
    package static let marks = Safeguards(rawValue: 1 << 0)
    /// An answer that is no change is confirmed by the journal.
    ///
    /// Off: a tree in memory is believed.
    package static let confirmation = Safeguards(rawValue: 1 << 1)
    /// A commit without an answer is sent again.
    ///
    /// Off: it has happened where a look finds it.
    package static let resending = Safeguards(rawValue: 1 << 2)
    /// A write that loses after a resend is looked for by its mark.
    ///
    /// Off: it has lost to somebody else.
    package static let ownMarks = Safeguards(rawValue: 1 << 3)
    /// A new connection begins with a write, which waits for the standby.
    ///
    /// Off: what it reads is believed at once.
    package static let fence = Safeguards(rawValue: 1 << 4)
    /// A claim looks at the row that it takes.
    ///
    /// Off: at a join with the servers, which another claim may have outdated.
    package static let claims = Safeguards(rawValue: 1 << 5)
    /// Only work that is owned starts.
    ///
    /// Off: every server that has the session in memory starts it.
    package static let ownership = Safeguards(rawValue: 1 << 6)

    /// All of them.
    package static let all: Safeguards = [
        .marks, .confirmation, .resending, .ownMarks, .fence, .claims, .ownership,
    ]
}

extension Safeguards {
    /// The safeguards by their names, by which a test switches one off.
    private static let names: [String: Safeguards] = [
        "marks": .marks, "confirmation": .confirmation, "resending": .resending, "ownMarks": .ownMarks,
        "fence": .fence, "claims": .claims, "ownership": .ownership,
    ]

    /// All but those that are named, with commas between them.
    package init(without names: String) {
        self = names.split(separator: ",").reduce(.all) { $0.subtracting(Self.names[String($1)] ?? []) }
    }
}
