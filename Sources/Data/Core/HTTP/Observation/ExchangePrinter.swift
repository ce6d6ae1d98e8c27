import BrowseDomain
import Foundation

/// An observer that prints a line for each event.
public struct ExchangePrinter: HTTPObserver {
    private let print: @Sendable (String) -> Void

    /// Creates a printer.
    ///
    /// - Parameter print: Receives each line, from any task; by default, prints to standard output.
    public init(print: @escaping @Sendable (String) -> Void = { Swift.print($0) }) {
        self.print = print
    }

    /// Prints an event.
    public func observe(_ event: HTTPEvent) {
        let time = event.date.formatted(.iso8601.time(includingFractionalSeconds: true))
        print("\(time) #\(event.exchange) \(event.description)")
    }
}

extension HTTPEvent: CustomStringConvertible {
    /// The event in one line.
    public var description: String {
        switch kind {
        case .began: endpoint
        case .joined: "shares an equal request in flight"
        case .cache(let decision): "cache: \(decision)"
        case .waiting(.slot): "waits for a free slot"
        case .sent(let request): "→ \(request.method) \(request.url)"
        case .received(let response): "← \(response.status), \(response.bodyBytes) bytes"
        case .failed(let error): "← \(error.brief)"
        case .retrying(let attempt, let wait):
            "attempt \(attempt) follows after \(Int64((wait / .milliseconds(1)).rounded())) ms"
        case .ended(.succeeded(let provenance)): "done, \(provenance)"
        case .ended(.failed(let error)): "failed: \(error.brief)"
        }
    }
}

extension BrowseError {
    /// The error in a few words, without the request, which other lines show.
    fileprivate var brief: String {
        switch self {
        case .cancelled: "cancelled"
        case .unreachable(let reason, _): "unreachable, \(reason)"
        case .timedOut: "timed out"
        case .rateLimited(let limit, _): "rate limited until \(limit.retryAt.formatted(.iso8601))"
        case .unauthorized(let info): info.brief("unauthorized")
        case .forbidden(let info): info.brief("forbidden")
        case .notFound(let info): info.brief("not found")
        case .rejected(let info): info.brief("rejected")
        case .serverFailure(let info): info.brief("server failure")
        case .unusableResponse(let reason, _): "unusable response, \(reason)"
        case .refused(let reason, _): "refused, \(reason)"
        case .storageFailed(let failure): "storage failed, \(failure.reason)"
        case .signInFailed(let failure): "sign-in failed, \(failure)"
        }
    }
}

extension BrowseError.RequestInfo {
    fileprivate func brief(_ name: String) -> String {
        [name, status.map(String.init), serverMessage].compactMap(\.self).joined(separator: ", ")
    }
}

extension HTTPEvent.CacheDecision: CustomStringConvertible {
    /// The decision in a few words.
    public var description: String {
        switch self {
        case .missed: "miss"
        case .revalidating(let date): "revalidates the response of \(date.formatted(.iso8601))"
        case .answered(let provenance): "hit, \(provenance)"
        case .stored(let bytes): "stored \(bytes) bytes"
        case .discarded: "discarded a response"
        }
    }
}
