import BrowseDomain
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is known of one request while it is on its way: the response so far, and who waits for it.
///
/// The first ending counts; whatever comes after it is dropped. An ending by failure stays, so that it also ends the
/// redirects that would have followed.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, BrowseError>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var head: HTTPURLResponse?
        var body = Data()
        var failure: BrowseError?
    }

    private let request: HTTPRequest
    private let state = Mutex(State())

    init(request: HTTPRequest) {
        self.request = request
    }

    /// Waits for the next response; `false` when the exchange has failed before, and the waiter was told so.
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

    /// Ends the exchange, unless it has ended.
    func fail(with error: BrowseError) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.failure == nil else { return nil }
            state.failure = error
            state.body = Data()
            return state.waiter.take()
        }
        waiter?.resume(returning: .failure(error))
    }

    /// Takes the status line and header; a body that is announced as too large is refused here.
    func receive(_ head: HTTPURLResponse) {
        guard head.expectedContentLength <= Int64(request.limits.bodyBytes) else { return failTooLarge() }
        state.withLock { state in
            guard state.waiter != nil else { return }
            state.head = head
            state.body = Data()
            if head.expectedContentLength > 0 { state.body.reserveCapacity(Int(clamping: head.expectedContentLength)) }
        }
    }

    /// Takes the status line and header at the end of the transfer, unless they came before.
    func receiveUnreported(_ head: HTTPURLResponse) {
        state.withLock { state in
            guard state.waiter != nil, state.head == nil else { return }
            state.head = head
        }
    }

    /// Takes a part of the body and counts it.
    func receive(_ part: Data) {
        let isWithinLimit = state.withLock { state in
            guard state.waiter != nil else { return true }
            guard state.body.count + part.count <= request.limits.bodyBytes else { return false }
            state.body.append(part)
            return true
        }
        if !isWithinLimit { failTooLarge() }
    }

    /// Takes the end of the transfer.
    ///
    /// - Parameter isRefusedChallenge: The transfer was ended by us because the server asked for credentials; what came
    ///   before that, a 401 with its body, is the response.
    func complete(with error: (any Error)?, isRefusedChallenge: Bool) {
        let ending = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
            guard let waiter = state.waiter.take() else { return nil }
            guard let head = state.head, error == nil || isRefusedChallenge else {
                let failure = BrowseError(transferError: error, hadResponse: state.head != nil, request: request.info)
                state.failure = failure
                return (waiter, .failure(failure))
            }
            let response = HTTPResponse(
                status: head.statusCode,
                headers: HTTPHeaders(head),
                body: state.body,
                url: head.url ?? request.url
            )
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
            self[name] = HTTPHeaders.text(ofReceived: value.utf8)
        }
    }
}

extension BrowseError {
    /// The error for a transfer that ended without a usable response.
    ///
    /// Linux reports a connection cut in the middle of a body as `.unknown`, so what arrived decides what it means; and one
    /// that was closed before the first byte as `.badServerResponse`.
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

    /// Whether a text of libcurl's tells of a certificate or handshake that was refused; Linux gives no code for these.
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
