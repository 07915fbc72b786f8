import UsherJSON

extension Tree {
    /// Opens a link as an input of its own: a host that is not ready keeps it for later.
    func open(_ link: Link) throws {
        pendingLink = link
        linkIsNew = true
        guard linkHandling == .follow else { return }
        do {
            try follow(link)
            pendingLink = nil
        } catch is Later {
            if linkHasActed { retry(with: .keep) }
        }
    }

    /// Offers the link that waits, at the end of a later input.
    func offerPendingLink() {
        guard let link = pendingLink, !linkIsNew, !isBroken, root?.node != nil else { return }
        switch linkHandling {
        case .keep: return
        case .drop(let reason):
            pendingLink = nil
            warnings.add("the link that waited was dropped: \(reason)")
        case .follow: offer(link)
        }
    }

    /// Closes what lies over a coordinator that a link leads to, as soon as it is about to do something.
    func clearWay(for node: Node) {
        linkHasActed = true
        guard !modalsBeforeLink.isEmpty else { return }
        let first = window.firstModal(over: navigation(of: node))
        let inTheWay = window.modals[first...].firstIndex { isBeforeLink($0) }
        if let inTheWay { dismiss(from: inTheWay) }
    }

    /// Follows the link that waits.
    ///
    /// Where it fails in any way, the input is tried again without it.
    private func offer(_ link: Link) {
        linkWasOffered = true
        do {
            try follow(link)
            pendingLink = nil
        } catch is Later {
            if linkHasActed { retry(with: .keep) }
        } catch {
            fail(error)
        }
    }

    private func isBeforeLink(_ modal: Navigation) -> Bool {
        modalsBeforeLink.contains { $0 === modal }
    }

    private func follow(_ link: Link) throws {
        linkHasActed = false
        modalsBeforeLink = window.modals
        defer { modalsBeforeLink = [] }
        var host = root as? any FlowHost
        for (index, step) in link.steps.enumerated() {
            guard let current = host else { throw Rejection(.invalid, Self.deadEnd(index, step)) }
            // A host may change what nobody sees, so from the second step on the link counts as having acted.
            if index > 0 { linkHasActed = true }
            let source = SecretSource(
                part: .step(index), range: step.range, input: link.secrets, translation: nil)
            host = try current.open(step: step, from: source, secrets)
        }
        if let node = host?.node { clearWay(for: node) }
    }

    private static func deadEnd(_ index: Int, _ step: JSONValue) -> String {
        index == 0
            ? "this app takes no links"
            : "the link ends before this step: there is nothing to open it, at \(step.place)"
    }
}
