import Testing
import UsherHTTP

@Suite struct RequestBuffersTests {
    private func request(size: Int) -> Request {
        var request = Request(path: "/" + String(repeating: "a", count: size))
        request.headers.append(name: "X", value: String(repeating: "b", count: size))
        request.body = Array(repeating: 1, count: size)
        return request
    }

    @Test func `the next request gets the emptied buffers of a finished request`() {
        var (buffers, request) = (RequestBuffers(), request(size: 100))
        buffers.recycle(&request)
        let arrays = [buffers.takePath(), buffers.takeFields(), buffers.takeBody()]
        #expect(arrays.allSatisfy { $0.isEmpty && $0.capacity >= 100 })
        #expect(request.body.isEmpty && request.headers.isEmpty && request.target.bytes.isEmpty)
        #expect(buffers.takeBody().capacity == 0)
    }

    @Test func `buffers that a copy of a request still uses are not overwritten`() {
        var (buffers, request) = (RequestBuffers(), request(size: 100))
        let held = request
        buffers.recycle(&request)
        var (path, fields, body) = (buffers.takePath(), buffers.takeFields(), buffers.takeBody())
        path.append(9)
        fields.append(9)
        body.append(9)
        #expect(held.path == "/" + String(repeating: "a", count: 100))
        #expect(held.headers["X"] == String(repeating: "b", count: 100))
        #expect(held.body == Array(repeating: 1, count: 100))
    }

    @Test func `buffers that have grown large are freed`() {
        var (buffers, request) = (RequestBuffers(), request(size: 4096))
        buffers.recycle(&request)
        #expect([buffers.takePath(), buffers.takeFields(), buffers.takeBody()].allSatisfy { $0.capacity == 0 })
        #expect(request.body.capacity == 0 && request.headers.isEmpty && request.path == "/")
    }
}
