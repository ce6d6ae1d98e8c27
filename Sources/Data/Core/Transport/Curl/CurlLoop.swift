#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Glibc

/// The event loop of a transport, which performs its requests on one thread.
///
/// It isn't `Sendable`: it is created, used, and destroyed on that thread.
final class CurlLoop {
    private let engine: CurlEngine
    private let wakeup: Int32
    private let multi: UnsafeMutableRawPointer
    private let environment: CurlEnvironment
    private var commands: [CurlEngine.Command] = []
    private var queues: [Origin: OriginQueue] = [:]
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// The time at which a loop without requests ends.
    private var idleDeadline: ContinuousClock.Instant
    /// The number of successive failures to wait.
    private var failedWaits: UInt32 = 0
    /// A connection that has no response for a request that timed out, while others use it.
    private weak var silentConnection: CurlEnvironment.Connection?

    /// Creates a loop on the current thread, which owns the descriptor that wakes it.
    init?(engine: CurlEngine, wakeup: Int32) {
        guard let multi = curl_multi_init() else { return nil }
        self.engine = engine
        self.wakeup = wakeup
        self.multi = multi
        environment = CurlEnvironment(options: engine.options)
        idleDeadline = .now + engine.options.idleDuration
        CurlLibrary.register(wakeup: wakeup)
        let connections = max(32, engine.options.connectionsPerHost)
        _ = browse_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    }

    deinit {
        curl_multi_cleanup(multi)
        CurlLibrary.unregister(wakeup: wakeup)
        close(wakeup)
    }

    /// Performs requests until the transport is released or has been idle for
    /// ``CurlOptions/idleDuration``.
    func run() {
        while true {
            CurlLibrary.parkIfExiting(wakeup: wakeup)
            takeCommands()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            let hasNewTransfers = finishEnded()
            if hasNewTransfers { continue }
            let isIdle = transfers.isEmpty && (engine.isClosed || ContinuousClock.now >= idleDeadline)
            if isIdle, engine.stopIfIdle() { return }
            wait()
        }
    }

    /// Waits for activity on a connection, a command, or the end of an idle loop.
    private func wait() {
        // Rounded up, since a wait that ends too early is repeated. With transfers, a second as in
        // the curl tool: before 8.16, libcurl has no timer for the next address of a host.
        let milliseconds =
            transfers.isEmpty ? ContinuousClock.now.duration(to: idleDeadline) / .milliseconds(1) + 1 : 1000
        var isSignaled: Int32 = 0
        let code = browse_curl_poll(multi, wakeup, Int32(milliseconds.clamped(to: 0...60_000)), &isSignaled)
        if isSignaled != 0 { browse_event_clear(wakeup) }
        if code == CURLM_OK { failedWaits = 0 } else { backOff(code) }
    }

    /// Pauses after a failure to wait, and fails all requests after about a second.
    ///
    /// Each pause is twice as long as the previous one. Waiting fails for example while more
    /// descriptors are open than the process may have.
    private func backOff(_ code: CURLMcode) {
        guard failedWaits < 10 else { return failAll(code) }
        usleep(1000 << failedWaits)
        failedWaits += 1
    }

    private func failAll(_ code: CURLMcode) {
        failedWaits = 0
        let hops = transfers.values.map(\.hop) + queues.values.flatMap(\.waiting)
        for hop in hops {
            hop.response.resolve(.failure(BrowseError(curlMultiCode: code, request: hop.request.info)))
            cancel(hop.response)
        }
    }

    // MARK: Commands

    private func takeCommands() {
        engine.takeCommands(into: &commands)
        for command in commands {
            switch command {
            case .start(let hop):
                queues[hop.origin, default: OriginQueue()].waiting.append(hop)
                admit(to: hop.origin)
            case .cancel(let response):
                cancel(response)
            }
        }
        commands.removeAll(keepingCapacity: commands.capacity <= 64)
    }

    /// Cancels the transfer of a request that has failed.
    private func cancel(_ response: PendingResponse) {
        guard let transfer = transfers[ObjectIdentifier(response)] else { return }
        // Removing a transfer during a lookup would block the loop until the lookup ends (curl
        // issue 8515).
        guard !transfer.abandonLookup() else { return }
        let isSilent = if case .failure(.timedOut) = response.resolved { transfer.hasSilentConnection } else { false }
        transfer.prepareForRemoval(closesConnection: isSilent)
        remove(transfer)
        if CurlLibrary.delaysResets, transfer.hop.origin.scheme == "https" {
            for other in transfers.values where other.hop.origin == transfer.hop.origin { other.flushConnection() }
        }
        if isSilent, transfer.connection.map({ $0.users > 1 }) == true { silentConnection = transfer.connection }
        admit(to: transfer.hop.origin)
    }

    // MARK: Transfers

    /// Starts an origin's waiting requests up to the limit; returns whether any was started.
    @discardableResult
    private func admit(to origin: Origin) -> Bool {
        guard var queue = queues[origin] else { return false }
        var hasStarted = false
        while queue.active < engine.options.connectionsPerHost, !queue.waiting.isEmpty {
            let hop = queue.waiting.removeFirst()
            guard hop.response.resolved == nil, start(hop) else { continue }
            queue.active += 1
            hasStarted = true
        }
        queues[origin] = queue.active == 0 ? nil : queue
        return hasStarted
    }

    private func start(_ hop: CurlHop) -> Bool {
        // libcurl doesn't close a connection that other streams use, and would send later requests
        // on it.
        let sharing = silentConnection == nil ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING
        _ = browse_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(sharing))
        guard let transfer = CurlTransfer(hop, in: environment),
            curl_multi_add_handle(multi, transfer.easy) == CURLM_OK
        else {
            hop.response.resolve(.failure(BrowseError(curlCode: CURLE_FAILED_INIT, request: hop.request.info)))
            return false
        }
        transfers[ObjectIdentifier(hop.response)] = transfer
        return true
    }

    private func remove(_ transfer: CurlTransfer) {
        curl_multi_remove_handle(multi, transfer.easy)
        transfers[ObjectIdentifier(transfer.hop.response)] = nil
        queues[transfer.hop.origin]?.active -= 1
        if transfers.isEmpty { idleDeadline = .now + engine.options.idleDuration }
    }

    /// Delivers the results of ended transfers; returns whether waiting requests were started.
    private func finishEnded() -> Bool {
        var hasStarted = false
        var code = CURLE_OK
        while let easy = browse_curl_next_ended(multi, &code) {
            guard let transfer = CurlTransfer.of(easy) else { continue }
            let outcome = transfer.outcome(of: code)
            remove(transfer)
            if let outcome {
                transfer.hop.response.resolve(outcome)
            } else {
                let repeated = modified(transfer.hop) { $0.isRepeated = true }
                queues[repeated.origin]?.waiting.insert(repeated, at: 0)
            }
            if admit(to: transfer.hop.origin) { hasStarted = true }
        }
        return hasStarted
    }
}

/// An origin's waiting hops, and the number of its hops in flight.
private struct OriginQueue {
    var active = 0
    var waiting: [CurlHop] = []
}
#endif
