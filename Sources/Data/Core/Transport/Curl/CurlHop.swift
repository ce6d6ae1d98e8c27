#if canImport(Glibc) && canImport(CBrowseCurl)
/// A request to send: the original or a redirect.
struct CurlHop: Sendable {
    let request: HTTPClient.Request
    let origin: Origin
    let response: PendingResponse
    /// Whether its connection was unusable, so that it's sent once more.
    var isRepeated = false
}
#endif
