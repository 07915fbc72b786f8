import Usher

/// All notes, embedded so that every run finds the same.
struct Notebook {
    let notes = [Note(id: 1, title: "Coordinators"), Note(id: 2, title: "View models"), Note(id: 3, title: "Memory")]

    /// Returns the note with an id; throws a `Refusal` that lists the known ids.
    func note(_ id: Int) throws -> Note {
        guard let note = notes.first(where: { $0.id == id }) else {
            let known = notes.map { "\($0.id)" }.joined(separator: ", ")
            throw Refusal("there is no note \(id); show one of \(known)")
        }
        return note
    }
}
