import Hummingbird
import HTTPTypes
import ServerStores
import WebSupport

extension Site {
    /// Returns the visitor with an id, or adds one with the stores of its key.
    ///
    /// A visitor whose id was replaced gets other stores. While ids can't be read, only visitors that this process knows have stores
    /// that last.
    func visitor(_ id: VisitorID, from client: ClientAddress? = nil) async -> Visitor {
        var id = id
        for _ in 0..<8 {
            let known = visitors.value(for: id.key)
            do {
                let current = try await configuration.stores.ids?.current(of: id.key)
                if current.map({ $0 == id.digest }) ?? (known.map { $0.id == id } ?? true) { break }
                id = id.detached()
            } catch {
                if known?.id != id { id = id.detached(processName) }
                break
            }
        }
        return visitors.value(for: id.key, where: { [id] in $0.id == id }, of: client) {
            let session = VisitorSession(site: services.container, stores: configuration.stores.visitor(id.key))
            return Visitor(id: id, session: session, limits: configuration.limits)
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
    /// - Parameters:
    ///   - id: The id in the cookie of the request.
    ///   - visitor: The visitor.
    /// - Returns: The value of the `Set-Cookie` field for the response to this request, and no other.
    /// - Throws: `HTTPError` with the status 409 if another request has replaced the id, or 503 if that can't be stored.
    func replaceID(_ id: VisitorID, of visitor: Visitor) async throws -> String {
        let new = id.replaced()
        guard visitor.replaceID(id, by: new) else { throw HTTPError(.conflict) }
        do {
            let isReplaced = try await configuration.stores.ids?.replace(id.digest, by: new.digest, of: id.key)
            guard isReplaced ?? true else { throw HTTPError(.conflict) }
        } catch {
            _ = visitor.replaceID(new, by: id)
            throw error as? HTTPError ?? HTTPError(.serviceUnavailable)
        }
        // Also those of pages that are in use.
        for page in visitor.pages.values { page.feed.log.finish() }
        visitor.pages.removeAll()
        return cookie.setting(new)
    }

    /// Adds an open page of a visitor; if the site has too many, the visitor with the most loses one.
    func insert(_ page: OpenPage, for id: String, of visitor: Visitor) {
        visitor.pages.insert(page, for: id)
        let counts = visitors.values.map { ($0, count: $0.pages.count) }
        guard counts.reduce(0, { $0 + $1.count }) > configuration.limits.pages else { return }
        counts.max { $0.count < $1.count }?.0.pages.removeOldest()
    }

    /// Counts a tick of all lifetimes.
    func sweep() async {
        visitors.tick()
        for visitor in visitors.values {
            visitor.pages.tick()
            // Another process may have moved the stores; the streams of the former cookie end.
            let id = visitor.id
            if await !isCurrent(id, of: visitor) {
                visitors.remove(id.key) { $0 === visitor && visitor.id == id }
            }
        }
    }
}
