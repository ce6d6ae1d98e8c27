import BrowseData
import BrowseDomain
import Foundation
import Testing

/// Recorded responses of the services, which are not part of the package.
///
/// A folder of bodies, `<service>/<kind>/<name>.json`, with what else was recorded of each in
/// `<service>/_http/<kind>/<name>.http.json`: `status`, `headers` (values are texts or lists of texts) and `body_file`, the
/// path of the body or null. A body without such a file counts as status 200, without headers.
enum Corpus {
    /// The folder that the environment variable `BROWSEKIT_CORPUS` names.
    static let folder: URL? = ProcessInfo.processInfo.environment["BROWSEKIT_CORPUS"].flatMap {
        $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
    }

    /// One recorded response.
    struct Response: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let headers: HTTPHeaders
        let body: Data

        var testDescription: String { name }

        /// The body, read by Foundation's other parser.
        var object: Any? { try? JSONSerialization.jsonObject(with: body) }
    }

    /// The responses of a kind; none when there is no corpus.
    static func responses(of kind: String, from service: String = "github") throws -> [Response] {
        guard let service = folder?.appending(path: service) else { return [] }
        let recordings = try names(in: service.appending(path: "_http/\(kind)"), suffix: ".http.json")
        let bodies = try names(in: service.appending(path: kind), suffix: ".json")
        return try Set(recordings + bodies).sorted().map { name in
            guard recordings.contains(name) else {
                let body = try Data(contentsOf: service.appending(path: "\(kind)/\(name).json"))
                return Response(name: name, status: status(of: name) ?? 200, headers: [:], body: body)
            }
            return try recording(name, at: service.appending(path: "_http/\(kind)/\(name).http.json"))
        }
    }

    /// The App Store's responses of a kind, under the content type that it always sends; none when there is no corpus.
    static func appStoreResponses(of kind: String) throws -> [Response] {
        guard let folder = folder?.appending(path: "itunes/\(kind)") else { return [] }
        return try names(in: folder, suffix: ".json").sorted().map { name in
            Response(
                name: name,
                status: kind == "errors" ? 400 : 200,
                headers: ["Content-Type": "text/javascript; charset=utf-8"],
                body: try Data(contentsOf: folder.appending(path: "\(name).json"))
            )
        }
    }

    private static func recording(_ name: String, at file: URL) throws -> Response {
        struct Recording: Decodable {
            enum Value: Decodable {
                case one(String), many([String])

                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if let text = try? container.decode(String.self) {
                        self = .one(text)
                    } else {
                        self = .many(try container.decode([String].self))
                    }
                }

                var text: String {
                    switch self {
                    case .one(let text): text
                    case .many(let texts): texts.joined(separator: ", ")
                    }
                }
            }

            enum CodingKeys: String, CodingKey {
                case status, headers
                case bodyFile = "body_file"
            }

            let status: Int
            let headers: [String: Value]
            let bodyFile: String?
        }
        let recording = try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
        var headers: HTTPHeaders = [:]
        for (name, value) in recording.headers { headers[name] = value.text }
        let body = try recording.bodyFile.flatMap { path in
            try folder.map { try Data(contentsOf: $0.appending(path: path)) }
        }
        return Response(name: name, status: recording.status, headers: headers, body: body ?? Data())
    }

    /// Errors without a recording have their status at the beginning of their name.
    private static func status(of name: String) -> Int? {
        name.split(separator: "_").first.flatMap { $0.count == 3 ? Int($0) : nil }
    }

    private static func names(in folder: URL, suffix: String) throws -> [String] {
        let path = folder.path(percentEncoded: false)
        // Of some kinds nothing but the bodies was recorded.
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
    }

    /// A client of GitHub that gets this response, whatever it asks for.
    static func client(for response: Response) throws -> HTTPClient {
        try .gitHub(at: "https://api.github.com", transport: Replay(response: response))
    }

    /// Answers everything with one response.
    struct Replay: HTTPTransport {
        let response: Response

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            HTTPResponse(status: response.status, headers: response.headers, body: response.body, url: request.url)
        }
    }

    /// A client of the App Store that gets this response, whatever it asks for.
    static func appStoreClient(for response: Response) throws -> HTTPClient {
        try .appStore(at: "https://itunes.apple.com", transport: Replay(response: response))
    }
}
