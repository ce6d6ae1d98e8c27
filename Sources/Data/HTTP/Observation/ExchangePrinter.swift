import BrowseDomain
import Foundation

/// Prints what happens to requests, a line for each event.
public struct ExchangePrinter: HTTPObserver {
    private let print: @Sendable (String) -> Void

    /// Creates a printer.
    ///
    /// - Parameter print: Takes each line, from any task; unless given, it goes to the standard output.
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
        case .joined: "joins an equal request"
        case .cache(let decision): "cache: \(decision)"
        case .waiting(.lane): "waits for a turn"
        case .waiting(.budget(nil)): "waits for a budget"
        case .waiting(.budget(let date?)): "waits for a budget until \(date.formatted(.iso8601))"
        case .sent(let request): "→ \(request.method) \(request.address)"
        case .received(let response): "← \(response.status), \(response.bodyBytes) bytes"
        case .failed(let error): "← \(error)"
        case .retrying(let attempt, let wait): "attempt \(attempt) follows after \(wait)"
        case .ended(.answered(let provenance)): "done, \(provenance)"
        case .ended(.failed(let error)): "failed: \(error)"
        }
    }
}

extension HTTPEvent.CacheDecision: CustomStringConvertible {
    /// The decision in a few words.
    public var description: String {
        switch self {
        case .missed: "nothing kept"
        case .asked(let date): "kept since \(date.formatted(.iso8601)), asks for changes"
        case .answered(let provenance): "answers, \(provenance)"
        case .kept(let bytes): "keeps \(bytes) bytes"
        case .dropped: "drops what was kept"
        }
    }
}
