#if canImport(Glibc) && canImport(CBrowseCurl)
/// A request of a call: the original or a redirect.
struct CurlHop: Sendable {
    let request: HTTPClient.Request
    let origin: Origin
    let call: PendingCall
    /// Whether the hop needs a new connection.
    var needsNewConnection: Bool

    init(_ request: HTTPClient.Request, to origin: Origin, of call: PendingCall) {
        self.request = request
        self.origin = origin
        self.call = call
        // When a reused connection closes before a response begins, libcurl repeats the request, whatever its method.
        needsNewConnection = !request.isSafeToRepeat
    }
}
#endif
