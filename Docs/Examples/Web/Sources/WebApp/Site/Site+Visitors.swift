import Hummingbird
import HTTPTypes
import WebSupport

extension Site {
    /// Returns the visitor with an id, or adds one with the stores of that id.
    func visitor(_ id: VisitorID) async throws -> Visitor {
        let key = try await configuration.stores.keys?.key(of: id) ?? ""
        return visitors.value(for: id) {
            $0.key == key
        } orAdd: {
            let session = VisitorSession(site: services.container, stores: configuration.stores.visitor(key))
            return Visitor(id: id, key: key, session: session, limits: configuration.limits)
        }
    }

    /// Returns whether an id is still a visitor's; another request, also at another process, may have replaced it.
    func isCurrent(_ id: VisitorID, of visitor: Visitor) async throws -> Bool {
        guard visitor.id == id else { return false }
        guard let keys = configuration.stores.keys else { return true }
        return try await keys.key(of: id) == visitor.key
    }

    /// Replaces the id of a visitor who starts or ends a session, so that a cookie that somebody else knows, or planted, isn't a
    /// key to the account.
    ///
    /// The visitor's pages are released, which ends their streams. Browsers load them again with the new cookie.
    ///
    /// - Parameters:
    ///   - id: The id in the cookie of the request.
    ///   - visitor: The visitor.
    ///   - page: The id of a page that isn't released.
    /// - Returns: The value of the `Set-Cookie` field for the response to this request, and no other.
    /// - Throws: `HTTPError` with the status 409 if another request has replaced the id, and errors of the keys.
    func replaceID(_ id: VisitorID, of visitor: Visitor, keeping page: String = "") async throws -> String {
        guard let new = visitor.replaceID(id) else { throw HTTPError(.conflict) }
        do {
            try await configuration.stores.keys?.move(id, to: new)
        } catch {
            visitor.restoreID()
            throw error
        }
        visitors.move(id, to: new)
        visitor.pages.removeAll(except: page)
        return cookie.setting(new)
    }

    /// Counts a tick of all lifetimes.
    func sweep() async {
        visitors.tick()
        for visitor in visitors.values {
            visitor.pages.tick()
            // Another process may have moved the stores; the streams of the former cookie end.
            let id = visitor.id
            if let isCurrent = try? await isCurrent(id, of: visitor), !isCurrent {
                visitors.remove(id) { $0 === visitor && visitor.id == id }
            }
        }
    }
}
