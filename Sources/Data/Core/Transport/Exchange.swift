package import BrowseDomain
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in flight in a `URLSession`, and its partial response.
final class Exchange: Sendable {
    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
    }

    private let request: HTTPClient.Request
    private let response: PendingResponse
    private let state = Mutex(State())

    init(request: HTTPClient.Request, response: PendingResponse) {
        self.request = request
        self.response = response
    }

    /// Receives the status and header; fails if the announced length exceeds the limit.
    func receive(_ head: HTTPURLResponse) {
        guard head.expectedContentLength <= Int64(request.limits.bodyBytes) else { return failTooLarge() }
        state.withLock { state in
            guard response.resolved == nil else { return }
            state.head = head
            state.body = Data()
            if head.expectedContentLength > 0 { state.body.reserveCapacity(Int(clamping: head.expectedContentLength)) }
        }
    }

    /// Receives a part of the body; fails if the body exceeds the limit.
    func receive(_ part: Data) {
        let isWithinLimit = state.withLock { state in
            guard response.resolved == nil else { return true }
            guard state.body.count + part.count <= request.limits.bodyBytes else { return false }
            state.body.append(part)
            return true
        }
        if !isWithinLimit { failTooLarge() }
    }

    /// Receives the end of the transfer.
    func complete(with error: (any Error)?) {
        guard self.response.resolved == nil else { return }
        let (head, body) = state.withLock { state in (state.head, state.body) }
        // A redirect or a 404 is one without its body, too.
        let isUndecodable = [.cannotDecodeContentData, .cannotDecodeRawData].contains((error as? URLError)?.code)
        let hasNoBody = isUndecodable && head.map { !(200..<300).contains($0.statusCode) } == true
        guard let head, error == nil || hasNoBody else {
            let failure = BrowseError(transferError: error, hadResponse: head != nil, request: request.info)
            self.response.resolve(.failure(failure))
            return
        }
        let response = HTTPClient.Response(
            status: head.statusCode,
            headers: HTTPHeaders(head),
            body: hasNoBody ? Data() : body,
            url: head.url ?? request.url
        )
        self.response.resolve(.success(response))
    }

    private func failTooLarge() {
        response.resolve(.failure(.unusableResponse(.tooLarge(limit: request.limits.bodyBytes), request.info)))
        state.withLock { $0.body = Data() }
    }
}

extension HTTPHeaders {
    fileprivate init(_ head: HTTPURLResponse) {
        self.init()
        for (name, value) in head.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            self[name] = HTTPHeaders.sanitized(value.utf8)
        }
    }
}

extension BrowseError {
    /// Creates the error for a transfer that ended without a usable response.
    package init(transferError error: (any Error)?, hadResponse: Bool, request: RequestInfo) {
        let error = error.map { $0 as NSError }
        let code = error?.domain == NSURLErrorDomain ? error.map { URLError.Code(rawValue: $0.code) } : nil
        self =
            switch code {
            case .timedOut: .timedOut(request)
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
                .unreachable(.offline, request)
            case .cannotFindHost, .dnsLookupFailed: .unreachable(.hostNotFound, request)
            case .cannotConnectToHost: .unreachable(.connectionRefused, request)
            // A caller's cancellation has ended the wait before, so this one is the system's. A bad
            // connection can also end as a response that can't be parsed.
            case .networkConnectionLost, .cancelled, .cannotParseResponse: .unreachable(.connectionLost, request)
            // The end of a handshake, by Secure Transport's numbers, says nothing about
            // certificates.
            case .secureConnectionFailed
            where [-9805, -9806, -9816].contains(error?.userInfo["_kCFStreamErrorCodeKey"] as? Int):
                .unreachable(.connectionLost, request)
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .unreachable(.notSecure(detail: Self.detail(of: error)), request)
            // A proxy that refuses the credentials, or the connection.
            case _ where error?.domain == "kCFErrorDomainCFNetwork" && [307, 310, 311].contains(error?.code):
                .unreachable(.intercepted, request)
            // A proxy that can't be reached.
            case _ where error?.domain == "kCFErrorDomainCFNetwork" && error?.code == 306:
                .unreachable(.connectionRefused, request)
            case _ where hadResponse || error?.domain == NSPOSIXErrorDomain: .unreachable(.connectionLost, request)
            default: .unreachable(.other(code: error?.code ?? 0, detail: Self.detail(of: error)), request)
            }
    }

    private static func detail(of error: NSError?) -> String {
        error.map { ShownText.words($0.localizedDescription, limit: 300) } ?? "no response and no error"
    }
}
