#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Glibc

/// Performs requests on one thread: the connections of a transport and the requests that use or await them.
///
/// It isn't `Sendable`: it is created, used, and destroyed on its thread.
final class CurlLoop {
    /// How long a loop without requests keeps its connections.
    private static let idleDuration = Duration.seconds(30)

    private let engine: CurlEngine
    private let wakeup: Int32
    private let id: Int
    private let multi: UnsafeMutableRawPointer
    private let environment: CurlEnvironment
    private var orders: [CurlEngine.Order] = []
    private var lanes: [Origin: CurlLane] = [:]
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// No deadline is earlier than this.
    private var nextDeadline: ContinuousClock.Instant?
    /// When the loop ends unless there is a request.
    private var idleDeadline = ContinuousClock.now + idleDuration

    /// Creates a loop on the current thread; it closes the descriptor that wakes it.
    init?(engine: CurlEngine, wakeup: Int32) {
        guard let multi = curl_multi_init() else { return nil }
        self.engine = engine
        self.wakeup = wakeup
        self.multi = multi
        environment = CurlEnvironment(options: engine.options)
        id = CurlLibrary.register(wakeup: wakeup)
        let connections = max(32, engine.options.connectionsPerHost)
        _ = browse_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    }

    deinit {
        curl_multi_cleanup(multi)
        CurlLibrary.unregister(id)
        close(wakeup)
    }

    /// Performs requests until the transport is closed or has been idle for a while.
    func run() {
        while true {
            CurlLibrary.parkIfExiting(id)
            takeOrders()
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            let hasNewTransfers = finishEnded()
            expire()
            if hasNewTransfers { continue }
            if shouldStop, engine.stopIfIdle() { return }
            wait()
        }
    }

    private var shouldStop: Bool {
        transfers.isEmpty && (engine.isClosed || ContinuousClock.now >= idleDeadline)
    }

    /// Waits until a connection, an order, or a deadline needs attention.
    private func wait() {
        let ends = [nextDeadline, transfers.isEmpty ? idleDeadline : nil].compactMap(\.self)
        // Rounded up, since a wait that ends too early would only be repeated.
        let milliseconds = ends.min().map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) + 1 } ?? 60_000
        var isSignaled: Int32 = 0
        _ = browse_curl_poll(multi, wakeup, Int32(min(max(0, milliseconds), 60_000)), &isSignaled)
        if isSignaled != 0 { browse_event_clear(wakeup) }
    }

    // MARK: Orders

    private func takeOrders() {
        engine.takeOrders(into: &orders)
        for order in orders {
            switch order {
            case .start(let hop):
                lane(to: hop.origin).append(hop)
                if let deadline = hop.call.deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
                admit(to: hop.origin)
            case .cancel(let call):
                giveUp(call)
            }
        }
        orders.removeAll(keepingCapacity: orders.capacity <= 64)
    }

    /// Stops working for a call that has failed.
    private func giveUp(_ call: CurlCall) {
        guard let transfer = transfers[ObjectIdentifier(call)] else { return }
        // Removing a transfer during a lookup would block the loop until the lookup ends (curl issue 8515).
        guard !transfer.isResolving else { return transfer.isAbandoned = true }
        transfer.prepareToBeRemoved()
        remove(transfer)
        if CurlLibrary.delaysResets, transfer.hop.origin.scheme == "https" {
            for other in transfers.values where other.hop.origin == transfer.hop.origin { other.flushConnection() }
        }
        admit(to: transfer.hop.origin)
    }

    // MARK: Transfers

    private func lane(to origin: Origin) -> CurlLane {
        if let lane = lanes[origin] { return lane }
        let lane = CurlLane()
        lanes[origin] = lane
        return lane
    }

    /// Starts waiting requests of an origin while it has free connections; returns whether there were any.
    @discardableResult
    private func admit(to origin: Origin) -> Bool {
        guard let lane = lanes[origin] else { return false }
        var hasStarted = false
        while lane.active < engine.options.connectionsPerHost, let hop = lane.popFirst() {
            guard !hop.call.hasFailed, start(hop) else { continue }
            lane.active += 1
            hasStarted = true
        }
        if lane.active == 0 { lanes[origin] = nil }
        return hasStarted
    }

    private func start(_ hop: CurlHop) -> Bool {
        guard let transfer = CurlTransfer(hop, in: environment),
            curl_multi_add_handle(multi, transfer.easy) == CURLM_OK
        else {
            hop.call.finish(with: .failure(BrowseError(curlCode: CURLE_FAILED_INIT, request: hop.request.info)))
            return false
        }
        transfers[ObjectIdentifier(hop.call)] = transfer
        return true
    }

    private func remove(_ transfer: CurlTransfer) {
        curl_multi_remove_handle(multi, transfer.easy)
        transfers[ObjectIdentifier(transfer.hop.call)] = nil
        lanes[transfer.hop.origin]?.active -= 1
        if transfers.isEmpty { idleDeadline = ContinuousClock.now + Self.idleDuration }
    }

    /// Delivers what has ended; returns whether other requests started in its place.
    private func finishEnded() -> Bool {
        var hasStarted = false
        var code = CURLE_OK
        while let easy = browse_curl_next_ended(multi, &code) {
            guard let transfer = CurlTransfer.of(easy) else { continue }
            let end = transfer.end(with: code)
            remove(transfer)
            switch end {
            case .outcome(let outcome):
                transfer.hop.call.finish(with: outcome)
            case .repeatOnNewConnection(let hop):
                lanes[hop.origin]?.prepend(hop)
            }
            if admit(to: transfer.hop.origin) { hasStarted = true }
        }
        return hasStarted
    }

    // MARK: Time limits

    /// Fails the calls whose time is up.
    private func expire() {
        guard let nextDeadline, ContinuousClock.now >= nextDeadline else { return }
        let now = ContinuousClock.now
        let hops = transfers.values.map(\.hop) + lanes.values.flatMap(\.waitingHops)
        var earliest: ContinuousClock.Instant?
        for hop in hops {
            guard let deadline = hop.call.deadline, !hop.call.hasFailed else { continue }
            if deadline > now {
                earliest = min(earliest ?? deadline, deadline)
            } else {
                hop.call.fail(with: .timedOut(hop.request.info))
                giveUp(hop.call)
            }
        }
        self.nextDeadline = earliest
    }
}
#endif
