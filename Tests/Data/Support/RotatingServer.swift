import BrowseGitHubDomain
#if os(Linux) || os(macOS)
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestSupport

/// A server that accepts each refresh token once, which invalidates both old tokens.
///
/// Half of the access tokens are about to expire, so that requests with them cause a refresh.
final class RotatingServer: Sendable {
    /// The point at which a process is killed, in the first exchange of a refresh token.
    enum KillPoint: CaseIterable {
        case beforeExchange, beforeResponse, afterResponse, afterSave
    }

    private struct State {
        var random: SeededGenerator
        /// The number of the valid pair.
        var pair = 0
        /// The process that received the pair.
        var holder = ""
        var deadTokenCount = 0
        var killed: String?
        /// The name is that of the process that sends the first exchange.
        var plan: (name: String?, point: KillPoint, kill: @Sendable (_ name: String) -> Void)?
    }

    private let state: Mutex<State>
    private let server: LoopbackServer
    /// Opened when a kill is planned, or none will be; all exchanges wait for it.
    let isReady = LoopbackGate()
    /// Opened when all processes have started; half of the exchanges wait for it.
    let haveAllStarted = LoopbackGate()

    /// - Parameter seed: The seed of the order of events and of lifetimes.
    init(seed: UInt64) throws {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        // Prevents a reference cycle with the server.
        let box = Box()
        server = try LoopbackServer { request in box.owner?.respond(to: request) ?? LoopbackResponse(status: 500) }
        box.owner = self
    }

    private final class Box: Sendable {
        private let reference = Mutex<Weak>(Weak())
        private struct Weak: Sendable { weak var owner: RotatingServer? }

        var owner: RotatingServer? {
            get { reference.withLock { $0.owner } }
            set { reference.withLock { $0.owner = newValue } }
        }
    }

    var origin: String { server.origin }
    var pair: Int { state.withLock { $0.pair } }
    var holder: String { state.withLock { $0.holder } }
    /// The process that was killed.
    var killed: String? { state.withLock { $0.killed } }
    /// The number of invalid refresh tokens received from processes that weren't killed.
    ///
    /// The last request of a killed process can be overtaken by another process that then holds the lock.
    var deadTokenCount: Int { state.withLock { $0.deadTokenCount } }

    /// Returns the credentials of a pair.
    static func credentials(_ pair: Int) throws -> Credentials {
        Credentials(token: try Secret("access-\(pair)-x"), refreshToken: try Secret("refresh-\(pair)-x"))
    }

    /// Kills the process that sends the first exchange, at a given point of it.
    func plan(_ point: KillPoint, kill: @escaping @Sendable (_ name: String) -> Void) {
        state.withLock { $0.plan = (nil, point, kill) }
    }

    private func respond(to request: LoopbackServer.Request) -> LoopbackResponse {
        let name = request.header("User-Agent") ?? ""
        guard request.target == "/login/oauth/access_token" else { return profile(request, name) }
        let waits = state.withLock { Bool.random(using: &$0.random) }
        let step = LoopbackResponse.Step.deferred { [self] in exchange(request, name).steps }
        let gates = waits ? [isReady, haveAllStarted] : [isReady]
        return LoopbackResponse(steps: gates.map { .holdUntil($0) } + [step])
    }

    private func exchange(_ request: LoopbackServer.Request, _ name: String) -> LoopbackResponse {
        state.withLock { if $0.plan?.name == nil { $0.plan?.name = name } }
        killIfPlanned(.beforeExchange, name)
        let form = String(decoding: request.body, as: UTF8.self)
        let lifetime = state.withLock { state -> Int? in
            guard form.contains("refresh_token=refresh-\(state.pair)-x") else {
                if name != state.killed { state.deadTokenCount += 1 }
                return nil
            }
            state.pair += 1
            state.holder = name
            return Bool.random(using: &state.random) ? 80 : 28_800
        }
        guard let lifetime else { return .json(#"{"error":"bad_refresh_token"}"#) }
        let pair = self.pair
        killIfPlanned(.beforeResponse, name)
        var response = LoopbackResponse.json(
            """
            {"access_token":"access-\(pair)-x","refresh_token":"refresh-\(pair)-x","expires_in":\(lifetime),\
            "token_type":"bearer","scope":""}
            """
        )
        response.steps.append(
            .run { [self] in
                guard isPlanned(.afterResponse, name) else { return }
                // At different points of the save. Limited by time: on a busy machine, a thread that yields waits for others.
                let delay = state.withLock { Int.random(in: 0...500, using: &$0.random) }
                let end = ContinuousClock.now + .microseconds(delay)
                while ContinuousClock.now < end {}
                killIfPlanned(.afterResponse, name)
            }
        )
        return response
    }

    private func isPlanned(_ point: KillPoint, _ name: String) -> Bool {
        state.withLock { $0.plan?.name == name && $0.plan?.point == point }
    }

    private func killIfPlanned(_ point: KillPoint, _ name: String) {
        let kill = state.withLock { state -> (@Sendable (_ name: String) -> Void)? in
            guard let plan = state.plan, plan.name == name, plan.point == point else { return nil }
            state.plan = nil
            state.killed = name
            return plan.kill
        }
        kill?(name)
    }

    private func profile(_ request: LoopbackServer.Request, _ name: String) -> LoopbackResponse {
        // A process uses a token once it has saved it.
        if pair > 0, holder == name { killIfPlanned(.afterSave, name) }
        guard request.header("Authorization") == "Bearer access-\(pair)-x" else {
            return GitHubResponses.badCredentials
        }
        return GitHubResponses.good(for: request)
    }
}
#endif
