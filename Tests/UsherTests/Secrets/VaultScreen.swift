import Usher

struct VaultScreen: Screen {
    struct Form: Codable {
        var name: String
        var answers: [Secret<String>]
        var pin: Secret<Int>?
        var pair: Secret<Pair>?
    }

    struct Pair: Codable {
        var left: Secret<String>
        var right: String
    }

    /// A value that reads its secret while it is decoded.
    struct Checked: Codable {
        let secret: Secret<String>

        init(_ secret: Secret<String>) {
            self.secret = secret
        }

        init(from decoder: any Decoder) throws {
            secret = try decoder.singleValueContainer().decode(Secret<String>.self)
            _ = try secret.reveal()
        }

        func encode(to encoder: any Encoder) throws {
            try secret.encode(to: encoder)
        }
    }

    /// A secret number, or else another type.
    enum Either: Codable {
        case number(Secret<Int>)
        case text(Secret<String>)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Secret<Int>.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(Secret<String>.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let secret): try secret.encode(to: encoder)
            case .text(let secret): try secret.encode(to: encoder)
            }
        }
    }

    enum Event: Codable {
        case drop, useKept, readKept
        case ignore(Secret<String>)
        case keep(password: Secret<String>)
        case read(password: Secret<String>)
        case fail(password: Secret<String>)
        case check(Checked)
        case fill(form: Form)
        case offer(code: Secret<String>?, other: Secret<String>?)
        case either(Either)
        case several([Secret<String>?])
        case end(Secret<String>)
    }

    static let examples: [Event] = [
        .drop, .useKept, .readKept, .ignore("apple"), .keep(password: "apple"), .read(password: "apple"),
        .fail(password: "apple"), .check(Checked("apple")), .offer(code: "apple", other: nil), .end("apple"),
        .several(["apple"]), .either(.text("apple")),
        .fill(form: Form(name: "kim", answers: ["apple"], pin: Secret(1234), pair: nil)),
    ]

    var shown: Secret<String> = "cherry"
    var note = ""
}
