import UsherHTTP
package import UsherProcess

/// The page at `/`: a table of known names, made at the start, so that no path of a request ever reaches the disk.
package struct StaticFiles: Sendable {
    private let files: [String: [UInt8]]

    /// No page.
    package init() {
        files = [:]
    }

    /// Reads the page.
    ///
    /// - Parameter folder: A folder with an `index.html`.
    /// - Throws: `FileTree.ReadError`.
    package init(folder: String) throws(FileTree.ReadError) {
        files = try FileTree(folder).files
    }

    func add(to router: inout Router) {
        for (path, contents) in files {
            // Braces would make a pattern of a name.
            guard let type = Self.mediaType(of: path), !path.contains("{") else { continue }
            let tag = "\"\(String(contents.digest, radix: 16))\""
            let response = Self.response(contents, type, tag)
            var notModified = response
            notModified.status = .notModified
            for name in path == "index.html" ? [path, ""] : [path] {
                for folder in Self.folders {
                    router.on(.get, folder + name, as: "page") { [notModified] request, _ in
                        try EntityTag.isKnown(tag, to: request) ? notModified : response
                    }
                }
            }
        }
    }

    /// The page is what a browser finds first, and has a place of its own behind a proxy that gives the root away.
    private static let folders = ["/", "/debug/"]

    private static func response(_ contents: [UInt8], _ type: String, _ tag: String) -> Response {
        Response(
            headers: [
                "Content-Type": type,
                // Asked for again each time, and sent again only where it has changed: a page and its server must fit.
                "Cache-Control": "no-cache",
                "ETag": tag,
                "Content-Security-Policy":
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options": "nosniff",
            ], body: contents)
    }

    /// A file of another kind is no part of a page, and is not served.
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
