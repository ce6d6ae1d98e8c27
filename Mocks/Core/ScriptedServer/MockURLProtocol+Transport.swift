public import BrowseData
import BrowseDomain
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MockURLProtocol.Registration {
    /// Creates a registration that answers with a transport, for an app's own sessions.
    ///
    /// For example, replay a recording, or record what a session sends:
    ///
    /// ```swift
    /// let mock = MockURLProtocol.Registration(ReplayingTransport(recording))
    /// let session = URLSession(configuration: mock.sessionConfiguration())
    /// ```
    public convenience init(_ transport: any HTTPTransport) {
        let scope = TestScope.current
        self.init(
            { request in
                var request = request
                request.endpoint = "\(request.method.rawValue) \(request.url.path())"
                do throws(BrowseError) { return .success(try await transport.send(request)) } catch {
                    return .failure(URLError(error))
                }
            },
            reportUnsupported: { scope?.record(HTTPMethod.unsupported($0)) }
        )
    }
}

extension URLError {
    /// The error that a session would report.
    fileprivate init(_ error: BrowseError) {
        let code: Code =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .unreachable(.offline, _): .notConnectedToInternet
            case .unreachable(.hostNotFound, _): .cannotFindHost
            case .unreachable(.connectionRefused, _): .cannotConnectToHost
            case .unreachable(.connectionLost, _): .networkConnectionLost
            case .unreachable(.notSecure, _): .secureConnectionFailed
            case .unreachable(.notCached, _), .unreachable(.intercepted, _): .resourceUnavailable
            case .unreachable(.other(let code, _), _): Self.code(code)
            default: .badServerResponse
            }
        self.init(code, saying: "\(error)")
    }

    /// The code with a number, which only Linux doesn't have for every number.
    private static func code(_ number: Int) -> Code {
        let code: Code? = Code(rawValue: number)
        return code ?? .unknown
    }
}
