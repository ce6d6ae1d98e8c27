import BrowseData
import BrowseDomain
import Foundation
import Testing

/// Recorded responses of the services, which aren't part of the package.
///
/// A folder with bodies, `<service>/<kind>/<name>.json`, and the metadata of each in
/// `<service>/_http/<kind>/<name>.http.json`: `status`, `headers` (values are texts or lists of texts) and `body_file`, the
/// path of the body or null. A body without such a file counts as status 200, without headers.
enum Corpus {
    /// The folder in the environment variable `BROWSEKIT_CORPUS`.
    static let folder: URL? = ProcessInfo.processInfo.environment["BROWSEKIT_CORPUS"].flatMap {
        $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
    }

    /// A recorded response.
    struct Response: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let headers: HTTPHeaders
        let body: Data

        var testDescription: String { name }

        /// The body, parsed by `JSONSerialization`.
        var object: Any? { try? JSONSerialization.jsonObject(with: body) }
    }

    /// Returns the responses of a kind; empty without a corpus.
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

    /// Returns the App Store's responses of a kind, with its usual content type; empty without a corpus.
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

    /// Names of errors without metadata start with the status.
    private static func status(of name: String) -> Int? {
        name.split(separator: "_").first.flatMap { $0.count == 3 ? Int($0) : nil }
    }

    private static func names(in folder: URL, suffix: String) throws -> [String] {
        let path = folder.path(percentEncoded: false)
        // Some kinds have only bodies.
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
    }

    /// A GitHub client that gets this response to all requests.
    static func client(for response: Response) throws -> HTTPClient {
        try .gitHub(at: "https://api.github.com", transport: Replay(response: response))
    }

    /// A transport with one response for all requests.
    struct Replay: HTTPTransport {
        let response: Response

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            var headers = response.headers
            // Recordings of bodies alone lack it.
            if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
            return HTTPClient.Response(status: response.status, headers: headers, body: response.body, url: request.url)
        }
    }

    /// An App Store client that gets this response to all requests.
    static func appStoreClient(for response: Response) throws -> HTTPClient {
        try .appStore(at: "https://itunes.apple.com", transport: Replay(response: response))
    }
}
