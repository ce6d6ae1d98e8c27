import Foundation

/// A JSON text whose decoding could cost much more time or memory than its bytes.
struct HostileBody: CustomStringConvertible {
    /// The part of a service's response around its rows, and a valid row.
    struct Envelope {
        var prefix = ""
        let row: String
        var suffix = ""

        static let gitHubList = Self(prefix: "[", row: gitHub.row, suffix: "]")
        static let gitHubSearch = Self(prefix: #"{"total_count":1,"items":["#, row: gitHub.row, suffix: "]}")
        static let gitHub = Self(row: #"{"id":1,"login":"a","name":"a","full_name":"a/a"}"#)
        static let rickAndMortyPage = Self(
            prefix: #"{"info":{"next":null},"results":["#,
            row: rickAndMorty.row,
            suffix: "]}"
        )
        static let rickAndMortyList = Self(prefix: "[", row: rickAndMorty.row, suffix: "]")
        static let rickAndMorty = Self(row: #"{"id":1,"name":"a"}"#)
        static let appStore = Self(prefix: #"{"results":["#, row: #"{"trackId":1,"trackName":"a"}"#, suffix: "]}")

        /// Whether the response is a list.
        var isList: Bool { !prefix.isEmpty }

        /// Returns the valid row with the same value in many optional fields.
        fileprivate func row(with value: String) -> String {
            let fields = Self.optionalFields.filter { !row.contains("\"\($0)\":") }
            return row.dropLast() + fields.map { #","\#($0)":\#(value)"# }.joined() + "}"
        }

        private static let optionalFields = [
            "avatar_url", "html_url", "type", "bio", "company", "location", "blog", "public_repos",
            "followers", "owner", "description", "language", "topics", "license", "stargazers_count", "fork",
            "updated_at", "status", "species", "origin", "episode", "image", "created", "bundleId",
            "artistName", "sellerName", "artworkUrl60", "genres", "averageUserRating", "advisories",
            "version", "releaseNotes", "screenshotUrls", "price", "languageCodesISO2A",
        ]
    }

    /// The kind of the text.
    let description: String
    let bytes: Data

    private init(_ description: String, _ text: String) {
        self.description = description
        bytes = Data(text.utf8)
    }

    /// Returns one text of each kind.
    ///
    /// - Parameters:
    ///   - envelope: The endpoint's envelope.
    ///   - size: The size in bytes of the texts that can have any size.
    static func all(in envelope: Envelope, size: Int) -> [HostileBody] {
        func body(_ description: String, _ rows: String, isAfterRow: Bool = true) -> HostileBody {
            let first = envelope.isList && isAfterRow ? envelope.row + "," : ""
            return HostileBody(description, envelope.prefix + first + rows + envelope.suffix)
        }
        func rows(_ row: String, _ count: Int = .max) -> String {
            repeatElement(row, count: max(1, min(count, size / (row.utf8.count + 1)))).joined(separator: ",")
        }
        // Just below the limit of 150,000 values.
        let values = 149_000
        let badRow = envelope.row(with: "[{}]")
        let fieldCount = badRow.utf8.count { $0 == UInt8(ascii: ":") }
        return [
            body("10,000 bad rows", rows("{}", 10_000)),
            body("10,000 bad rows of many fields", rows(#"{"id":{}}"#, 10_000)),
            body("bad rows", rows("{}")), body("zeros", rows("0")), body("empty arrays", rows("[]")),
            body("only bad rows", rows("{}"), isAfterRow: false),
            body("rows whose optional fields are wrong", rows(badRow, values / (fieldCount * 2))),
            body("a list of wrong values in each field", envelope.row(with: "[\(rows("{}", values / 40))]")),
            body("good rows", rows(envelope.row, values / 5)),
            body("deep arrays", String(repeating: "[", count: size)),
            body("deep objects", String(repeating: #"{"a":"#, count: size / 5)),
            body("nested arrays", rows(String(repeating: "[", count: 100) + String(repeating: "]", count: 100))),
            body("a long number", #"{"id":\#(String(repeating: "9", count: size))}"#),
            body("a long fraction", #"{"id":0.\#(String(repeating: "9", count: size))}"#),
            body("long numbers", rows(#"{"id":\#(String(repeating: "9", count: 1000))}"#)),
            body("exponents", rows(#"{"id":1e\#(String(repeating: "9", count: 100))}"#, 9000)),
            body("keys", "{\((0..<min(values, size / 12)).map { #""\#($0)":0"# }.joined(separator: ","))}"),
            body("equal keys", "{\(rows(#""id":0"#, values))}"),
            body("a long key", #"{"\#(String(repeating: "k", count: size))":0}"#),
            body("long keys", rows(#"{"\#(String(repeating: "k", count: 1000))":0}"#, 9000)),
            body("a long text", envelope.row(with: "\"\(String(repeating: "t", count: size / 40))\"")),
            body("long identifiers", rows(#"{"id":"\#(String(repeating: "t", count: 1000))"}"#, 9000)),
            body("escapes", envelope.row(with: "\"\(String(repeating: #"\u00e9"#, count: size / 240))\"")),
            body("combining marks", envelope.row(with: "\"\(String(repeating: "\u{301}", count: size / 80))\"")),
            body("half a text", #"{"id":2,"login":""# + String(repeating: "t", count: size)),
            body("spaces", String(repeating: " ", count: size)),
        ]
    }
}
