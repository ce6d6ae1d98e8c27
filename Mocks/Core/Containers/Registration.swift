import BrowseCore
import BrowseDomain

/// Finds mistakes in the services of a container, which itself has no way to report them.
package enum Registration {
    /// Returns each name that several owners use, or one of them twice, as a sentence.
    package static func shared(_ what: String, _ uses: [(name: String, owner: String)]) -> [String] {
        var owners: [String: String] = [:]
        return uses.compactMap { name, owner in
            guard let other = owners[name] else {
                owners[name] = owner
                return nil
            }
            let both = other == owner ? "\(owner) twice" : "\(other) and \(owner)"
            return "The \(what) \"\(name)\" is used by \(both)."
        }
    }
}

extension Container {
    /// The names of services that several of them have; a service that was added twice has one,
    /// too.
    package var sharedServiceNames: [String] {
        Registration.shared("service name", services.map { ($0.name, String(reflecting: $0)) })
    }

    /// The kinds of favorites that several services have, of which the last one's description
    /// applies.
    package var sharedFavoriteKinds: [String] {
        var types: Set<ObjectIdentifier> = []
        let services = services.filter { types.insert(ObjectIdentifier($0)).inserted }
        let uses = services.flatMap { service in
            service.favoriteKinds.map { (name: $0.kind.rawValue, owner: String(reflecting: service)) }
        }
        let own = configuration.favoriteKinds.map { (name: $0.kind.rawValue, owner: "the configuration") }
        return Registration.shared("kind of favorites", uses + own)
    }
}
