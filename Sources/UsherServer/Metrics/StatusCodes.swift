import UsherHTTP
import UsherMetrics

/// The status codes that are counted one by one, and where.
///
/// A class: a structure of this size would be copied at each look.
final class StatusCodes: Sendable {
    /// The codes, as they are shown; the last stands for all others.
    let names: [String]
    // In place: an array would be retained and released, by all threads at once.
    private let places: InlineArray<600, UInt8>

    /// The codes that this server answers with.
    init() {
        let codes = [
            200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 417, 421,
            422, 429, 431, 500, 501, 503, 505,
        ]
        names = codes.map { "\($0)" } + ["other"]
        var places = InlineArray<600, UInt8>(repeating: UInt8(codes.count))
        for (place, code) in codes.enumerated() { places[code] = UInt8(place) }
        self.places = places
    }

    /// Where a status is counted.
    func place(of status: Status) -> Int {
        places.indices.contains(status.code) ? Int(places[status.code]) : names.count - 1
    }

    /// Whether a code is shown before it has been answered: the first failure is then seen as a growth.
    func isShownEarly(_ name: String) -> Bool { name == "500" || name == "503" }
}
