package import UsherJSON

extension App {
    /// Appends what a client can know of the app beforehand as one object: its name, version and options, the flows of
    /// each coordinator that a link can lead through, and the events of each screen, with examples.
    ///
    /// - Parameter writer: Where to append.
    /// - Throws: `JSONError` when the options do not encode.
    package static func describe(into writer: inout JSONWriter) throws(JSONError) {
        writer.beginObject()
        writer.member("app", name)
        writer.member("version", version)
        writer.key("options")
        try writer.encode(options)
        writer.key("flows")
        writer.beginObject()
        for host in flowHosts { describe(host, into: &writer) }
        writer.endObject()
        writer.key("screens")
        writer.beginObject()
        for screen in screens { describe(screen, into: &writer) }
        writer.endObject()
        writer.endObject()
    }

    private static func describe<Host: FlowHost>(_ host: Host.Type, into writer: inout JSONWriter) {
        writer.key(host.name)
        writer.raw(host.flowTable.examples)
    }

    private static func describe<S: Screen>(_ screen: S.Type, into writer: inout JSONWriter) {
        writer.key(screen.name)
        writer.raw(ScreenDescription<S>.cached().events.examples)
    }
}
