import Notes
import Testing
import UsherHTTP
import UsherJSON

/// Opens a session of the notes for a row, and walks it to where the row begins.
///
/// - Parameter events: What the visible screen sends, each as JSON.
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
