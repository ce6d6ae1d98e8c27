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

    private func expect(
        _ reason: BrowseError.UnusableResponse,
        of body: Data,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let client = HTTPClient(service: .sample(), transport: FakeTransport { [self] _, _ in response(json: body) })
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint(.path("/a")) { try $0.json(LossyArray<Row>.self).rows.count })
        }
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: 200)
        #expect(error == .unusableResponse(reason, info), sourceLocation: sourceLocation)
    }

    /// Bodies of at most 8 MiB that cost much more time or memory than their size suggests.
    @Test(arguments: HostileBody.allCases) func `is limited in each body`(hostile: HostileBody) async throws {
        let body = hostile.body(count: Self.limit + 1)
        #expect(body.count <= HTTPLimits().bodyBytes)
        try await expect(.tooManyValues(limit: Self.limit), of: body)
    }

    /// RFC 8259, section 8.1. Their characters can look like quotation marks.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian])
    func `isn't counted in other encodings, which are refused`(encoding: String.Encoding) async throws {
        let body = try #require("[\"\u{122}\u{2200}\"]".data(using: encoding))
        try await expect(.decoding(.init(codingPath: "", reason: "not valid JSON")), of: body)
        #expect(try response(json: Data("\u{FEFF}[\"\u{122}\"]".utf8)).json([String].self) == ["\u{122}"])
    }

    /// Marks in alternating order are sorted in a time that grows with the square of their number.
    @Test(arguments: [
        "\u{301}\u{323}", #"\u0301\u0323"#, "\u{301}\\u0323", #"\uD834\uDD6D\uD834\uDD65"#, "\u{1D16D}\u{1D165}",
    ])
    func `is limited, and so is that of combining marks in a row`(marks: String) throws {
        let body = Data(#"{"e\#(String(repeating: marks, count: 60_000))":"e\#(marks)"}"#.utf8)
        let texts = try response(json: body).json([String: String].self)
        #expect(texts.keys.first?.unicodeScalars.count == 31)
        #expect(texts.values.first?.unicodeScalars.count == 3)
    }

    @Test(arguments: ["é\u{302}", "한", "नि", #"\n"#, #"\\u0301"#, "👨‍👩‍👧", #"\uD83D\uDE00"#, "e" + #"\u0301"#])
    func `is limited without a change of other texts`(text: String) throws {
        let one = try response(json: Data(#"["\#(text)"]"#.utf8)).json([String].self)[0]
        let body = Data(#"["\#(String(repeating: text, count: 20_000))"]"#.utf8)
        #expect(try response(json: body).json([String].self) == [String(repeating: one, count: 20_000)])
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

    /// DataDog/swift-jsonapi#1
    @Test func `of a null in place of rows is zero, and not of a missing list or of another type`() throws {
        struct Envelope: Decodable {
            let rows: LossyArray<Row>
        }

        func list(_ body: String) throws -> LossyArray<Row> {
            let envelope = try response(json: Data(body.utf8)).json(Envelope.self)
            return envelope.rows
        }
        #expect(try list(#"{"rows":null}"#).rows.isEmpty && list(#"{"rows":null}"#).skipped == SkippedRows())
        #expect(try response(json: Data("null".utf8)).json(LossyArray<Row>.self).rows.isEmpty)
        for body in ["{}", #"{"rows":{}}"#, #"{"rows":""}"#, #"{"rows":[null]}"#] {
            #expect(throws: DecodingError.self) { try list(body) }
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
