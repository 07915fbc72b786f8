public import Testing
import UsherAuthoring
import UsherJSON

extension AppUnderTest {
    /// The coordinators that the app itself stores outside of the engine, as apps that use the module UIKit do.
    ///
    /// The screens of each coordinator follow the coordinator's type: `App→[Home[home], Login!]`. An exclamation mark
    /// means a zombie: the app keeps the coordinator in memory, but neither the coordinator nor any coordinator below
    /// it shows a screen. A question mark means that the coordinator either is a zombie or shows a screen that does not
    /// refer to a coordinator. To find out which, make the screen refer to its coordinator.
    public var ownTree: String {
        let roots = report?[member: "own"]?[member: "roots"].map { Array($0.elements) } ?? []
        return roots.map(\.ownTreeNotation).joined(separator: ", ")
    }

    /// Expects the app's own coordinators to equal a text in the form of `ownTree`.
    public func expectOwnTree(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        guard expected != ownTree else { return }
        let difference = Difference(expected: expected, found: ownTree)
        record("the app's own tree is not as expected\n\(difference)", at: sourceLocation)
    }

    /// Expects a body to leave a zombie among the app's own coordinators, to test a known mistake.
    ///
    /// The words must occur in the finding, such as the zombie's type, or the property that holds the zombie.
    public func expectZombie(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        try expectFinding("a zombie", words, sourceLocation, body)
    }

    /// Expects a body to leave an object in memory, to test a known mistake.
    ///
    /// The words must occur in the finding, such as the object's type, or the holder of the object.
    public func expectLeak(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        try expectFinding("still in memory", words, sourceLocation, body)
    }

    private func expectFinding(
        _ kind: String, _ words: String, _ sourceLocation: SourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let attempts = try attempt(takingFindings: true, body)
        recordRejections(of: attempts, sourceLocation)
        let (wanted, others) = attempts.findings.reduce(into: ([String](), [String]())) { parts, finding in
            if finding.contains(kind), words.isEmpty || finding.contains(words) {
                parts.0.append(finding)
            } else {
                parts.1.append(finding)
            }
        }
        for other in others { record(finding: other, at: sourceLocation) }
        guard wanted.isEmpty else { return }
        record("expected \(kind) with \"\(words)\", but there was none", at: sourceLocation)
    }
}

/// The zombies and leaks among an app's own coordinators that a test has reported.
struct OwnFindings {
    struct Finding {
        /// A text that is the same for all findings of the same type and kind.
        let key: String
        let sentence: String
    }

    /// For each type of a known zombie, whether such a zombie has occurred.
    private var expected: [String: Bool]
    private var known: [String] = []
    private var recorded: Set<String> = []

    /// Creates an empty list of findings, for which a zombie of a known type is not an issue.
    init(knownZombies: [String]) {
        expected = Dictionary(knownZombies.map { ($0, false) }) { first, _ in first }
    }

    /// Whether a leak was reported; the leaked object may retain other objects, too.
    var haveLeaks: Bool { known.contains { $0.hasPrefix("leaks ") } }

    var missingZombies: [String] { expected.filter { !$0.value }.keys.sorted() }

    mutating func isFirst(_ finding: Finding) -> Bool { recorded.insert(finding.key).inserted }

    mutating func takeNew(in report: JSONValue?) -> [Finding] {
        guard let own = report?[member: "own"] else { return [] }
        let zombies = Self.findings(own, "zombies") { type, holder in
            "\(type) is a zombie: \(holder) keeps it, although neither the zombie nor a coordinator below it shows a screen"
        }
        let leaks = Self.findings(own, "leaks") { type, holder in
            "\(type) was removed but is still in memory: held by \(holder)"
        }
        // Compares the numbers of findings of each type and kind, because a finding's position in a list may change.
        var rest = known
        var new: [Finding] = []
        for (type, finding) in zombies + leaks {
            if let place = rest.firstIndex(of: finding.key) {
                rest.remove(at: place)
            } else if expected[type] != nil, finding.key.hasPrefix("zombies ") {
                expected[type] = true
            } else {
                new.append(finding)
            }
        }
        known = (zombies + leaks).map(\.finding.key)
        return new
    }

    private static func findings(
        _ own: JSONValue, _ kind: String, _ sentence: (String, String) -> String
    ) -> [(type: String, finding: Finding)] {
        let findings = own[member: kind].map { Array($0.elements) } ?? []
        return findings.map { finding in
            let type = finding[member: "type"]?.string ?? ""
            let words = sentence(type, finding[member: "holder"]?.string ?? "something")
            return (type, Finding(key: "\(kind) \(type)", sentence: words))
        }
    }
}

/// Expects that an app's files do not use globals of the process.
///
/// The command `usher uikit check` makes the same check. The path of the file or folder is relative to the package's
/// folder, in which tests run.
///
/// ```swift
/// @Test func keepsToItsSession() {
///     expectNoProcessGlobals(in: "Sources/Shop")
/// }
/// ```
public func expectNoProcessGlobals(in path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    do {
        for line in try SourceFiles(path).globalUses { Issue.record("\(line)", sourceLocation: sourceLocation) }
    } catch {
        Issue.record("the files cannot be checked: \(error)", sourceLocation: sourceLocation)
    }
}
