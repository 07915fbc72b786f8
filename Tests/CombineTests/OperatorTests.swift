import Combine
import Testing

/// Operators on one publisher.
///
/// Each row names the page below developer.apple.com/documentation/combine/publisher that says what is expected; requests
/// follow the page of `Subscribers.Demand`, and what receives a cancellation that of `Cancellable`.
@Suite
struct OperatorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let page: String
        /// The traces of the scripts below, in their order.
        let expected: [String]
        let make: @Sendable () -> Trial

        var testDescription: String { page }

        init<P: Publisher & SendableMetatype>(
            _ page: String, _ operation: @escaping @Sendable (Source) -> P, _ expected: String...
        ) where P.Output == String {
            self.page = page
            self.expected = expected
            make = { Trial { source, _ in operation(source) } }
        }
    }

    /// Values and the end; an error; a cancellation; demand.
    static let scripts = ["+∞ 1 2 2 3 |", "+∞ 1 x", "+∞ 1 c 2", "+1 1 2 +2 3 4 5 |"]

    @Test(arguments: rows)
    func `each operator treats values, completion, failure, cancellation and demand as documented`(
        _ row: Row
    ) {
        #expect(row.expected.count == Self.scripts.count)
        for (script, expected) in zip(Self.scripts, row.expected) {
            #expect(row.make().run(script) == expected, "\(row.page): \(script)")
        }
    }

    static let rows: [Row] = [
        Row(
            "map(_:)", { $0.map { "\($0)m" } },
            "?∞ 1m 2m 2m 3m |", "?∞ 1m x", "?∞ 1m !", "?1 1m ?2 3m 4m |"),
        Row(
            "tryMap(_:)", { $0.tryMap { value in try passing(value) } },
            "?∞ 1 ! not 2", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "compactMap(_:)", { $0.compactMap { $0 == "1" ? nil : $0 } },
            "?∞ ?1 2 2 3 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 2 ?2 3 4 |"),
        Row(
            "tryCompactMap(_:)", { $0.tryCompactMap { value in try passing(value) == "1" ? nil : value } },
            "?∞ ?1 ! not 2", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 ! not 2"),
        Row(
            "filter(_:)", { $0.filter { $0 != "1" } },
            "?∞ ?1 2 2 3 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 2 ?2 3 4 |"),
        Row(
            "tryFilter(_:)", { $0.tryFilter { try passing($0) != "1" } },
            "?∞ ?1 ! not 2", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 ! not 2"),
        Row(
            "removeDuplicates()", { $0.removeDuplicates() },
            "?∞ 1 2 ?1 3 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "removeDuplicates(by:)", { $0.removeDuplicates { _, new in new == "2" } },
            "?∞ 1 ?1 ?1 3 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "dropFirst(_:)", { $0.dropFirst() },
            "?∞ ?1 2 2 3 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 2 ?2 3 4 |"),
        Row(
            "drop(while:)", { $0.drop { $0 < "2" } },
            "?∞ ?1 2 2 3 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 2 ?2 3 4 |"),
        Row("first()", { $0.first() }, "?∞ 1 ! |", "?∞ 1 ! |", "?∞ 1 ! |", "?1 1 ! |"),
        Row(
            "first(where:)", { $0.first { $0 == "2" } },
            "?∞ ?1 2 ! |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 2 ! |"),
        Row("prefix(_:)", { $0.prefix(2) }, "?∞ 1 2 ! |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 ! |"),
        Row("prefix(_:) of none", { $0.prefix(0) }, "|", "|", "|", "|"),
        Row("prefix(while:)", { $0.prefix { $0 == "1" } }, "?∞ 1 ! |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 ! |"),
        Row("last()", { $0.last() }, "?∞ 3 |", "?∞ x", "?∞ !", "?∞ 5 |"),
        Row(
            "scan(_:_:)", { $0.scan("") { $0 + $1 } },
            "?∞ 1 12 122 1223 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 13 134 |"),
        Row("reduce(_:_:)", { $0.reduce("") { $0 + $1 } }, "?∞ 1223 |", "?∞ x", "?∞ !", "?∞ 12345 |"),
        Row(
            "collect()", { $0.collect().map { $0.joined(separator: "+") } },
            "?∞ 1+2+2+3 |", "?∞ x", "?∞ !", "?∞ 1+2+3+4+5 |"),
        Row(
            "collect(_:)", { $0.collect(3).map { $0.joined(separator: "+") } },
            "?∞ ?1 ?1 1+2+2 ?1 3 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 ?1 ?2 1+2+3 ?1 ?1 4+5 |"),
        Row("ignoreOutput()", { $0.ignoreOutput() }, "?∞ |", "?∞ x", "?∞ !", "?∞ |"),
        Row(
            "replaceNil(with:)", { $0.map { $0 == "1" ? nil : $0 }.replaceNil(with: "0") },
            "?∞ 0 2 2 3 |", "?∞ 0 x", "?∞ 0 !", "?1 0 ?2 3 4 |"),
        Row(
            "replaceEmpty(with:)", { $0.filter { _ in false }.replaceEmpty(with: "0") },
            "?∞ ?1 ?1 ?1 ?1 0 |", "?∞ ?1 x", "?∞ ?1 !", "?1 ?1 ?1 ?2 ?1 ?1 ?1 0 |"),
        Row(
            "replaceError(with:)", { $0.replaceError(with: "0") },
            "?∞ 1 2 2 3 |", "?∞ 1 0 |", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "mapError(_:)", { $0.mapError { Oops(text: "\($0.text)m") } },
            "?∞ 1 2 2 3 |", "?∞ 1 xm", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "setFailureType(to:)", { $0.replaceError(with: "0").setFailureType(to: Oops.self) },
            "?∞ 1 2 2 3 |", "?∞ 1 0 |", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "prepend(_:)", { $0.prepend("a", "b") },
            "a b ?∞ 1 2 2 3 |", "a b ?∞ 1 x", "a b ?∞ 1 !", "a b ?1 3 |"),
        Row(
            "append(_:)", { $0.append("a") },
            "?∞ 1 2 2 3 a |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4"),
        Row(
            "eraseToAnyPublisher()", { $0.eraseToAnyPublisher() },
            "?∞ 1 2 2 3 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "share()", { $0.share() },
            "?∞ 1 2 2 3 |", "?∞ 1 x", "?∞ 1 !", "?∞ 1 3 4 |"),
        Row(
            "receive(on:options:)", { $0.receive(on: ImmediateScheduler.shared) },
            "?∞ 1 2 2 3 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "subscribe(on:options:)", { $0.subscribe(on: ImmediateScheduler.shared) },
            "?∞ 1 2 2 3 |", "?∞ 1 x", "?∞ 1 !", "?1 1 ?2 3 4 |"),
        Row(
            "retry(_:)", { $0.retry(1) },
            "?∞ 1 2 2 3 |", "?∞ 1 ?∞", "?∞ 1 !", "?1 1 ?2 3 4 |"),
    ]

    private static func passing(_ value: String) throws -> String {
        if value == "2" { throw Oops(text: "not 2") }
        return value
    }
}
