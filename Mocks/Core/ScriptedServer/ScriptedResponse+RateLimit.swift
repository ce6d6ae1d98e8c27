import BrowseData
public import Foundation

extension ScriptedServer.Response {
    /// The response when a client has used up its rate limit: 429 with `Retry-After` (RFC 6585,
    /// section 4).
    ///
    /// - Parameters:
    ///   - end: The end of the limit.
    ///   - now: The current time, with which `Retry-After` is calculated.
    public static func rateLimited(until end: Date, now: Date = Date()) -> ScriptedServer.Response {
        .status(429, headers: ["Retry-After": "\(end.secondsLeft(from: now))"])
    }
}
