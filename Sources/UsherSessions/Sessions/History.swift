import Usher
import UsherJSON

/// A session's inputs since its creation, from which its tree can be built again.
struct History {
    /// One accepted input, and the ids that were free before it.
    private struct Record {
        let time: Timestamp
        let identifiers: Identifiers
        /// The action as the client could have sent it.
        let action: [UInt8]
    }

    let creation: Creation
    private var records: [Record] = []

    init(_ creation: Creation) {
        self.creation = creation
    }

    /// How many inputs it holds, the creation included: the revision that it leads to.
    var revision: Int { records.count + 1 }

    mutating func append(_ input: Input, identifiers: Identifiers) {
        var writer = JSONWriter(reservingCapacity: 64)
        input.action.write(into: &writer)
        records.append(Record(time: input.time, identifiers: identifiers, action: writer.bytes))
    }

    /// Builds the tree by handling every input again.
    ///
    /// - Throws: When an input that was accepted once is not accepted now.
    func replay(limits: Limits) throws -> Tree {
        let tree = try creation.tree(limits: limits)
        for record in records {
            tree.advance(to: record.identifiers)
            let action = try InputAction(JSONDocument(parsing: record.action).root)
            guard try tree.handle(Input(action, at: record.time)) else { throw Divergence() }
        }
        return tree
    }

    /// An input that changed the tree once did nothing this time.
    private struct Divergence: Error {}
}
