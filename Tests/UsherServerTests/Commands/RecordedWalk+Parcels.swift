extension RecordedWalk {
    /// Sends every kind of input to `ParcelApp`, including those that do not come from a user.
    func sendParcels() async throws {
        try await self(#"{"event":{"send":{"name":"kim"}}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":{"send":{"name":"nobody"}}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":"chain"}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":{"remind":{"after":2000}}}"#)
        try await self(#"{"event":"look"}"#)
        // The timer is due now, but fires late.
        try await self(#"{"back":true}"#)
        try await wake()
        try await tell(#"{"arrived":{"name":"kim","code":"hush"}}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"back":true}"#)
        try await self(#"{"event":"refuse"}"#)
    }
}
