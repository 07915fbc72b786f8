import UsherHTTP
import UsherJSON

/// A contradiction between what clients saw and what a server may do.
struct Contradiction: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A parsed response.
struct SeenAnswer {
    let status: Int
    let body: [UInt8]
    let json: JSONValue
    /// A Boolean value that indicates whether the tag belongs to a state that the journal does not contain.
    let isUnwritten: Bool

    init(_ response: Response) throws {
        status = response.status.code
        body = response.body
        isUnwritten = response.headers["ETag"]?.contains(".b") ?? false
        json = try JSONDocument(parsing: body.isEmpty ? Array("{}".utf8) : body).root
    }

    var session: String? { json[member: "session"]?.string }
    var revision: Int { json[member: "revision"]?.integer ?? 0 }
    var isPending: Bool { json[member: "pending"].map { !Array($0.elements).isEmpty } ?? false }
    /// The last component of a problem's type.
    var problem: String? { json[member: "type"]?.string?.split(separator: ":").last.map(String.init) }
    /// The numbers in the log; nil if the log is not on display.
    var numbers: [Int]? {
        screens.first?[member: "state"]?[member: "numbers"]?.elements.compactMap(\.integer)
    }

    /// The earlier revision at which the session resumed; nil if the state names none.
    var resumed: Int? { json[member: "resumed"]?[member: "revision"]?.integer }

    /// The resumptions in the entries of a journal.
    var resumptions: [Resumption] {
        let entries = json[member: "entries"].map { Array($0.elements) } ?? []
        return entries.compactMap { entry in
            guard entry[member: "kind"]?.string == "divergence", let end = entry[member: "revision"]?.integer,
                let start = entry[member: "input"]?[member: "resumed"]?.integer
            else { return nil }
            return Resumption(start: start, end: end, isLast: end == entries.count)
        }
    }

    /// The screens on display, bottom to top, each with its id and a name that is the same in all builds.
    var displayed: [(id: Int, screen: String)] {
        screens.compactMap { screen in
            guard let id = screen[member: "id"]?.integer, let name = screen[member: "screen"]?.string else {
                return nil
            }
            let opened = screen[member: "state"]?[member: "opened"]?.integer.map { " of \($0)" } ?? ""
            return (id, (name == "leaf" ? "note" : name) + opened)
        }
    }

    private var screens: [JSONValue] { json[member: "stack"].map { Array($0.elements) } ?? [] }
}

/// A part of a session's history that builds do not follow any more.
struct Resumption {
    /// The last revision before this part.
    let start: Int
    /// The revision at which the session resumed.
    let end: Int
    /// A Boolean value indicating whether the journal has nothing after it.
    let isLast: Bool

    func drops(_ revision: Int) -> Bool { start < revision && revision < end }
}

/// An acknowledged event.
private struct AcknowledgedEvent {
    let kind: String
    /// The revision in the response.
    let revision: Int
    /// A Boolean value that indicates whether the event led to exactly this revision, and not to an earlier one.
    let isExact: Bool

    func mayBeDropped(by resumption: Resumption) -> Bool {
        isExact ? resumption.drops(revision) : resumption.start < revision
    }
}

/// The model of a session: everything that its clients have seen.
///
/// The model checks whether one server with one memory could have shown it.
final class History: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// The numbers at each revision that a client has seen.
    private var numbers: [Int: [Int]] = [:]
    /// The newest revision that a client has seen.
    private(set) var newest = 0
    /// The id of the screen that was visible last.
    private(set) var top: Int?
    /// The acknowledged events by their numbers.
    private var acknowledged: [Int: AcknowledgedEvent] = [:]
    /// The numbers of rejected events, which must never appear.
    private var refused: Set<Int> = []
    /// The first responses by their idempotency keys.
    private var keyed: [String: [UInt8]] = [:]
    /// The screens by their ids.
    private var screens: [Int: String] = [:]
    /// The resumptions that the journal contains.
    private var resumptions: [Int: Resumption] = [:]
    /// A Boolean value indicating whether the root may have started over, which cancels timers.
    private var hasStartedOver = false

    /// A Boolean value indicating whether the time of day was ahead for long enough to confirm a release.
    var mayBeConfirmed = false

    /// Notes that a client asks the root to start over.
    func mayStartOver() { hasStartedOver = true }

    /// Checks a state against the model, and adds it.
    ///
    /// - Parameter floor: The newest revision that any client had seen when the state was requested.
    func see(_ answer: SeenAnswer, since floor: Int, isReplay: Bool = false) throws {
        guard let found = answer.numbers else { return }
        let revision = answer.revision
        guard isReplay || revision >= floor else {
            throw Contradiction("stale: revision \(revision) after somebody had seen \(floor)")
        }
        top = answer.displayed.last?.id
        try noteScreens(of: answer)
        if let start = answer.resumed {
            if answer.isUnwritten { return try expectFacts(in: found, at: revision, resumedFrom: start) }
            // The journal contains such a state only after an input, which writes the resumption.
            guard mayBeConfirmed || resumptions.values.contains(where: { $0.start == start && $0.end < revision })
            else {
                throw Contradiction("revision \(revision) has resumed from \(start) in the journal, and no input came")
            }
        }
        if let known = numbers[revision], known != found {
            throw Contradiction("revision \(revision) is both \(known) and \(found)")
        }
        numbers[revision] = found
        newest = max(newest, revision)
        try expectOrder(around: revision, found)
        for number in found {
            if let effect = Offset.effect(of: number) { Backend.current.noteEnd(of: effect) }
        }
    }

    /// An id names one screen for ever, also if a build shows it in a resumption that is not written.
    private func noteScreens(of answer: SeenAnswer) throws {
        for (id, screen) in answer.displayed {
            if let known = screens[id], known != screen {
                throw Contradiction("the screen \(id) is \(known) and, at revision \(answer.revision), \(screen)")
            }
            screens[id] = screen
        }
    }

    /// Notes that a build has resumed the session in the journal.
    ///
    /// - Returns: `false` if the resumption was already known.
    func note(_ resumption: Resumption) throws -> Bool {
        guard resumptions.updateValue(resumption, forKey: resumption.end) == nil else { return false }
        guard mayBeConfirmed || !resumption.isLast else {
            throw Contradiction("the journal resumes revision \(resumption.start), and no input came")
        }
        return true
    }

    /// Checks that a state that resumes the session has all results that clients have seen, and nothing new.
    private func expectFacts(in found: [Int], at revision: Int, resumedFrom start: Int) throws {
        if let known = numbers[start], known != found {
            throw Contradiction("revision \(revision) resumes \(start), which had \(known), with \(found)")
        }
        let shown = numbers.filter { isFollowed($0.key, at: revision) }.max { $0.key < $1.key }?.value ?? []
        if let lost = shown.first(where: { Offset.effect(of: $0) != nil && !found.contains($0) }) {
            throw Contradiction("revision \(revision) resumes \(start), and lacks the result \(lost)")
        }
    }

    /// Notes that an event was acknowledged.
    ///
    /// - Parameter isRepeated: Whether the response may show a later state than the one that the event led to.
    func acknowledge(_ number: Int, _ kind: String, _ answer: SeenAnswer, isRepeated: Bool) throws {
        acknowledged[number] = AcknowledgedEvent(kind: kind, revision: answer.revision, isExact: !isRepeated)
        guard let found = answer.numbers, !found.contains(number) else { return }
        throw Contradiction("\(number) was acknowledged at revision \(answer.revision), which has \(found)")
    }

    /// Notes that the event with this number was rejected, so that it must never take effect.
    func refuse(_ number: Int) { refused.insert(number) }

    /// Notes a response to a request with an idempotency key, and checks that all responses to the key are equal.
    func see(_ answer: SeenAnswer, under key: String) throws {
        if let first = keyed[key], first != answer.body {
            throw Contradiction("two answers to the key \(key)")
        }
        keyed[key] = answer.body
    }

    /// Checks the final state of the session, after all its work has ended.
    func expectAll(in final: [Int]) throws {
        for (number, event) in acknowledged.sorted(by: { $0.key < $1.key }) {
            try expect(event, number, in: final)
        }
        for number in refused.sorted() where final.contains(number) {
            throw Contradiction("refused, and there: \(number) is among \(final)")
        }
        let counts = final.reduce(into: [:]) { counts, number in counts[number, default: 0] += 1 }
        if let double = counts.filter({ $0.value > 1 }).keys.min() {
            throw Contradiction("doubled: \(double) is twice among \(final)")
        }
    }

    private func expect(_ event: AcknowledgedEvent, _ number: Int, in final: [Int]) throws {
        let text = "\(number), acknowledged at revision \(event.revision)"
        let isDropped = resumptions.values.contains { event.mayBeDropped(by: $0) }
        guard final.contains(number) else {
            // A resumption never drops an effect.
            guard isDropped, event.kind != "ask" else { throw Contradiction("lost: \(text), is not among \(final)") }
            guard !final.contains(number + Offset.timer) else {
                throw Contradiction("the timer of \(text), was dropped, and is among \(final)")
            }
            return
        }
        guard !isDropped || !event.isExact else {
            throw Contradiction("dropped, and there: \(text), is among \(final)")
        }
        let owed: [Int] =
            switch event.kind {
            case "ask": [number + Offset.result, -number]
            case "wait": hasStartedOver ? [] : [number + Offset.timer]
            default: []
            }
        guard owed.isEmpty || owed.contains(where: final.contains) else {
            throw Contradiction("lost: \(owed) of an effect or a timer is not among \(final)")
        }
    }

    /// Returns a Boolean value indicating whether a revision is part of the history of a later one.
    private func isFollowed(_ revision: Int, at later: Int) -> Bool {
        revision <= later && !resumptions.values.contains { $0.end <= later && $0.drops(revision) }
    }

    /// Checks that numbers are only added, except for those that a resumption has dropped.
    private func expectOrder(around revision: Int, _ found: [Int]) throws {
        let before = numbers.keys.filter { $0 < revision && isFollowed($0, at: revision) }.max()
        let after = numbers.keys.filter { $0 > revision && isFollowed(revision, at: $0) }.min()
        if let before, let shown = numbers[before], !found.starts(with: shown) {
            throw Contradiction("revision \(revision) has \(found), and \(before) had \(shown)")
        }
        if let after, let shown = numbers[after], !shown.starts(with: found) {
            throw Contradiction("revision \(after) has \(shown), and \(revision) had \(found)")
        }
    }
}
