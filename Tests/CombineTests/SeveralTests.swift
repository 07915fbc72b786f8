import Combine
import Testing

/// Operators on several publishers.
///
/// Each row names the page below developer.apple.com/documentation/combine that says what is expected.
@Suite
struct SeveralTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let page: String
        let make: @Sendable () -> Trial
        let script: String
        let expected: String

        var testDescription: String { "\(page): \(script)" }

        /// The rows of an operator: scripts with their traces.
        static func rows<P: Publisher & SendableMetatype>(
            _ page: String, _ operation: @escaping @Sendable (Source, Source) -> P,
            _ traces: KeyValuePairs<String, String>
        ) -> [Row] where P.Output == String {
            traces.map { script, expected in
                Row(page: page, make: { Trial(operation) }, script: script, expected: expected)
            }
        }
    }

    @Test(arguments: rows) func `each operator that combines several publishers behaves as documented`(_ row: Row) {
        #expect(row.make().run(row.script) == row.expected)
    }

    static let rows: [Row] = [
        Row.rows(
            "publisher/combinelatest(_:)", { $0.combineLatest($1).map { "\($0),\($1)" } },
            [
                "+∞ 1 1' 2 2' | 3' |'": "?∞ ?∞' 1,1' 2,1' 2,2' 2,3' |",
                "+∞ 1 1' x": "?∞ ?∞' 1,1' !' x",
                "+∞ 1 1' c 2": "?∞ ?∞' 1,1' ! !'",
                "+1 1 2 1' 2' +1 3'": "?1 ?1' 1,1' ?1 ?1' 1,3'",
            ]),
        Row.rows(
            "publisher/combinelatest(_:_:)-1n30g",
            { $0.combineLatest($1, Just("j").setFailureType(to: Oops.self)) { "\($0)\($1)\($2)" } },
            ["+∞ 1 1' 2": "?∞ ?∞' 11'j 21'j", "+∞ x'": "?∞ ?∞' ! x"]),
        Row.rows(
            "publishers/combinelatest4",
            { Publishers.CombineLatest4($0, $1, $0, $1).map { "\($0)\($1)\($2)\($3)" } },
            ["+∞ 1 1'": "?∞ ?∞' ?∞ ?∞' 11'11'", "+∞ c": "?∞ ?∞' ?∞ ?∞' ! !' ! !'"]),
        Row.rows(
            "publisher/zip(_:)", { $0.zip($1).map { "\($0),\($1)" } },
            [
                "+∞ 1 2 1' 2' 3 | 3'": "?∞ ?∞' 1,1' 2,2' 3,3' !' |",
                "+∞ 1 |'": "?∞ ?∞' ! |",
                "+∞ 1 x'": "?∞ ?∞' ! x",
                "+∞ 1 c 1'": "?∞ ?∞' ! !'",
                "+1 1 1' 2 2' +1 3 3'": "?1 ?1' 1,1' ?1 ?1' 3,3'",
            ]),
        Row.rows(
            "publishers/zip4", { Publishers.Zip4($0, $1, $0, $1).map { "\($0)\($1)\($2)\($3)" } },
            ["+∞ 1 1' |": "?∞ ?∞' ?∞ ?∞' 11'11' !' ! !' |"]),
        Row.rows(
            "publisher/merge(with:)-7qt71", { $0.merge(with: $1) },
            [
                "+∞ 1 1' | 2' |'": "?1 ?1' 1 ?1 1' ?1' 2' ?1' |",
                "+∞ 1 x'": "?1 ?1' 1 ?1 ! x",
                "+∞ 1 c 2": "?1 ?1' 1 ?1 ! !'",
                "+1 1 2 1' | |' +1 +1": "?1 ?1' 1 ?1 2 1' |",
            ]),
        Row.rows(
            "publishers/merge4", { Publishers.Merge4($0, $1, Empty(), Empty()) },
            ["+∞ 1 1' | |'": "?1 ?1' 1 ?1 1' ?1' |"]),
        Row.rows(
            "publisher/flatmap(maxpublishers:_:)-3k7z5", { first, second in first.flatMap { _ in second } },
            [
                "+∞ 1 1' | 2' |'": "?∞ ?∞' 1' 2' |",
                "+∞ 1 x'": "?∞ ?∞' ! x",
                "+∞ 1 x": "?∞ ?∞' !' x",
                "+∞ 1 c 1'": "?∞ ?∞' ! !'",
                "+1 1 1' 2' +1": "?∞ ?1' 1' ?1' 2' ?1'",
            ]),
        Row.rows(
            "publisher/flatmap(maxpublishers:_:)-3k7z5, of one at a time",
            { first, second in first.flatMap(maxPublishers: .max(1)) { _ in second } },
            ["+∞ 1 2 1' |' 3": "?1 ?∞' 1' ?1 ?∞'"]),
        Row.rows(
            "publisher/switchtolatest()-453ht", { first, second in first.map { _ in second }.switchToLatest() },
            [
                "+∞ 1 1' 2 2' | |'": "?∞ ?∞' 1' !' ?∞' 2' |",
                "+∞ 1 x'": "?∞ ?∞' ! x",
                "+∞ 1 c 1'": "?∞ ?∞' ! !'",
                "+1 1 1' 2' +1 3'": "?∞ ?1' 1' ?1' 3'",
            ]),
        Row.rows(
            "publisher/catch(_:)", { first, second in first.catch { _ in second } },
            [
                "+∞ 1 |": "?∞ 1 |",
                "+∞ 1 x 1' |'": "?∞ 1 ?∞' 1' |",
                "+∞ x x'": "?∞ ?∞' x",
                "+∞ x c 1'": "?∞ ?∞' !'",
                "+2 1 x 1' 2' +1 3'": "?2 1 ?1' 1' ?1' 3'",
            ]),
    ].flatMap { $0 }
}
