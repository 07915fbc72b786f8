import UsherHTTP
import UsherJSON

/// A contradiction between what clients saw and what a server may do.
struct Contradiction: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// An answer, read.
struct SeenAnswer {
    let status: Int
    let body: [UInt8]
    let json: JSONValue

    init(_ response: Response) throws {
        status = response.status.code
        body = response.body
        json = try JSONDocument(parsing: body.isEmpty ? Array("{}".utf8) : body).root
    }

    var session: String? { json[member: "session"]?.string }
    var revision: Int { json[member: "revision"]?.integer ?? 0 }
    var isPending: Bool { json[member: "pending"].map { !Array($0.elements).isEmpty } ?? false }
    /// The last word of a problem's type.
    var problem: String? { json[member: "type"]?.string?.split(separator: ":").last.map(String.init) }
    /// The numbers of the log; nil where it is not on display.
    var numbers: [Int]? {
        screens.first?[member: "state"]?[member: "numbers"]?.elements.compactMap(\.integer)
    }

    private var screens: [JSONValue] { json[member: "stack"].map { Array($0.elements) } ?? [] }
}

/// The model: what all clients of one session together have seen, and whether one server with one memory could have shown
/// it.
final class History: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// The state at each revision that anybody has seen.
    private var numbers: [Int: [Int]] = [:]
    /// The newest revision that anybody has seen.
    private(set) var newest = 0
    /// Numbers of events that were acknowledged, and the revision by which they count.
    private var acknowledged: [Int: Int] = [:]
    /// Numbers of which one must be there in the end.
    private var owed: [[Int]] = []
    /// Numbers that must never be there.
    private var refused: Set<Int> = []
    /// First answers under keys.
    private var keyed: [String: [UInt8]] = [:]

    /// A state came.
    ///
    /// - Parameter floor: The newest revision that anybody had seen when it was asked for.
    func see(_ answer: SeenAnswer, since floor: Int, isReplay: Bool = false) throws {
        guard let found = answer.numbers else { return }
        let revision = answer.revision
        guard isReplay || revision >= floor else {
            throw Contradiction("stale: revision \(revision) after somebody had seen \(floor)")
        }
        if let known = numbers[revision], known != found {
            throw Contradiction("revision \(revision) is both \(known) and \(found)")
        }
        numbers[revision] = found
        newest = max(newest, revision)
        try expectOrder(around: revision, found)
    }

    /// An event was acknowledged.
    func acknowledge(_ number: Int, _ answer: SeenAnswer) throws {
        acknowledged[number] = answer.revision
        guard let found = answer.numbers, !found.contains(number) else { return }
        throw Contradiction("\(number) was acknowledged at revision \(answer.revision), which has \(found)")
    }

    /// One of these numbers must be there in the end: an effect or a timer of what was acknowledged.
    func owe(_ numbers: Int...) { owed.append(numbers) }

    /// What has this number has not happened, and never will.
    func refuse(_ number: Int) { refused.insert(number) }

    /// An answer came under a key.
    func see(_ answer: SeenAnswer, under key: String) throws {
        if let first = keyed[key], first != answer.body {
            throw Contradiction("two answers to the key \(key)")
        }
        keyed[key] = answer.body
    }

    /// The session as it stands once nothing is under way.
    func expectAll(in final: [Int]) throws {
        for (number, revision) in acknowledged.sorted(by: { $0.key < $1.key }) where !final.contains(number) {
            throw Contradiction("lost: \(number), acknowledged at revision \(revision), is not among \(final)")
        }
        for numbers in owed where !numbers.contains(where: final.contains) {
            throw Contradiction("lost: \(numbers) of an effect or a timer is not among \(final)")
        }
        for number in refused.sorted() where final.contains(number) {
            throw Contradiction("refused, and there: \(number) is among \(final)")
        }
        let counts = final.reduce(into: [:]) { counts, number in counts[number, default: 0] += 1 }
        if let double = counts.filter({ $0.value > 1 }).keys.min() {
            throw Contradiction("doubled: \(double) is twice among \(final)")
        }
    }

    /// Numbers are added and never go.
    private func expectOrder(around revision: Int, _ found: [Int]) throws {
        let before = numbers.keys.filter { $0 < revision }.max()
        let after = numbers.keys.filter { $0 > revision }.min()
        if let before, let shown = numbers[before], !found.starts(with: shown) {
            throw Contradiction("revision \(revision) has \(found), and \(before) had \(shown)")
        }
        if let after, let shown = numbers[after], !shown.starts(with: found) {
            throw Contradiction("revision \(after) has \(shown), and \(revision) had \(found)")
        }
    }
}
