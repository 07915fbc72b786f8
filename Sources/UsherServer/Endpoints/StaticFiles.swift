import UsherCompression
import UsherHTTP
package import UsherProcess

/// The page that `--public` selects.
package enum PageChoice: Equatable, Sendable {
    /// The page in `share/usher/public`, which is beside the program's folder `bin`; no page if that folder does not
    /// exist.
    case installed
    case folder(String)
    case none

    /// Parses the value of `--public`.
    init(_ text: String) {
        self = text == "none" ? .none : .folder(text)
    }

    fileprivate var folder: String? {
        switch self {
        case .installed: Self.installedFolder.flatMap { PrivateFile.isThere($0) ? $0 : nil }
        case .folder(let path): path
        case .none: nil
        }
    }

    private static var installedFolder: String? {
        guard let folder = ProcessEnvironment.programFolder, let slash = folder.lastIndex(of: "/") else { return nil }
        return "\(folder[..<slash])/share/usher/public"
    }
}

/// The page at `/`, read and compressed once at the start.
///
/// Requests are looked up in a table, so the path of a request is never used as the name of a file.
package struct StaticFiles: Sendable {
    private let files: [String: [UInt8]]

    package init() {
        files = [:]
    }

    /// Reads the selected page; throws `SystemError`.
    package init(_ choice: PageChoice) throws(SystemError) {
        guard let folder = choice.folder else {
            self.init()
            return
        }
        try self.init(folder: folder)
    }

    /// Reads the page in a folder, which must contain an `index.html`; throws `SystemError`.
    package init(folder: String) throws(SystemError) {
        files = try Folder.files(in: folder, having: "index.html")
    }

    func add(to router: inout Router) {
        guard !files.isEmpty else {
            for folder in Self.folders { router.on(.get, folder, as: "page") { _, _ in throw Self.noPage } }
            return
        }
        for (path, contents) in files {
            // Skips names with braces, because the router would read braces as a parameter.
            guard let type = Self.mediaType(of: path), !path.contains("{") else { continue }
            let file = PageFile(contents, type)
            for name in path == "index.html" ? [path, ""] : [path] {
                for folder in Self.folders {
                    router.on(.get, folder + name, as: "page") { request, _ in try file.answer(to: request) }
                }
            }
        }
    }

    private static let noPage = Problem(
        .notFound,
        "This server has no page; start it with --public FOLDER, where FOLDER is \"Public\" in Usher's sources.")

    /// The paths of the page: `/`, and `/debug/` for proxies that use `/` for something else.
    private static let folders = ["/", "/debug/"]

    /// Returns the media type of a file; nil for files that are not served.
    private static func mediaType(of path: String) -> String? {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "json": "application/json"
        default: nil
        }
    }
}

/// A file of the page, in each of its representations.
private struct PageFile {
    /// A representation: the response with the file, and the 304 for a browser that already has the file.
    private struct Variant {
        let tag: String
        let response: Response
        let notModified: Response

        init(_ body: [UInt8], _ type: String, coding: String? = nil) {
            // Each representation needs its own tag (RFC 9110, section 8.8.3.3), even if the bytes are equal.
            tag = "\"\(String(body.digest, radix: 16))\(coding.map { "-\($0)" } ?? "")\""
            var headers: HeaderFields = [
                "Content-Type": type,
                // Browsers must revalidate the page at each use, because the page must match its server.
                "Cache-Control": "no-cache",
                "ETag": tag,
                "Vary": "Accept-Encoding",
                "Content-Security-Policy":
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options": "nosniff",
            ]
            if let coding { headers.append(name: "Content-Encoding", value: coding) }
            response = Response(headers: headers, body: body)
            notModified = Response(status: .notModified, headers: headers, body: body)
        }
    }

    private let plain: Variant
    /// The compressed file; nil if compression does not make it smaller.
    private let compressed: Variant?

    init(_ contents: [UInt8], _ type: String) {
        plain = Variant(contents, type)
        let smaller = Gzip.compress(contents).flatMap { $0.count < contents.count ? $0 : nil }
        compressed = smaller.map { Variant($0, type, coding: "gzip") }
    }

    func answer(to request: Request) throws(Problem) -> Response {
        let variant = compressed.flatMap { AcceptedCodings(request).prefersGzip ? $0 : nil } ?? plain
        return try EntityTag.isKnown(variant.tag, to: request) ? variant.notModified : variant.response
    }
}
