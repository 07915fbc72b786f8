import Notes
import Testing
import UsherHTTP
import UsherJSON

/// Opens a session of `notes`, and leads it to the beginning of a row.
///
/// - Parameter events: The events that the visible screen sends, as JSON.
func walkNotes(
    on surface: Surface, _ events: String..., body: (Walk) async throws -> Void
) async throws {
    try await surface.serve([NotesApp.self]) { stage in
        let walk = try await stage.open("notes")
        for event in events {
            try #require(try await walk.post(#"{"event":\#(event)}"#).status == 200, "\(walk.answer.text)")
        }
        try await body(walk)
    }
}

let showDetail1 = #"{"showDetail":{"id":1}}"#
let showDetail2 = #"{"showDetail":{"id":2}}"#
