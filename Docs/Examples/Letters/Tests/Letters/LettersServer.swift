import BrowseCoreMocks
import Foundation
import Synchronization

/// An OAuth server and its API, which accept each refresh token once.
final class LettersServer: Sendable {
    struct State: Sendable {
        /// The number of the valid pair of tokens.
        var pair = 0
        /// The number of tokens to issue that expire before the next request of `LettersProcess`.
        var shortLivedTokens = 0
        /// The polls of the device flow that are answered with "pending".
        var pendingPolls = 1
        /// The verifier of the challenge in the authorization page's address.
        var verifier = ""
        var deadTokenCount = 0
        var revokedTokens: [String] = []
        /// The number of refreshes.
        var refreshCount = 0
        /// The processes that have sent a request, by user agent.
        var processes: Set<String> = []
    }

    private let state: Mutex<State>
    private let processCount: Int
    private let haveAllStarted = LoopbackGate()
    private let server: LoopbackServer

    /// - Parameter processCount: The number of processes that must have sent a request before tokens are issued.
    init(processCount: Int = 1) throws {
        self.processCount = processCount
        let state = Box()
        self.state = Mutex(State())
        server = try LoopbackServer { request in state.owner?.respond(to: request) ?? LoopbackResponse(status: 500) }
        state.owner = self
    }

    /// Prevents a reference cycle with the server.
    private final class Box: Sendable {
        private let reference = Mutex<Weak>(Weak())
        private struct Weak: Sendable { weak var owner: LettersServer? }

        var owner: LettersServer? {
            get { reference.withLock { $0.owner } }
            set { reference.withLock { $0.owner = newValue } }
        }
    }

    var origin: String { server.origin }
    var current: State { state.withLock { $0 } }

    func change(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    private func respond(to request: LoopbackServer.Request) -> LoopbackResponse {
        let form = Self.form(request)
        let count = state.withLock { state in
            state.processes.insert(request.header("User-Agent") ?? "")
            return state.processes.count
        }
        if count >= processCount { haveAllStarted.open() }
        return switch request.target {
        case "/device/code":
            .json(
                """
                {"device_code":"device-1","user_code":"ABCD-EFGH","verification_uri":"\(origin)/device","expires_in":600,\
                "interval":5}
                """
            )
        case "/token": LoopbackResponse(steps: [.holdUntil(haveAllStarted)] + token(form).steps)
        case "/revoke": revoke(form)
        case "/me": authorized(request, #"{"name":"haneul"}"#)
        case "/drafts": authorized(request, #"["To the sea"]"#)
        default: LoopbackResponse(status: 404)
        }
    }

    private static func form(_ request: LoopbackServer.Request) -> [String: String] {
        var parts = URLComponents()
        parts.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
        return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    private func token(_ form: [String: String]) -> LoopbackResponse {
        state.withLock { state in
            guard form["client_id"] == "letters-app" else { return Self.error("invalid_client", status: 401) }
            switch form["grant_type"] {
            case "authorization_code":
                guard form["code"] == "code-1", form["redirect_uri"] == "letters:/signed-in",
                    form["code_verifier"] == state.verifier
                else { return Self.error("invalid_grant") }
            case "urn:ietf:params:oauth:grant-type:device_code":
                guard form["device_code"] == "device-1" else { return Self.error("invalid_grant") }
                guard state.pendingPolls == 0 else {
                    state.pendingPolls -= 1
                    return Self.error("authorization_pending")
                }
            case "refresh_token":
                guard form["refresh_token"] == "refresh-\(state.pair)" else {
                    state.deadTokenCount += 1
                    return Self.error("invalid_grant")
                }
                state.refreshCount += 1
            default: return Self.error("unsupported_grant_type")
            }
            state.pair += 1
            state.shortLivedTokens -= 1
            return .json(
                """
                {"access_token":"access-\(state.pair)","refresh_token":"refresh-\(state.pair)","token_type":"bearer",\
                "expires_in":\(state.shortLivedTokens >= 0 ? 500 : 28_800),"scope":"read"}
                """
            )
        }
    }

    /// Returns an error of RFC 6749, section 5.2.
    private static func error(_ code: String, status: Int = 400) -> LoopbackResponse {
        .json(#"{"error":"\#(code)"}"#, status: status)
    }

    private func revoke(_ form: [String: String]) -> LoopbackResponse {
        state.withLock { state in
            state.revokedTokens.append(form["token"] ?? "")
            state.pair += 1
        }
        return LoopbackResponse()
    }

    private func authorized(_ request: LoopbackServer.Request, _ body: String) -> LoopbackResponse {
        let isValid = request.header("Authorization") == "Bearer access-\(current.pair)"
        return isValid ? .json(body) : .json("{}", status: 401)
    }
}
