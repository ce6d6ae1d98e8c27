import Hummingbird
import HTTPTypes
import WebSupport

extension Site {
    /// Returns the visitor with an id, or adds one with the stores of that id.
    ///
    /// While keys can't be read, a visitor has the same stores as before, or none that last.
    func visitor(_ id: VisitorID, from client: ClientAddress? = nil) async -> Visitor {
        var key = ""
        if let keys = configuration.stores.keys {
            key = (try? await keys.key(of: id)) ?? visitors.value(for: id)?.key ?? RandomID.make()
        }
        return visitors.value(for: id, where: { $0.key == key }, of: client) {
            let session = VisitorSession(site: services.container, stores: configuration.stores.visitor(key))
            return Visitor(id: id, key: key, session: session, limits: configuration.limits)
        }
    }

    /// Returns whether an id is still a visitor's.
    ///
    /// Another request, also at another process, may have replaced it.
    func isCurrent(_ id: VisitorID, of visitor: Visitor) async -> Bool {
        guard visitor.id == id else { return false }
        guard let key = try? await configuration.stores.keys?.key(of: id) else { return true }
        return key == visitor.key
    }

    /// Replaces the id of a visitor who starts or ends a session.
    ///
    /// So a cookie that somebody else knows, or planted, isn't a key to the account. The visitor's pages are released, which ends
    /// their streams; browsers load them again with the new cookie.
    ///
    /// - Parameters:
    ///   - id: The id in the cookie of the request.
    ///   - visitor: The visitor.
    /// - Returns: The value of the `Set-Cookie` field for the response to this request, and no other.
    /// - Throws: `HTTPError` with the status 409 if another request has replaced the id, and errors of the keys.
    func replaceID(_ id: VisitorID, of visitor: Visitor) async throws -> String {
        guard let new = visitor.replaceID(id) else { throw HTTPError(.conflict) }
        do {
            try await configuration.stores.keys?.move(id, to: new)
        } catch {
            visitor.restoreID()
            throw error
        }
        visitors.move(id, to: new)
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
                visitors.remove(id) { $0 === visitor && visitor.id == id }
            }
        }
    }
}
