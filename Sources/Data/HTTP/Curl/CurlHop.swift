#if canImport(Glibc) && canImport(CBrowseCurl)
/// One request of a call, redirects being requests of their own.
struct CurlHop: Sendable {
    let request: HTTPRequest
    let origin: Origin
    let call: CurlCall
    /// Whether it must not use a connection that was used before.
    var needsNewConnection: Bool

    /// Creates a hop of a request to an origin.
    init(_ request: HTTPRequest, to origin: Origin, of call: CurlCall) {
        self.request = request
        self.origin = origin
        self.call = call
        // When a used connection closes before a response begins, libcurl sends the request again, whatever its method.
        needsNewConnection = !request.isSafeToRepeat
    }
}
#endif
