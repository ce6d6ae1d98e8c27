import BrowseData
import BrowseDomain
import Foundation
import Synchronization

/// An input as a response.
///
/// It is written as HTTP is, so that seeds can be: a line with the status, lines with header fields, a blank line, the body.
/// What does not begin with three digits and a line break is the body of a response with status 200.
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

/// Answers each request with the same response, and after a few, as a list of all pages takes, with a failure.
final class ResponseTransport: HTTPTransport {
    private let response: Response
    private let left: Mutex<Int>

    init(_ response: Response, requests: Int = 6) {
        self.response = response
        left = Mutex(requests)
    }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let isLeft = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw .timedOut(request.info) }
        return HTTPResponse(status: response.status, headers: response.headers, body: response.body, url: request.url)
    }
}

extension URL {
    /// An address that is written in the source.
    init(fixed text: StaticString) {
        guard let url = URL(string: "\(text)") else { fatalError("\(text) is no address") }
        self = url
    }
}
