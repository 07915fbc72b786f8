import Glibc

/// The files below a folder, read into memory once.
package struct FileTree: Sendable {
    /// A folder or file that cannot be read.
    package struct ReadError: Error, Equatable, CustomStringConvertible {
        /// The path that could not be read.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// One sentence with the system's reason.
        package var description: String { "cannot read \(path): \(unsafe String(cString: strerror(number)))" }
    }

    /// The files by their paths below the folder, such as `styles/page.css`.
    ///
    /// Hidden files are left out.
    package private(set) var files: [String: [UInt8]] = [:]

    /// Reads a folder and those in it.
    ///
    /// - Parameters:
    ///   - folder: A path.
    ///   - name: A file that it must have, for without it another folder is meant; nil for none.
    /// - Throws: `ReadError`.
    package init(_ folder: String, having name: String? = nil) throws(ReadError) {
        try read(folder, below: "", depth: 0)
        if let name, files[name] == nil { throw ReadError(path: "\(folder)/\(name)", number: ENOENT) }
    }

    /// Folders deeper than this are a loop of links, and no part of a page.
    private static let maximumDepth = 8

    private mutating func read(_ folder: String, below prefix: String, depth: Int) throws(ReadError) {
        for name in try Self.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { throw ReadError(path: path, number: errno) }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard depth < Self.maximumDepth else { throw ReadError(path: path, number: ELOOP) }
                try read(path, below: "\(prefix)\(name)/", depth: depth + 1)
            } else if status.st_mode & S_IFMT == S_IFREG {
                files["\(prefix)\(name)"] = try Self.contents(of: path, count: Int(status.st_size))
            }
        }
    }

    static func names(in folder: String) throws(ReadError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw ReadError(path: folder, number: errno) }
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

    static func contents(of path: String, count: Int) throws(ReadError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReadError(path: path, number: errno) }
        defer { close(descriptor) }
        var contents = [UInt8](repeating: 0, count: count)
        let filled = unsafe contents.withUnsafeMutableBytes { unsafe Descriptor.fill($0, from: descriptor) }
        guard let filled else { throw ReadError(path: path, number: errno) }
        guard filled == count else { throw ReadError(path: path, number: EIO) }
        return contents
    }
}

/// A file that is read whole, such as a secret's.
package enum WholeFile {
    /// Reads a file, or all that comes out of a pipe.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that it may have.
    /// - Throws: `FileTree.ReadError`.
    package static func read(_ path: String, limit: Int) throws(FileTree.ReadError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTree.ReadError(path: path, number: errno) }
        defer { close(descriptor) }
        return try read(descriptor, path, limit)
    }

    fileprivate static func read(
        _ descriptor: Int32, _ path: String, _ limit: Int
    ) throws(FileTree.ReadError) -> [UInt8] {
        var contents = [UInt8](repeating: 0, count: limit + 1)
        let filled = unsafe contents.withUnsafeMutableBytes { unsafe Descriptor.fill($0, from: descriptor) }
        guard let filled else { throw FileTree.ReadError(path: path, number: errno) }
        guard filled <= limit else { throw FileTree.ReadError(path: path, number: EFBIG) }
        return Array(contents[..<filled])
    }
}

/// A file that is read whole, and should be nobody's but its owner's.
package struct PrivateFile: Sendable {
    /// A file that others than this process' user (and root) may read or write.
    package struct ExposureError: Error, Equatable, CustomStringConvertible {
        fileprivate let path: String
        fileprivate let isForeign: Bool

        /// One sentence: what is wrong and what to do.
        package var description: String {
            isForeign
                ? "\(path) belongs to another user, who may read and write it; give it to the server's user with chown"
                : "others than its owner may read or write \(path); take that from them with chmod 600 \(path)"
        }
    }

    /// All its bytes.
    package let contents: [UInt8]
    /// The others who may read or write it; nil if nobody may.
    package let exposure: ExposureError?

    /// Reads a file, or all that comes out of a pipe.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that it may have.
    ///   - isForGroup: True if its group may read and write it.
    /// - Throws: `FileTree.ReadError`.
    package init(_ path: String, limit: Int, isForGroup: Bool = false) throws(FileTree.ReadError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTree.ReadError(path: path, number: errno) }
        defer { close(descriptor) }
        var status = stat()
        // Of the open file: its name may be another's a moment later.
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileTree.ReadError(path: path, number: errno) }
        exposure = Self.exposure(of: status, path, isForGroup)
        contents = try WholeFile.read(descriptor, path, limit)
    }

    /// A file that cannot be written.
    package struct WritingError: Error, Equatable, CustomStringConvertible {
        /// The path that could not be written.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// One sentence with the system's reason.
        package var description: String { "cannot write \(path): \(unsafe String(cString: strerror(number)))" }
    }

    /// Returns the others who may read or write a file; nil if nobody may, or if there is no file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isForGroup: True if its group may read and write it.
    package static func exposure(of path: String, isForGroup: Bool) -> ExposureError? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return exposure(of: status, path, isForGroup)
    }

    private static func exposure(of status: stat, _ path: String, _ isForGroup: Bool) -> ExposureError? {
        let user = geteuid()
        guard status.st_uid == user || status.st_uid == 0 else { return ExposureError(path: path, isForeign: true) }
        let isShared = isShared(status.st_mode, isOwn: status.st_uid == user, isForGroup: isForGroup)
        return isShared ? ExposureError(path: path, isForeign: false) : nil
    }

    /// True if a mode lets too many read or write a file.
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - isOwn: False for a file of root's: Kubernetes and systemd let a service's group read its secrets so.
    ///   - isForGroup: True if the group may read and write it.
    static func isShared(_ mode: mode_t, isOwn: Bool, isForGroup: Bool) -> Bool {
        let group = isForGroup ? 0 : isOwn ? S_IRWXG : S_IWGRP
        return mode & (group | S_IRWXO) != 0
    }

    /// True where there is a file.
    ///
    /// - Parameter path: The file.
    package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Writes a file for its owner alone: all of it, or nothing, whenever the process ends.
    ///
    /// - Parameters:
    ///   - contents: All its bytes.
    ///   - path: The file; one that is there is replaced.
    /// - Throws: `WritingError`.
    package static func write(_ contents: [UInt8], to path: String) throws(WritingError) {
        let draft = "\(path).new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WritingError(path: draft, number: errno) }
        let count = unsafe contents.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWhole = count == contents.count && fsync(descriptor) == 0
        let number = count < contents.count && count >= 0 ? ENOSPC : errno
        close(descriptor)
        guard isWhole else { throw WritingError(path: draft, number: number) }
        guard unsafe rename(draft, path) == 0 else { throw WritingError(path: path, number: errno) }
    }
}

/// The folders on this machine's disks.
package enum Folder {
    /// A folder that cannot be made.
    package struct MakingError: Error, Equatable, CustomStringConvertible {
        /// The path that could not be made.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// One sentence with the system's reason.
        package var description: String {
            "cannot make the directory \(path): \(unsafe String(cString: strerror(number)))"
        }
    }

    /// Makes a folder and those above it that are missing, for their owner alone.
    ///
    /// - Parameter path: The folder; one that is there stays as it is.
    /// - Throws: `MakingError`.
    package static func make(_ path: String) throws(MakingError) {
        try make(path, mode: 0o700)
    }

    static func make(_ path: String, mode: mode_t) throws(MakingError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex {
            try makeOne(String(path[..<end]), mode)
        }
        try makeOne(path, mode)
    }

    private static func makeOne(_ path: String, _ mode: mode_t) throws(MakingError) {
        guard unsafe mkdir(path, mode) != 0, errno != EEXIST else { return }
        let number = errno
        // Above what cannot be written there may be what is there all the same.
        guard unsafe access(path, F_OK) != 0 else { return }
        throw MakingError(path: path, number: number)
    }
}

/// A file of keys: one a line; what begins with `#` is a comment.
package enum KeyFile {
    /// The lines that have a key, without the white space around it.
    ///
    /// - Parameter contents: The file's bytes.
    /// - Returns: Each with its number, from 1.
    package static func lines(of contents: [UInt8]) -> [(number: Int, key: ArraySlice<UInt8>)] {
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return zip(1..., lines).compactMap { number, line in
            let key = trimmed(line)
            guard let first = key.first, first != UInt8(ascii: "#") else { return nil }
            return (number, key)
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }
}
