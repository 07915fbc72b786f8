/// What the modules of UsherUIKit declare, and which of Apple's APIs they lack or implement differently.
///
/// The script `script/uikit-parity` writes the table from docs/uikit-parity.md and the modules' symbol graphs.
struct ModuleAPI: Sendable {
    /// A row of docs/uikit-parity.md.
    struct Row: Sendable {
        let status: APIGap.Status
        /// The type whose members the row names; nil if the row names types, modules or attributes.
        let owner: String?
        /// The names in the row; empty for all members of the owner.
        let names: [String]
        let section: String
        /// How the API behaves here; empty if the row does not say.
        let text: String
    }

    private struct TypeEntry {
        let supertypes: [String]
        let members: Set<String>
    }

    private(set) var modules: Set<String> = []
    private var types: [String: TypeEntry] = [:]
    /// The other global names of the modules and of Foundation, such as `NSObject`.
    private var names: Set<String> = []
    private var rowsOfTypes: [String: Row] = [:]
    private var rowsOfMembers: [String: [Row]] = [:]
    private var wholeRows: [String: Row] = [:]
    /// The rows of the members whose names no other type has.
    private var rowsOfUniqueNames: [String: Row] = [:]

    /// The table of this version's modules.
    static let current = ModuleAPI(parsing: table)

    /// Parses a table; ignores lines that do not have the table's form.
    init(parsing table: String) {
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            switch (cells[0], cells.count) {
            case ("modules", 2): modules.formUnion(cells[1].words)
            case ("type", 4): types[cells[1]] = TypeEntry(supertypes: cells[2].words, members: Set(cells[3].words))
            case ("names", 2): names.formUnion(cells[1].words)
            case ("row", 6): addRow(cells)
            default: continue
            }
        }
    }

    private mutating func addRow(_ cells: [String]) {
        guard let status = APIGap.Status(rawValue: cells[1]) else { return }
        let written = cells[3].split(separator: ",").map(String.init)
        let row = Row(
            status: status, owner: cells[2].isEmpty ? nil : cells[2],
            names: written.map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 }, section: cells[4], text: cells[5])
        guard let owner = row.owner else {
            for name in row.names { rowsOfTypes[name] = row }
            return
        }
        if row.names.isEmpty { wholeRows[owner] = row }
        for (name, text) in zip(row.names, written) {
            rowsOfMembers[name, default: []].append(row)
            if text.hasSuffix("*") { rowsOfUniqueNames[name] = row }
        }
    }

    /// Returns whether the modules declare a type, by its name with the names of the types around it.
    func declaresType(_ name: String) -> Bool { types[name] != nil }

    /// Returns whether a name is that of a module, or a global name of the modules or of Foundation.
    func declares(_ name: String) -> Bool { types[name] != nil || names.contains(name) || modules.contains(name) }

    /// Returns whether a type or one of its supertypes has a member.
    func declares(_ member: String, of type: String) -> Bool {
        chain(of: type).contains { types[$0]?.members.contains(member) == true }
    }

    /// Returns the row that names a type, a module such as `import MapKit`, or an attribute such as `@objc`.
    func row(of name: String) -> Row? { rowsOfTypes[name] ?? wholeRows[name] }

    /// Returns the row that names a member of a type or of one of its supertypes.
    func row(of member: String, of type: String) -> Row? {
        let chain = chain(of: type)
        return rowsOfMembers[member]?.first { row in row.owner.map(chain.contains) == true }
    }

    /// Returns the row of a member whose name alone says which type it belongs to.
    func row(ofUniqueName name: String) -> Row? { rowsOfUniqueNames[name] }

    /// Returns whether a name begins with a prefix of the Apple types that belong to these modules.
    static func isApples(_ name: String) -> Bool {
        ["UI", "NS", "CA", "CG", "UN", "MF", "SF"].contains { prefix in
            // A capital and then a small letter must follow the prefix, as in `UIView`, but not in `UIKIT` or `UIs`.
            let rest = name.dropFirst(prefix.count)
            return name.hasPrefix(prefix) && rest.first?.isUppercase == true
                && rest.dropFirst().first?.isLowercase == true
        }
    }

    /// A type and its supertypes.
    private func chain(of type: String) -> [String] {
        var found = [type]
        var index = 0
        while index < found.count {
            for supertype in types[found[index]]?.supertypes ?? [] where !found.contains(supertype) {
                found.append(supertype)
            }
            index += 1
        }
        return found
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
