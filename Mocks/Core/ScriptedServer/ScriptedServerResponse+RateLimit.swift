import BrowseData
public import Foundation

extension ScriptedServer.Response {
    /// The response when a client has used up its rate limit: 429 with `Retry-After` (RFC 6585,
    /// section 4).
    ///
    /// - Parameters:
    ///   - end: The end of the limit.
    ///   - now: The current time, with which `Retry-After` is calculated; `nil` is that of the
    ///     container when the response is sent, and the real time outside of a container, and for
    ///     sessions and listeners.
    public static func rateLimited(until end: Date, now: Date? = nil) -> ScriptedServer.Response {
        .computed { _ in
            let wait = end.secondsLeft(from: now ?? InProcessTransport.time.now())
            return .status(429, headers: ["Retry-After": "\(wait)"])
        }
    }
}
