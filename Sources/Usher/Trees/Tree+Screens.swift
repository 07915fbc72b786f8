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
    /// - Parameters:
    ///   - node: The place of the coordinator that shows it.
    ///   - navigation: The stack.
    ///   - origin: Where its closure was given.
    ///   - make: Makes the instance.
    /// - Returns: The instance; nil where a limit forbids it, or the input has failed already.
    func show<Instance: ScreenInstance>(
        by node: Node, on navigation: Navigation, _ origin: Origin, _ make: (Placement) -> Instance
    ) -> Instance? {
        guard !isBroken else { return nil }
        guard screenCount < limits.screens else {
            fail(Rejection(.limit, "a session can show at most \(limits.screens) screens; close some first"))
            return nil
        }
        let shown = navigation.screens.isEmpty ? navigation.rootShown : .push
        let instance = make(
            Placement(id: identifiers.takeScreen(), owner: node.coordinator, shown: shown, origin: origin))
        if navigation.presenter != nil, window.modalIndex(of: navigation) == nil { window.add(navigation) }
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
        linkHasActed = true
        guard let (navigation, index) = window.find(instance.id) else { return }
        navigation.markStale(at: index)
        if window.isDisplayed(navigation) { changeLog.update(instance.id) }
    }

    /// Encodes what has changed, at the end of the input: pushing and updating costs one encoding.
    func encodeScreens() {
        isEncoding = true
        defer { isEncoding = false }
        do throws(JSONError) {
            try window.forEachStack { stack throws(JSONError) in try stack.encode() }
        } catch {
            fail(error)
        }
        guard stateBytes > limits.stateBytes else { return }
        fail(Rejection(.limit, "the screens of a session can hold at most \(limits.stateBytes) bytes of state"))
    }

    /// Lets go of screens that are in no stack any more.
    ///
    /// - Returns: Their ids, in the same order.
    func leave(_ instances: Few<ScreenInstance>) -> Few<Int> {
        var ids = Few<Int>()
        for instance in instances {
            if let node = instance.owner?.node {
                node.screenCount -= 1
                if !node.isLeaving { suspects.append(node.coordinator) }
            }
            if let kept = instance.kept { departed.append(Departed(kept, path: instance.owner?.node?.path ?? "")) }
            discardWork { $0.screen === instance }
            screenCount -= 1
            instance.leave(warnings)
            ids.append(instance.id)
        }
        return ids
    }
}
