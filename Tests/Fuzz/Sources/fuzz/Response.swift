import BrowseData
import BrowseDomain
import Foundation
import Synchronization

/// A response parsed from an input.
///
/// The format is like HTTP: a line with the status, lines with header fields, a blank line, and the body. An input that doesn't
/// start with three digits and a line break is the body of a response with status 200.
struct Response: Sendable {
    var status = 200
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    var body: Data

    init(_ input: [UInt8]) {
        body = Data(input)
        guard input.count > 3, input[3] == UInt8(ascii: "\n"),
            let status = Int(String(decoding: input[..<3], as: UTF8.self)), (100...599).contains(status)
        else { return }
        self.status = status
        headers = [:]
        var rest = input[4...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            if line.isEmpty { break }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let value = String(decoding: parts[1], as: UTF8.self).trimmingCharacters(in: .whitespaces)
            headers[String(decoding: parts[0], as: UTF8.self)] = value
        }
        body = Data(rest)
    }
}

/// A transport with one response for the first requests, and a failure for later ones.
final class ResponseTransport: HTTPTransport {
    private let response: Response
    private let remaining: Mutex<Int>

    init(_ response: Response, requests: Int = 6) {
        self.response = response
        remaining = Mutex(requests)
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        let isAllowed = remaining.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
        guard isAllowed else { throw .timedOut(request.info) }
        return HTTPClient.Response(
            status: response.status,
            headers: response.headers,
            body: response.body,
            url: request.url
        )
    }
}

extension URL {
    /// Creates a URL from a literal.
    init(fixed text: StaticString) {
        guard let url = URL(string: "\(text)") else { fatalError("\(text) isn't a URL") }
        self = url
    }
}
