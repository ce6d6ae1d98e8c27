import BrowseData
import BrowseDomain
public import Foundation

extension Recording {
    /// The recording as an HTTP Archive 1.2 (HAR), which browsers and proxies read.
    ///
    /// Source: the "HAR 1.2 Spec" of J. Odvarko (softwareishard.com/blog/har-12-spec).
    ///
    /// - Parameter includesBodies: Whether bodies are included; without them, it can't be replayed.
    public func har(includingBodies includesBodies: Bool = false) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let entries = exchanges.map { HTTPArchive.Entry($0, includesBodies: includesBodies) }
        // Encoding strings and numbers can't fail.
        return (try? encoder.encode(HTTPArchive(log: HTTPArchive.Log(entries: entries)))) ?? Data()
    }

    init(har data: Data, from place: URL) throws(Unreadable) {
        let archive: HTTPArchive
        do { archive = try JSONDecoder().decode(HTTPArchive.self, from: data) } catch {
            let reason = BrowseError.DecodingFailure(error)
            throw Unreadable(place, "The file is no HTTP Archive 1.2 (\(reason)). Restore it, or record it again.")
        }
        // Browsers write entries in any order, and readers sort them (HAR 1.2, "entries").
        let starts = archive.log.entries.map(\.start)
        let order = starts.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
        let entries = order.map { archive.log.entries[$0] }
        let ends = zip(order, entries).map { starts[$0] + ($1.time ?? 0) / 1000 }
        var completions = [Int](repeating: 0, count: ends.count)
        for (rank, index) in ends.indices.sorted(by: { (ends[$0], $0) < (ends[$1], $1) }).enumerated() {
            completions[index] = rank + 1
        }
        var exchanges: [Exchange] = []
        for (entry, completion) in zip(entries, completions) {
            let name = "\(entry.request.method) \(entry.request.url)"
            guard HTTPMethod(rawValue: entry.request.method) != nil else {
                throw Unreadable(place, "\(name) can't be replayed. \(HTTPMethod.supported) Remove the entry.")
            }
            guard let exchange = entry.exchange(completion: completion) else {
                throw Unreadable(
                    place,
                    "\(name) has no body. Save the archive with bodies, as Recording.har(includingBodies: true) does."
                )
            }
            exchanges.append(exchange)
        }
        self.init(exchanges: exchanges)
    }
}

/// The parts of an HTTP Archive that recordings have.
private struct HTTPArchive: Codable {
    struct Log: Codable {
        var version = "1.2"
        var creator: Creator? = Creator()
        let entries: [Entry]
    }

    struct Creator: Codable {
        var name = "BrowseKit"
        var version = "1"
    }

    /// A value that is written, but not read, because files of others can have anything there.
    struct Unread<Value: Encodable>: Codable {
        private let value: Value?

        init(_ value: Value) { self.value = value }

        init(from decoder: any Decoder) { value = nil }

        func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
    }

    struct Pair: Codable {
        let name: String
        let value: String
    }

    struct Entry: Codable {
        let startedDateTime: String
        /// In milliseconds; `nil` for some failures in files of browsers.
        let time: Double?
        let request: Request
        let response: Response
        let cache: Unread<[String: String]>?
        let timings: Unread<[String: Double]>?

        /// When the request was sent, in seconds.
        var start: Double {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let start = (try? style.parse(startedDateTime)) ?? (try? Date(startedDateTime, strategy: .iso8601))
            return start?.timeIntervalSince1970 ?? 0
        }
    }

    struct Request: Codable {
        let method: String
        let url: String
        /// Empty: a recording doesn't contain it.
        var httpVersion = ""
        var cookies: [Pair]? = []
        let headers: [Pair]
        let queryString: [Pair]?
        let postData: PostData?
        var headersSize: Int? = -1
        let bodySize: Int?
    }

    struct PostData: Codable {
        struct Parameter: Codable {
            let name: String
            let value: String?
        }

        let mimeType: String?
        let text: String?
        /// The fields of a form, which can be in place of the text.
        var params: [Parameter]?
        /// The encoding of the text, which the format doesn't have for requests.
        var _encoding: String?

        /// The bytes of the text, or of the form that the parameters make.
        var body: Data? {
            if _encoding == "base64" { return Data(base64Encoded: text ?? "") }
            let isForm = mimeType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
            guard text?.isEmpty ?? true, isForm, let params else { return text.map { Data($0.utf8) } }
            let unreserved = CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            )
            let fields = params.map { parameter in
                [parameter.name, parameter.value ?? ""]
                    .map { $0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? $0 }.joined(separator: "=")
            }
            return Data(fields.joined(separator: "&").utf8)
        }
    }

    struct Response: Codable {
        let status: Int
        var statusText: String? = ""
        var httpVersion: String? = ""
        var cookies: [Pair]? = []
        let headers: [Pair]
        let content: Content
        let redirectURL: String?
        var headersSize: Int? = -1
        let bodySize: Int?
        /// The code of a failed connection; custom members begin with an underscore.
        let _failure: Int?
    }

    struct Content: Codable {
        let size: Int?
        let mimeType: String?
        let text: String?
        let encoding: String?
    }

    let log: Log
}

extension HTTPArchive.Entry {
    init(_ exchange: Recording.Exchange, includesBodies: Bool) {
        // Only the order of completion is known, so each exchange ends a millisecond after the
        // previous one.
        startedDateTime = "1970-01-01T00:00:00.000Z"
        let end = Double(exchange.completion)
        time = end
        cache = HTTPArchive.Unread([:])
        timings = HTTPArchive.Unread(["send": 0, "wait": end, "receive": 0])
        let body = exchange.body
        request = HTTPArchive.Request(
            method: exchange.method.rawValue,
            url: exchange.url.absoluteString,
            headers: exchange.headers.pairs,
            queryString: exchange.url.pairs,
            postData: includesBodies
                ? body.map { body in
                    let text = String(data: body, encoding: .utf8)
                    return HTTPArchive.PostData(
                        mimeType: exchange.headers["Content-Type"] ?? "",
                        text: text ?? body.base64EncodedString(),
                        _encoding: text == nil ? "base64" : nil
                    )
                } : nil,
            bodySize: body?.count ?? 0
        )
        switch exchange.outcome {
        case .response(let response):
            let text = String(data: response.body, encoding: .utf8)
            self.response = HTTPArchive.Response(
                status: response.status,
                headers: response.headers.pairs,
                content: HTTPArchive.Content(
                    size: response.body.count,
                    mimeType: response.headers["Content-Type"] ?? "",
                    text: includesBodies ? text ?? response.body.base64EncodedString() : nil,
                    encoding: includesBodies && text == nil ? "base64" : nil
                ),
                redirectURL: response.url?.absoluteString ?? "",
                bodySize: response.body.count,
                _failure: nil
            )
        case .failure(let code):
            response = HTTPArchive.Response(
                status: 0,
                headers: [],
                content: HTTPArchive.Content(size: 0, mimeType: "", text: nil, encoding: nil),
                redirectURL: "",
                bodySize: 0,
                _failure: code.rawValue
            )
        }
    }

    /// The exchange; `nil` when its method is unknown or its body is missing.
    func exchange(completion: Int) -> Recording.Exchange? {
        guard let method = HTTPMethod(rawValue: request.method), let url = URL(string: request.url) else { return nil }
        let outcome: Recording.Exchange.Outcome
        // Some tools write -1.
        if response.status <= 0 {
            outcome = .failure(response._failure.map(URLError.Code.numbered) ?? .networkConnectionLost)
        } else {
            let content = response.content
            // Firefox has marked texts as Base64, too.
            let body = content.text.map { text in
                (content.encoding == "base64" ? Data(base64Encoded: text) : nil) ?? Data(text.utf8)
            }
            guard let body = body ?? (content.size ?? 0 <= 0 ? Data() : nil) else { return nil }
            // `redirectURL` is a redirect's target in files of browsers, and the final URL in those
            // of recordings.
            let headers = HTTPHeaders(response.headers)
            // Browsers also put the `Location` of a 201 there.
            let isRedirect = (300..<400).contains(response.status) || headers["Location"] == response.redirectURL
            let final = isRedirect ? nil : response.redirectURL.flatMap { $0.isEmpty ? nil : URL(string: $0) }
            outcome = .response(
                .init(status: response.status, headers: headers, body: body, url: final)
            )
        }
        return Recording.Exchange(
            method: method,
            url: url,
            headers: HTTPHeaders(request.headers),
            body: request.postData?.body,
            outcome: outcome,
            completion: completion
        )
    }
}

extension HTTPHeaders {
    fileprivate var pairs: [HTTPArchive.Pair] {
        fields.sorted { $0.key < $1.key }.map { HTTPArchive.Pair(name: $0.key, value: $0.value) }
    }

    fileprivate init(_ pairs: [HTTPArchive.Pair]) {
        self.init()
        // HTTP/2 has fields that begin with a colon, which aren't fields of HTTP/1.1; encodings
        // were undone.
        for pair in pairs
        where !pair.name.hasPrefix(":") && !["content-encoding", "content-length"].contains(pair.name.lowercased()) {
            // A repeated field is a list (RFC 9110, section 5.3).
            self[pair.name] = self[pair.name].map { "\($0), \(pair.value)" } ?? pair.value
        }
    }
}

extension URL {
    fileprivate var pairs: [HTTPArchive.Pair] {
        (URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems ?? [])
            .map { HTTPArchive.Pair(name: $0.name, value: $0.value ?? "") }
    }
}
