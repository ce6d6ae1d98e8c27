import BrowseData
import Foundation

/// What a scripted server was told to answer, and what it was asked.
struct Script: Sendable {
    /// Responses for the requests that it fits.
    struct Rule: Sendable {
        let method: HTTPMethod
        let path: String
        let query: [String: String]
        let responses: [ScriptedServer.Response]
        /// Whether the last response is used again and again.
        let lastStays: Bool
        var used = 0

        var hasResponse: Bool { used < responses.count || (lastStays && !responses.isEmpty) }

        /// What is still to be asked for, in words; `nil` when nothing is.
        var shortfall: String? {
            guard used < responses.count else { return nil }
            return responses.count == 1 ? name : "\(name), \(responses.count - used) of \(responses.count) responses"
        }

        var name: String {
            let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(method.rawValue) \(path)" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
        }

        func fits(_ request: HTTPRequest) -> Bool {
            guard method == request.method, let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true),
                Self.segments(path) == Self.segments(parts.percentEncodedPath)
            else { return false }
            let items = parts.queryItems ?? []
            return query.allSatisfy { item in items.contains { $0.name == item.key && $0.value == item.value } }
        }

        /// The parts between slashes, so that `release-helper[bot]` is the same with and without percent-encoding.
        private static func segments(_ path: String) -> [String] {
            path.split(separator: "/", omittingEmptySubsequences: false).map {
                $0.removingPercentEncoding ?? String($0)
            }
        }
    }

    /// Why a request has no response.
    struct Complaint: Error {
        let text: String
    }

    var rules: [Rule] = []
    var requests: [HTTPRequest] = []
    var unexpected: [String] = []
    var isReleased = false

    /// Notes a request and takes the response that is its turn.
    mutating func take(_ request: HTTPRequest) -> Result<ScriptedServer.Response, Complaint> {
        requests.append(request)
        let candidates = rules.indices.filter { rules[$0].hasResponse && rules[$0].fits(request) }
        let best = candidates.max { (rules[$0].query.count, -$0) < (rules[$1].query.count, -$1) }
        guard let index = best else {
            let name = Self.name(of: request)
            unexpected.append(name)
            return .failure(Complaint(text: "\(name) was not expected. \(expectations)"))
        }
        let rule = rules[index]
        rules[index].used += 1
        return .success(rule.responses[min(rule.used, rule.responses.count - 1)])
    }

    private var expectations: String {
        let names = rules.map { $0.hasResponse ? $0.name : "\($0.name) (used up)" }
        return names.isEmpty ? "Nothing is scripted." : "Scripted: \(names.joined(separator: ", "))."
    }

    /// A request in one line, without its host.
    static func name(of request: HTTPRequest) -> String {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        let query = parts?.percentEncodedQuery.map { "?" + $0 } ?? ""
        return "\(request.method.rawValue) \(parts?.percentEncodedPath ?? "")\(query)"
    }
}
