import Testing

@testable import UsherHTTP

/// Tests of a response's fields, with the entity tag, which is stored separately.
@Suite struct ResponseTests {
    private let tagged = Response(headers: ["Content-Type": "text/plain"], entityTag: 18_446_744_073_709_551_615)

    @Test func `the entity tag of a response is written as its last header field, in quotation marks`() {
        #expect(tagged.headers.all.map(\.name) == ["Content-Type", "ETag"])
        #expect(tagged.headers["ETag"] == "\"18446744073709551615\"")
        #expect(Response(entityTag: 0).headers["etag"] == "\"0\"")
        #expect(Response().headers["ETag"] == nil)
    }

    @Test func `adding and removing other fields keeps the entity tag`() {
        var response = tagged
        response.headers.append(name: "Vary", value: "Accept")
        response.headers.remove("Content-Type")
        #expect(response.headers.all.map(\.name) == ["ETag", "Vary"])
        #expect(response.headers.all.map(\.value) == ["\"18446744073709551615\"", "Accept"])
    }

    @Test func `setting the field ETag replaces the response's entity tag`() {
        var response = tagged
        response.headers.set(name: "ETag", value: "W/\"1\"")
        #expect(response.headers.texts(of: "ETag") == ["W/\"1\""])
    }
}
