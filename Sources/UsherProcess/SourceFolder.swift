import Glibc

/// A folder of source files, as people edit them.
package enum SourceFolder {
    /// A file or folder that cannot be made.
    package struct WriteError: Error, Equatable, CustomStringConvertible {
        /// The path.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// One sentence with the system's reason.
        package var description: String { "cannot make \(path): \(unsafe String(cString: strerror(number)))" }
    }

    /// Reads a file, or all files below a folder whose names end alike.
    ///
    /// Hidden files and folders are left out, and links to folders, which may lead back.
    ///
    /// - Parameters:
    ///   - path: The file or folder.
    ///   - suffix: The end of the names, such as `.swift`.
    /// - Returns: The files by their paths, which begin with the path given.
    /// - Throws: `FileTree.ReadError`.
    package static func read(_ path: String, suffix: String) throws(FileTree.ReadError) -> [String: [UInt8]] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw FileTree.ReadError(path: path, number: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            // A pipe or a device has no size, and would be read as empty.
            guard status.st_mode & S_IFMT == S_IFREG else { throw FileTree.ReadError(path: path, number: EINVAL) }
            return [path: try FileTree.contents(of: path, count: Int(status.st_size))]
        }
        var files: [String: [UInt8]] = [:]
        var waiting = [path]
        while let folder = waiting.popLast() {
            for name in try FileTree.names(in: folder) where !name.hasPrefix(".") {
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                guard unsafe lstat(path, &status) == 0 else { throw FileTree.ReadError(path: path, number: errno) }
                if status.st_mode & S_IFMT == S_IFDIR {
                    waiting.append(path)
                } else if name.hasSuffix(suffix), isFile(path, &status) {
                    files[path] = try FileTree.contents(of: path, count: Int(status.st_size))
                }
            }
        }
        return files
    }

    /// Makes a folder that is not there yet, with files in it.
    ///
    /// - Parameters:
    ///   - folder: Its path.
    ///   - files: Their texts, by the paths below the folder.
    /// - Throws: `WriteError`; what was made before stays.
    package static func create(_ folder: String, _ files: [String: String]) throws(WriteError) {
        guard unsafe mkdir(folder, 0o777) == 0 else { throw WriteError(path: folder, number: errno) }
        try fill(folder, files)
    }

    /// Makes files in a folder that is there.
    ///
    /// - Parameters:
    ///   - folder: Its path.
    ///   - files: Their texts, by paths below it; folders of these are made. A text that begins with `#!` is a script, and
    ///     becomes executable.
    /// - Throws: `WriteError`.
    package static func fill(_ folder: String, _ files: [String: String]) throws(WriteError) {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            if let slash = path.lastIndex(of: "/") {
                do { try Folder.make("\(folder)/\(path[..<slash])", mode: 0o777) } catch {
                    throw WriteError(path: error.path, number: error.number)
                }
            }
            try write(Array(text.utf8), to: "\(folder)/\(path)", mode: text.hasPrefix("#!") ? 0o777 : 0o666)
        }
    }

    /// True for a file, also by way of a link.
    private static func isFile(_ path: String, _ status: inout stat) -> Bool {
        unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func write(_ contents: [UInt8], to path: String, mode: mode_t) throws(WriteError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw WriteError(path: path, number: errno) }
        defer { close(descriptor) }
        var rest = contents[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw WriteError(path: path, number: errno) }
            rest = rest.dropFirst(max(0, written))
        }
    }
}
