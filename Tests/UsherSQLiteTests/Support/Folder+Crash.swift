extension Folder {
    /// Copies a journal that is open as a crash would leave it.
    func crash(_ name: String, to copy: String) throws {
        try write(bytes(of: name), to: copy)
        try write(bytes(of: name + "-wal"), to: copy + "-wal")
    }
}
