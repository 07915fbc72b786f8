import UsherJSON

extension Tree {
    /// The stack that a coordinator's screens go on: its own; while there are tabs, the selected one's instead of the
    /// base.
    func navigation(of node: Node) -> Navigation {
        let navigation = ownNavigation(of: node)
        return navigation === window.base ? window.visibleBase : navigation
    }

    /// The stack that a coordinator was started on; the base, where that was a tab's that has gone with its tab bar.
    func ownNavigation(of node: Node) -> Navigation {
        guard node.navigation.place == .tab, !window.all.contains(where: { $0 === node.navigation }) else {
            return node.navigation
        }
        return window.base
    }

    /// Puts a screen on a stack; the first one of a modal brings the modal.
    ///
    /// - Returns: The instance; nil where a limit forbids it, or the input has failed already.
    func show<S: Screen>(
        _ presentation: Presentation<S>, by node: Node, on navigation: Navigation
    ) -> TypedScreenInstance<S>? {
        guard !isBroken else { return nil }
        guard screenCount < limits.screens else {
            fail(Rejection(.limit, "a session can show at most \(limits.screens) screens; close some first"))
            return nil
        }
        let instance = TypedScreenInstance(
            presentation, id: identifiers.takeScreen(), owner: node.coordinator,
            shown: navigation.screens.isEmpty ? navigation.rootShown : .push)
        if navigation.presenter != nil, window.modalIndex(of: navigation) == nil { window.modals.append(navigation) }
        navigation.append(instance)
        screenCount += 1
        node.screenCount += 1
        node.didShow()
        if window.isDisplayed(navigation) { changeLog.show(instance.id, on: navigation) }
        return instance
    }

    /// Takes off all screens above an index of a navigation.
    func pop(to index: Int, on navigation: Navigation) {
        guard index >= 0, index < navigation.screens.count - 1 else { return }
        let ids = leave(navigation.removeAll(above: index))
        if window.isDisplayed(navigation) { changeLog.pop(ids) }
    }

    /// Notes that an author changed a screen's state.
    func didUpdate(_ instance: ScreenInstance) {
        instance.needsEncoding = true
        linkHasActed = true
        guard let place = window.find(instance.id), window.isDisplayed(place.navigation) else { return }
        changeLog.update(instance.id)
    }

    /// Encodes what has changed, at the end of the input: pushing and updating costs one encoding.
    func encodeScreens() {
        isEncoding = true
        defer { isEncoding = false }
        do throws(JSONError) {
            for instance in window.screens { stateBytes += try instance.encode() }
        } catch {
            fail(error)
        }
        guard stateBytes > limits.stateBytes else { return }
        fail(Rejection(.limit, "the screens of a session can hold at most \(limits.stateBytes) bytes of state"))
    }

    /// Lets go of screens that are in no stack any more.
    ///
    /// - Returns: Their ids, in the same order.
    func leave(_ instances: [ScreenInstance]) -> [Int] {
        for instance in instances {
            if let node = instance.owner?.node {
                node.screenCount -= 1
                suspects.append(node.coordinator)
            }
            if let kept = instance.kept { departed.append(Departed(kept, path: instance.owner?.node?.path ?? "")) }
            discardWork { $0.screen === instance }
            screenCount -= 1
            stateBytes -= instance.fragment.count
            instance.leave(warnings)
        }
        return instances.map(\.id)
    }
}
