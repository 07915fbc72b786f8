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
            let response = Self.response(contents, type)
            router.on(.get, "/\(path)") { _, _ in response }
            if path == "index.html" { router.on(.get, "/") { _, _ in response } }
        }
    }

    private static func response(_ contents: [UInt8], _ type: String) -> Response {
        Response(
            headers: [
                "Content-Type": type,
                "Cache-Control": "no-cache",
                "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
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
        case "json": "application/json"
        default: nil
        }
    }
}
