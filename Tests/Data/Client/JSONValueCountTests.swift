import BrowseAppStoreData
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseRickAndMortyData
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `The number of JSON values` {
    private struct Row: Decodable {
        let id: Int
        let login: String
    }

    private static let limit = 150_000

    private func response(_ status: Int = 200, json body: Data) -> HTTPClient.Response {
        HTTPClient.Response(
            status: status,
            headers: ["Content-Type": "application/json", "X-GitHub-Media-Type": "github.v3"],
            body: body,
            url: URL(filePath: "/")
        )
    }

    private func expectTooMany(_ body: Data, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let client = HTTPClient(service: .sample(), transport: FakeTransport { [self] _, _ in response(json: body) })
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint(.path("/a")) { try $0.json(LossyArray<Row>.self).rows.count })
        }
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: 200)
        #expect(error == .unusableResponse(.tooManyValues(limit: Self.limit), info), sourceLocation: sourceLocation)
    }

    /// Bodies of at most 8 MiB that cost much more time or memory than their size suggests.
    @Test(arguments: HostileBody.allCases) func `is limited in each body`(hostile: HostileBody) async throws {
        let body = hostile.body(count: Self.limit + 1)
        #expect(body.count <= HTTPLimits().bodyBytes)
        try await expectTooMany(body)
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian])
    func `is limited in other encodings, whose characters can look like quotation marks`(encoding: String.Encoding)
        async throws
    {
        let text = "[\"\u{122}\u{2200}\",\(repeatElement("0", count: 2 * Self.limit).joined(separator: ","))]"
        try await expectTooMany(try #require(text.data(using: encoding)))
    }

    @Test func `isn't changed by brackets and commas in text`() throws {
        let text = #""[{,\"\\,:}]""#
        let values = repeatElement("{\(text):[\(text),1]}", count: Self.limit / 4 - 1).joined(separator: " ,\n")
        let list = try response(json: Data("[\(values)]".utf8)).json([[String: [Lenient<String>]]].self)
        #expect(list.count == Self.limit / 4 - 1)
    }

    @Test func `is limited for errors of every service`() async throws {
        let body = HostileBody.keys.body(count: Self.limit + 1, name: "message", value: "\"long\"")
        let transport = FakeTransport { [self] _, _ in response(404, json: body) }
        for client in [
            try HTTPClient.gitHub(at: "https://api.example", transport: transport),
            try .rickAndMorty(at: "https://api.example", transport: transport),
            try .appStore(at: "https://api.example", transport: transport),
        ] {
            let error = await thrown { () async throws(BrowseError) in
                try await client.send(Endpoint(.path("/a")) { $0.status })
            }
            #expect(error == .notFound(.init(endpoint: "GET /a", status: 404)))
        }
    }

    @Test func `of rows that can't be decoded keeps the good rows, and describes the first bad one`() throws {
        let bad = repeatElement("{}", count: 9_999).joined(separator: ",")
        let body = Data(#"[{"id":1,"login":"first"},\#(bad),{"id":2,"login":"last"}]"#.utf8)
        let list = try response(json: body).json(LossyArray<Row>.self)
        #expect(list.rows.map(\.login) == ["first", "last"])
        #expect(list.skipped.count == 9_999)
        #expect(list.skipped.first?.codingPath == "[1].id")
        #expect(throws: DecodingError.self) {
            try response(json: Data("[\(bad)]".utf8)).json(LossyArray<Row>.self)
        }
    }
}

/// JSON texts whose values cost more than their bytes.
enum HostileBody: CaseIterable {
    case emptyRows, zeros, nulls, nestedErrors, keys

    /// Returns a text with a number of values.
    ///
    /// - Parameters:
    ///   - name: The first key of an object.
    ///   - value: The value of the first key.
    func body(count: Int, name: String = "a", value: String = "0") -> Data {
        switch self {
        case .emptyRows: Self.list("{}", count - 1)
        case .zeros: Self.list("0", count - 1)
        case .nulls: Self.list("null", count - 1)
        case .nestedErrors: Self.list(#"{"id":{"a":[0]}}"#, (count + 2) / 4)
        case .keys: Data("{\"\(name)\":\(value),\((1..<count).map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        }
    }

    private static func list(_ row: String, _ count: Int) -> Data {
        Data("[\(repeatElement(row, count: count).joined(separator: ","))]".utf8)
    }
}
