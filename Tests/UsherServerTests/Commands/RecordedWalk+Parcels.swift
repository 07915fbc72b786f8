extension RecordedWalk {
    /// Walks `ParcelApp` past everything that can come from elsewhere than a user.
    func sendParcels() async throws {
        try await self(#"{"event":{"send":{"name":"kim"}}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":{"send":{"name":"nobody"}}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":"chain"}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":{"remind":{"after":2000}}}"#)
        try await self(#"{"event":"look"}"#)
        // The timer is due by now, but comes late.
        try await self(#"{"back":true}"#)
        try await wake()
        try await tell(#"{"arrived":{"name":"kim","code":"hush"}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":"refuse"}"#)
    }
}
