import Usher

/// All notes that there are, embedded so that every walk finds the same.
struct Notebook {
    let notes = [Note(id: 1, title: "Coordinators"), Note(id: 2, title: "View models"), Note(id: 3, title: "Memory")]

    /// Finds a note.
    ///
    /// - Throws: `Refusal` that lists those that there are.
    func note(_ id: Int) throws -> Note {
        guard let note = notes.first(where: { $0.id == id }) else {
            let known = notes.map { "\($0.id)" }.joined(separator: ", ")
            throw Refusal("there is no note \(id); show one of \(known)")
        }
        return note
    }
}
