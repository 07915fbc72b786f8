import UsherJSON

extension Tree {
    /// Puts a screen on a coordinator's navigation.
    ///
    /// - Returns: The instance; nil where a limit forbids it, or the input has failed already.
    func push<S: Screen>(
        _ screen: S, by owner: AnyCoordinator, on node: Node, handler: @escaping TypedScreenInstance<S>.Handler
    ) -> TypedScreenInstance<S>? {
        guard !isBroken else { return nil }
        guard screenCount < limits.screens else {
            fail(Rejection(.limit, "a session can show at most \(limits.screens) screens; close some first"))
            return nil
        }
        let navigation = node.navigation
        let instance = TypedScreenInstance(
            screen, id: identifiers.takeScreen(), owner: owner,
            shown: navigation.screens.isEmpty ? .root : .push, handler: handler)
        navigation.append(instance)
        screenCount += 1
        node.screenCount += 1
        node.didShow()
        changeLog.push(instance.id, on: navigation)
        return instance
    }

    /// Takes off all screens above an index of a navigation.
    func pop(to index: Int, on navigation: Navigation) {
        guard index >= 0, index < navigation.screens.count - 1 else { return }
        changeLog.pop(leave(navigation.removeAll(above: index)))
    }

    /// Empties a navigation for what comes instead.
    func replaceAll(on navigation: Navigation) {
        guard !navigation.screens.isEmpty else { return }
        changeLog.replace(leave(navigation.removeAll(above: -1)), on: navigation)
    }

    /// Takes out the screens of coordinators that end.
    func removeScreens(where leaves: (ScreenInstance) -> Bool) {
        changeLog.pop(leave(base.removeTop(where: leaves)))
        changeLog.remove(leave(base.removeAll(where: leaves)))
        base.promoteRoot()
    }

    /// Notes that an author changed a screen's state.
    func didUpdate(_ instance: ScreenInstance) {
        instance.needsEncoding = true
        changeLog.update(instance.id)
    }

    /// Encodes what has changed, at the end of the input: pushing and updating costs one encoding.
    func encodeScreens() {
        do throws(JSONError) {
            for instance in base.screens { stateBytes += try instance.encode() }
        } catch {
            fail(error)
        }
        guard stateBytes > limits.stateBytes else { return }
        fail(Rejection(.limit, "the screens of a session can hold at most \(limits.stateBytes) bytes of state"))
    }

    /// Lets go of screens that are in no stack any more.
    ///
    /// - Returns: Their ids, in the same order.
    private func leave(_ instances: [ScreenInstance]) -> [Int] {
        for instance in instances {
            if let node = instance.owner?.node {
                node.screenCount -= 1
                suspects.append(node.coordinator)
            }
            screenCount -= 1
            stateBytes -= instance.fragment.count
            instance.leave()
        }
        return instances.map(\.id)
    }
}
