import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServerStores
import ServiceLifecycle

extension Site {
    /// Returns the visitor with an id, or adds one with the stores of its key.
    ///
    /// A visitor whose id was replaced gets other stores. While ids can't be read, only visitors that this process knows have stores
    /// that last.
    func visitor(_ id: VisitorID) async -> Visitor {
        var (id, isTemporary) = (id, false)
        for _ in 0..<8 {
            let known = visitors.value(for: id.key)
            do {
                let current = try await configuration.stores.ids?.current(of: id.key)
                if current.map({ $0 == id.digest }) ?? (known.map { $0.id == id } ?? true) { break }
                id = id.detached()
            } catch {
                if known?.id != id { (id, isTemporary) = (id.detached(processName), true) }
                break
            }
        }
        return visitors.value(for: id.key, where: { [id] in $0.id == id }) { [id, isTemporary] in
            let session = VisitorSession(site: services.container, stores: configuration.stores.visitor(id.key))
            return Visitor(id: id, isTemporary: isTemporary, session: session, limits: configuration.limits)
        }
    }

    /// Returns whether an id is still a visitor's.
    ///
    /// Another request, also at another process, may have replaced it.
    func isCurrent(_ id: VisitorID, of visitor: Visitor) async -> Bool {
        guard visitor.id == id else { return false }
        guard let current = try? await configuration.stores.ids?.current(of: id.key) else { return true }
        return current == id.digest
    }

    /// Replaces the id of a visitor who starts or ends a session.
    ///
    /// So a cookie that somebody else knows, or planted, isn't a key to the account. The visitor's pages are released, which ends
    /// their streams; browsers continue them with the new cookie.
    ///
    /// - Returns: The cookie for the response to this request, and no other.
    /// - Throws: `HTTPError` with the status 409 if another request has replaced the id, or 503 if that can't be stored.
    func replaceID(_ id: VisitorID, of visitor: Visitor) async throws -> Cookie {
        let new = id.replaced()
        guard visitor.replaceID(id, by: new) else { throw HTTPError(.conflict) }
        do {
            guard try await store(new, inPlaceOf: id, attempts: 2) else { throw HTTPError(.conflict) }
        } catch {
            _ = visitor.replaceID(new, by: id)
            if let error = error as? HTTPError { throw error }
            // The browser still has the former id, but the new one may be stored.
            Task { try? await store(id, inPlaceOf: new, attempts: 2_000) }
            throw HTTPError(.serviceUnavailable)
        }
        streams.end(of: id.rawValue)
        visitor.pages.removeAll()
        return cookie(of: new)
    }

    /// Stores a new id; repeats that without a reply, because it may have been done nevertheless.
    ///
    /// - Returns: `false` if another request has replaced the former one.
    @discardableResult
    private func store(_ new: VisitorID, inPlaceOf former: VisitorID, attempts: Int) async throws -> Bool {
        guard let ids = configuration.stores.ids else { return true }
        for _ in 1..<attempts {
            if let isStored = try? await ids.replace(former.digest, by: new.digest, of: new.key) { return isStored }
            // Redis isn't accessed for half a second after a failure.
            try? await configuration.clock.sleep(for: .milliseconds(600))
        }
        return try await ids.replace(former.digest, by: new.digest, of: new.key)
    }

    /// Adds an open page, unless there is one to use. Beyond the site's limit, the visitor with the most loses one.
    func insert(_ page: LivePage, for id: String, of visitor: Visitor, where isUsable: (LivePage) -> Bool) -> LivePage {
        let page = visitor.pages.value(for: id, where: isUsable) { page }
        let counts = visitors.values.map { ($0, count: $0.pages.count) }
        if counts.reduce(0, { $0 + $1.count }) > configuration.limits.pages {
            counts.max { $0.count < $1.count }?.0.pages.removeOldest()
        }
        return page
    }

    /// Releases what nobody uses; returns whether that was something.
    @discardableResult
    func sweep() async -> Bool {
        // A person who is at GitHub to sign in has no page open, and without Redis, the attempt is here only.
        for visitor in visitors.values {
            if await visitor.session.isSigningIn { visitors.use(visitor.id.key, 0) }
        }
        var hasReleased = visitors.tick()
        for visitor in visitors.values where visitor.pages.tick() { hasReleased = true }
        // Another process may have replaced an id; the streams of the former cookie end. A store that is slow doesn't make lifetimes
        // longer.
        let start = ContinuousClock.now
        for visitor in visitors.values.shuffled() where start.duration(to: .now) < configuration.limits.tick {
            let id = visitor.id
            if await !isCurrent(id, of: visitor) {
                visitors.remove(id.key) { $0 === visitor && visitor.id == id }
            }
        }
        return hasReleased
    }
}

/// What a site runs beside requests.
///
/// It releases the pages that nobody has open, forgets the visitors that have left, and reports stores that can't be used.
struct Sweeper: Service {
    let site: Site
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown { try? await sweep() }
    }

    private func sweep() async throws {
        let (limits, stores) = (site.configuration.limits, site.configuration.stores)
        let ticksPerMinute = max(1, Int((.seconds(60) / limits.tick).rounded(.up)))
        var (tick, hasReleased) = (0, false)
        while true {
            try await site.configuration.clock.sleep(for: limits.tick)
            if hasReleased { Self.returnMemory() }
            hasReleased = await site.sweep()
            if tick.isMultiple(of: 360 * ticksPerMinute) { try? await stores.ids?.deleteExpired() }
            tick += 1
            // One line a minute, however many accesses fail.
            if tick.isMultiple(of: ticksPerMinute), await !stores.isReady() {
                logger.warning("The stores can't be used")
            }
        }
    }

    /// Returns the memory of what was released to the system, which glibc otherwise keeps.
    private static func returnMemory() {
        typealias Trim = @convention(c) (Int) -> Int32
        // Not in Swift's module of glibc; other systems don't have it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }
}
