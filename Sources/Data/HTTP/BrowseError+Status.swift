import BrowseDomain

extension BrowseError {
    /// What a status other than success means, as far as RFC 9110 says so; a service that means something else by one says
    /// that first.
    ///
    /// A 429 alone tells no time to wait until, so the service makes it a limit; it is refused here.
    init(status: Int, request: RequestInfo) {
        switch status {
        case 401: self = .unauthorized(request)
        case 403: self = .forbidden(request)
        case 404, 410: self = .notFound(request)
        case 400..<500: self = .rejected(request)
        case 500..<600: self = .serverFailure(request)
        default: self = .unusableReply(.status, request)
        }
    }
}
