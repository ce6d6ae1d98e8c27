import BrowseDomain
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in flight in a `URLSession`: its partial response and its waiting caller.
///
/// The first outcome wins. A failure is final: redirects that would follow fail with it, too.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, BrowseError>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var head: HTTPURLResponse?
        var body = Data()
        var version: String?
        var failure: BrowseError?
    }

    private let request: HTTPRequest
    private let state = Mutex(State())

    init(request: HTTPRequest) {
        self.request = request
    }

    /// Registers the caller for the next response; returns `false`, and resumes it, after a failure.
    func begin(_ waiter: CheckedContinuation<Outcome, Never>) -> Bool {
        let failure = state.withLock { state -> BrowseError? in
            guard state.failure == nil else { return state.failure }
            state = State(waiter: waiter)
            return nil
        }
        guard let failure else { return true }
        waiter.resume(returning: .failure(failure))
        return false
    }

    func fail(with error: BrowseError) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.failure == nil else { return nil }
            state.failure = error
            state.body = Data()
            return state.waiter.take()
        }
        waiter?.resume(returning: .failure(error))
    }

    /// Receives the status and header; fails if the announced length exceeds the limit.
    func receive(_ head: HTTPURLResponse) {
        guard head.expectedContentLength <= Int64(request.limits.bodyBytes) else { return failTooLarge() }
        state.withLock { state in
            guard state.waiter != nil else { return }
            state.head = head
            state.body = Data()
            if head.expectedContentLength > 0 { state.body.reserveCapacity(Int(clamping: head.expectedContentLength)) }
        }
    }

    /// Receives the status and header at the end of the transfer, unless they were received before.
    func receiveUnreported(_ head: HTTPURLResponse) {
        state.withLock { state in
            guard state.waiter != nil, state.head == nil else { return }
            state.head = head
        }
    }

    /// Receives a part of the body; fails if the body exceeds the limit.
    func receive(_ part: Data) {
        let isWithinLimit = state.withLock { state in
            guard state.waiter != nil else { return true }
            guard state.body.count + part.count <= request.limits.bodyBytes else { return false }
            state.body.append(part)
            return true
        }
        if !isWithinLimit { failTooLarge() }
    }

    /// Receives the identifier of the protocol, such as `h2` (RFC 7301); before the end of the transfer.
    func receive(protocolNamed name: String) {
        let version: String? =
            switch name {
            case "http/1.0": "HTTP/1.0"
            case "http/1.1": "HTTP/1.1"
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: nil
            }
        state.withLock { $0.version = version }
    }

    /// Receives the end of the transfer.
    ///
    /// - Parameter isRefusedChallenge: Whether the transfer was canceled because the server requested credentials. The 401 and
    ///   the body received before that are the response.
    func complete(with error: (any Error)?, isRefusedChallenge: Bool) {
        let ending = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
            guard let waiter = state.waiter.take() else { return nil }
            guard let head = state.head, error == nil || isRefusedChallenge else {
                let failure = BrowseError(transferError: error, hadResponse: state.head != nil, request: request.info)
                state.failure = failure
                return (waiter, .failure(failure))
            }
            var response = HTTPResponse(
                status: head.statusCode,
                headers: HTTPHeaders(head),
                body: state.body,
                url: head.url ?? request.url
            )
            response.version = state.version
            return (waiter, .success(response))
        }
        if let (waiter, outcome) = ending { waiter.resume(returning: outcome) }
    }

    private func failTooLarge() {
        fail(with: .unusableResponse(.tooLarge(limit: request.limits.bodyBytes), request.info))
    }
}

extension HTTPHeaders {
    fileprivate init(_ head: HTTPURLResponse) {
        self.init()
        let fields = head.allHeaderFields
        reserveCapacity(fields.count)
        for (name, value) in fields {
            guard let name = name as? String, let value = value as? String else { continue }
            self[name] = HTTPHeaders.sanitized(value.utf8)
        }
    }
}

extension BrowseError {
    /// Creates the error for a transfer that ended without a usable response.
    ///
    /// On Linux, Foundation reports a connection that closes during the body as `.unknown`, and one that closes before the
    /// first byte as `.badServerResponse`, so the error depends on the received bytes, too.
    init(transferError error: (any Error)?, hadResponse: Bool, request: RequestInfo) {
        let error = error.map { $0 as NSError }
        let code = error?.domain == NSURLErrorDomain ? error.map { URLError.Code(rawValue: $0.code) } : nil
        switch code {
        case .cancelled:
            self = .cancelled
        case .timedOut:
            self = .timedOut(request)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            self = .unreachable(.offline, request)
        case .cannotFindHost, .dnsLookupFailed:
            self = .unreachable(.hostNotFound, request)
        case .cannotConnectToHost:
            self = .unreachable(.connectionRefused, request)
        case .networkConnectionLost:
            self = .unreachable(.connectionLost, request)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .unreachable(.notSecure(detail: Self.detail(of: error)), request)
        case _ where hadResponse || (code == .badServerResponse && Self.isLinux):
            self = .unreachable(.connectionLost, request)
        case .unknown where Self.isLinux && (error?.localizedDescription).map(Self.isAboutSecurity) == true:
            self = .unreachable(.notSecure(detail: Self.detail(of: error)), request)
        default:
            self = .unreachable(.other(code: error?.code ?? 0, detail: Self.detail(of: error)), request)
        }
    }

    private static func detail(of error: NSError?) -> String {
        error.map { Excerpt.masking($0.localizedDescription, limit: 300) } ?? "no response and no error"
    }

    /// Whether libcurl's text describes a security failure, for which Foundation on Linux has no code.
    private static func isAboutSecurity(_ text: String) -> Bool {
        text.contains("SSL") || text.contains("TLS")
    }

    private static var isLinux: Bool {
        #if canImport(FoundationNetworking)
        true
        #else
        false
        #endif
    }
}
