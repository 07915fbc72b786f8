import UsherJSON

extension Tree {
    /// Opens a link as an input of its own: a host that is not ready keeps it for later.
    func open(_ link: Link) throws {
        pendingLink = nil
        linkIsNew = true
        do { try follow(link) } catch is Later { pendingLink = link }
    }

    /// Offers the link that waits, at the end of a later input.
    func offerPendingLink() {
        guard let link = pendingLink, !linkIsNew, !isBroken, root?.node != nil else { return }
        do {
            try follow(link)
            pendingLink = nil
        } catch is Later {
            // It goes on waiting.
        } catch {
            pendingLink = nil
            warnings.add("the link that waited was dropped: \(Rejection(error).reason)")
        }
    }

    /// Closes what lies over a coordinator that a link leads to, as soon as it is about to do something.
    func clearWay(for node: Node) {
        guard !modalsBeforeLink.isEmpty else { return }
        let first = window.firstModal(over: navigation(of: node))
        let inTheWay = window.modals[first...].firstIndex { modalsBeforeLink.contains(ObjectIdentifier($0)) }
        if let inTheWay { dismiss(from: inTheWay) }
    }

    private func follow(_ link: Link) throws {
        modalsBeforeLink = Set(window.modals.map { ObjectIdentifier($0) })
        defer { modalsBeforeLink = [] }
        var host = root as? any FlowHost
        for (index, step) in link.steps.enumerated() {
            guard let current = host else { throw Rejection(.invalid, Self.deadEnd(index, step)) }
            host = try current.open(step: step)
        }
        if let node = host?.node { clearWay(for: node) }
    }

    private static func deadEnd(_ index: Int, _ step: JSONValue) -> String {
        index == 0
            ? "this app takes no links"
            : "the link ends before this step: there is nothing to open it, at \(step.place)"
    }
}
