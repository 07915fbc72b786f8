import Testing
import UsherHTTP

@Suite struct RequestMemoryTests {
    private func request(size: Int) -> Request {
        var request = Request(path: "/" + String(repeating: "a", count: size))
        request.headers.append(name: "X", value: String(repeating: "b", count: size))
        request.body = Array(repeating: 1, count: size)
        return request
    }

    @Test func `what a request needs no more is there for the next, empty`() {
        var (memory, request) = (RequestMemory(), request(size: 100))
        memory.keep(&request)
        let arrays = [memory.takePath(), memory.takeFields(), memory.takeBody()]
        #expect(arrays.allSatisfy { $0.isEmpty && $0.capacity >= 100 })
        #expect(request.body.isEmpty && request.headers.isEmpty && request.target.segments.allSatisfy(\.isEmpty))
        #expect(memory.takeBody().capacity == 0)
    }

    @Test func `what somebody else holds stays as it is`() {
        var (memory, request) = (RequestMemory(), request(size: 100))
        let held = request
        memory.keep(&request)
        var (path, fields, body) = (memory.takePath(), memory.takeFields(), memory.takeBody())
        path.append(9)
        fields.append(9)
        body.append(9)
        #expect(held.path == "/" + String(repeating: "a", count: 100))
        #expect(held.headers["X"] == String(repeating: "b", count: 100))
        #expect(held.body == Array(repeating: 1, count: 100))
    }

    @Test func `what is large is given back`() {
        var (memory, request) = (RequestMemory(), request(size: 4096))
        memory.keep(&request)
        #expect([memory.takePath(), memory.takeFields(), memory.takeBody()].allSatisfy { $0.capacity == 0 })
        #expect(request.body.capacity == 0 && request.headers.isEmpty && request.path == "/")
    }
}
