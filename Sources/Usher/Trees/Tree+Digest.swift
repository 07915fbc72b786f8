extension Tree {
    /// A digest of what the inputs have led to: the screens with their ids, names and coordinators, how they are shown,
    /// the selected tab, and the live coordinators, and the work that is pending.
    ///
    /// Never the screens' state: a new member of it breaks no replay.
    public var digest: UInt64 {
        var digest = Digest()
        window.forEachStack { $0.add(to: &digest) }
        digest.add(window.tabBar?.selected ?? -1)
        digest.add(coordinatorsDigest)
        for work in pendingWork {
            digest.add(work.id.revision)
            digest.add(work.id.index)
            digest.add(work.name)
        }
        return digest.value
    }
}
