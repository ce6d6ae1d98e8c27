public import BrowseData
public import BrowseDomain
import Foundation
import Synchronization

/// A transport that records the exchanges of another transport.
///
/// ```swift
/// let recorder = RecordingTransport(over: HTTPClient.makeTransport())
/// let container = Container.production(on: recorder, services: services)
/// // Use the container, then:
/// try recorder.recording.write(to: folder)
/// ```
///
/// Record with an empty cache, so that no response is a 304 without a body. Canceled requests
/// aren't recorded.
public final class RecordingTransport: HTTPTransport {
    private struct State {
        /// With secrets, in the order of their requests; `nil` while a request is in flight.
        var exchanges: [Recording.Exchange?] = []
        var completed = 0
    }

    private let transport: any HTTPTransport
    private let rules: RecordingRules
    private let key: String
    private let state = Mutex(State())

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that performs requests.
    ///   - rules: The rules for secrets and header fields.
    public convenience init(over transport: any HTTPTransport, rules: RecordingRules = RecordingRules()) {
        self.init(over: transport, rules: rules, key: RecordingSecrets.randomKey())
    }

    init(over transport: any HTTPTransport, rules: RecordingRules, key: String) {
        self.transport = transport
        self.rules = rules
        self.key = key
    }

    /// The completed exchanges so far, without secrets.
    public var recording: Recording {
        Recording(exchanges: rules.cleaned(state.withLock { $0.exchanges }.compactMap(\.self), key: key))
    }

    /// Performs a request, and records its response or connection failure.
    public func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        let index = state.withLock { state in
            state.exchanges.append(nil)
            return state.exchanges.count - 1
        }
        do throws(BrowseError) {
            let response = try await transport.send(request)
            let url = response.url == request.url ? nil : response.url
            var headers = response.headers
            headers.declareCredentials(request.headers.declaredCredentials)
            record(
                .response(.init(status: response.status, headers: headers, body: response.body, url: url)),
                of: request,
                at: index
            )
            return response
        } catch {
            if let code = error.connectionFailure { record(.failure(code), of: request, at: index) }
            throw error
        }
    }

    private func record(_ outcome: Recording.Exchange.Outcome, of request: HTTPClient.Request, at index: Int) {
        state.withLock { state in
            state.completed += 1
            state.exchanges[index] = Recording.Exchange(
                method: request.method,
                url: request.url,
                headers: request.headers,
                body: request.body,
                outcome: outcome,
                completion: state.completed
            )
        }
    }
}

extension BrowseError {
    /// The `URLError` code of a connection failure; `nil` for other failures.
    fileprivate var connectionFailure: URLError.Code? {
        switch self {
        case .timedOut: .timedOut
        case .unreachable(.offline, _): .notConnectedToInternet
        case .unreachable(.hostNotFound, _): .cannotFindHost
        case .unreachable(.connectionRefused, _): .cannotConnectToHost
        case .unreachable(.connectionLost, _): .networkConnectionLost
        case .unreachable(.notSecure, _): .secureConnectionFailed
        case .unreachable(.other(let code, _), _): .numbered(code)
        default: nil
        }
    }
}

extension URLError.Code {
    /// The code of a number; on Linux, `unknown` for a number that Foundation doesn't have.
    static func numbered(_ number: Int) -> URLError.Code {
        let code: URLError.Code? = URLError.Code(rawValue: number)
        return code ?? .unknown
    }
}
