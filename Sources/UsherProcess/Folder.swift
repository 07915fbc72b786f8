import Glibc

package enum Folder {
    /// Reads the files in a folder and its subfolders, without hidden files and folders, pipes, sockets and devices.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - wanted: A file whose absence is an error, because the folder is then probably the wrong one; nil for none.
    ///   - suffix: The end of the names of the files to read, such as `.swift`; by default all files.
    ///   - followsLinks: Pass false to leave out links to folders, which may form loops, and broken links.
    /// - Returns: The files by their paths below the folder, such as `styles/page.css`.
    package static func files(
        in folder: String, having wanted: String? = nil, suffix: String = "", followsLinks: Bool = true
    ) throws(SystemError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var waiting = [""]
        while let place = waiting.popLast() {
            for name in try names(in: place.isEmpty ? folder : "\(folder)/\(place)") where !name.hasPrefix(".") {
                let path = "\(folder)/\(place)\(name)"
                var status = stat()
                let isLink = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
                // A loop of links ends here with an error, because the system follows only about 40 links.
                guard unsafe stat(path, &status) == 0 else {
                    if isLink, !followsLinks { continue }
                    throw SystemError("read", path)
                }
                if status.st_mode & S_IFMT == S_IFDIR {
                    if !isLink || followsLinks { waiting.append("\(place)\(name)/") }
                } else if status.st_mode & S_IFMT == S_IFREG, name.hasSuffix(suffix) {
                    files["\(place)\(name)"] = try WholeFile.read(path)
                }
            }
        }
        if let wanted, files[wanted] == nil { throw SystemError("read", "\(folder)/\(wanted)", ENOENT) }
        return files
    }

    static func names(in folder: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw SystemError("read", folder) }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// Creates a folder and its missing parents, with mode 0700; an existing folder is not changed.
    package static func make(_ path: String) throws(SystemError) {
        try make(path, mode: 0o700)
    }

    static func make(_ path: String, mode: mode_t) throws(SystemError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex {
            try makeOne(String(path[..<end]), mode)
        }
        try makeOne(path, mode)
    }

    private static func makeOne(_ path: String, _ mode: mode_t) throws(SystemError) {
        guard unsafe mkdir(path, mode) != 0, errno != EEXIST else { return }
        let number = errno
        // Checks whether the folder exists, because `mkdir` also fails in a read-only file system.
        guard unsafe access(path, F_OK) != 0 else { return }
        throw SystemError("create the directory", path, number)
    }
}

/// A folder of source files that people edit.
package enum SourceFolder {
    /// Reads a file, or all files with a suffix, such as `.swift`, in a folder and its subfolders.
    ///
    /// Hidden files and folders are left out, and so are links to folders, which may form loops.
    ///
    /// - Returns: The files by their paths, which begin with the given path.
    package static func read(_ path: String, suffix: String) throws(SystemError) -> [String: [UInt8]] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError("read", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            // Rejects pipes and devices, which may have no end.
            guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("read", path, EINVAL) }
            return [path: try WholeFile.read(path)]
        }
        let files = try Folder.files(in: path, suffix: suffix, followsLinks: false)
        let start = path.hasSuffix("/") ? path : "\(path)/"
        return Dictionary(uniqueKeysWithValues: files.map { (start + $0.key, $0.value) })
    }

    /// Creates a new folder with files, whose paths are relative to the folder.
    ///
    /// - Throws: `SystemError`, also if the folder exists; everything that was created before the error remains.
    package static func create(_ folder: String, _ files: [String: String]) throws(SystemError) {
        guard unsafe mkdir(folder, 0o777) == 0 else { throw SystemError("make", folder) }
        try fill(folder, files)
    }

    /// Creates files in an existing folder, with missing subfolders; a text that begins with `#!` becomes executable.
    package static func fill(_ folder: String, _ files: [String: String]) throws(SystemError) {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            if let slash = path.lastIndex(of: "/") {
                try Folder.make("\(folder)/\(path[..<slash])", mode: 0o777)
            }
            try write(Array(text.utf8), to: "\(folder)/\(path)", mode: text.hasPrefix("#!") ? 0o777 : 0o666)
        }
    }

    /// Writes files and creates missing folders, but skips files that already have these contents, so that a build does
    /// not repeat work.
    package static func update(_ folder: String, _ files: [String: [UInt8]]) throws(SystemError) {
        for (path, contents) in files.sorted(by: { $0.key < $1.key }) {
            let place = "\(folder)/\(path)"
            if let known = try? WholeFile.read(place), known == contents { continue }
            if let slash = place.lastIndex(of: "/") { try Folder.make(String(place[..<slash]), mode: 0o777) }
            _ = unsafe unlink(place)
            try write(contents, to: place, mode: 0o666)
        }
    }

    private static func write(_ contents: [UInt8], to path: String, mode: mode_t) throws(SystemError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError("make", path) }
        defer { close(descriptor) }
        guard Descriptor.write(contents, to: descriptor) else { throw SystemError("make", path) }
    }
}
