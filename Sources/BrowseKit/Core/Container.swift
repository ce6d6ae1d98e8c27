import BrowseDomain
import BrowsePresentation
public import Foundation
import Synchronization

/// Creates the SDK's objects and connects their layers.
///
/// ```swift
/// let container = Container(Configuration().with { $0.locale = Locale(identifier: "ko_KR") })
/// let favorites = container.favoriteListViewModel()
/// await favorites.show()
/// ```
///
/// Copies of a container share values and overrides. Separate containers share nothing, so tests
/// that override dependencies can run in parallel. A server derives the containers of its users
/// from one with ``container(for:locale:timeZone:)``. Any number of tasks can use a container; if
/// several request a new singleton at once, its factory may run more than once, but all get the
/// same value.
public struct Container: Sendable {
    let storage: Storage
    /// The locale, if it isn't that of the storage.
    private let localization: Localization?
    /// The dependencies being resolved, outermost first, for detecting cycles.
    private let chain: [Step]

    /// Creates a container; its values are created on demand.
    ///
    /// The configuration isn't validated. Call ``Configuration/validate()`` if a user or a file
    /// supplied it.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - services: The types of the services' settings.
    public init(_ configuration: Configuration = Configuration(), services: [any ServiceSettings.Type]) {
        self.init(storage: Storage(configuration: configuration, services: services))
    }

    private init(storage: Storage, localization: Localization? = nil, chain: [Step] = []) {
        self.storage = storage
        self.localization = localization
        self.chain = chain
    }

    /// The configuration.
    public var configuration: Configuration { localization?.configuration ?? storage.configuration }

    /// The services, by the types of their settings.
    package var services: [any ServiceSettings.Type] { storage.services }

    /// Declares a dependency, usually in a property.
    ///
    /// In a function with arguments, the scope must be ``Scope/unique``, because all arguments
    /// would share the value that is created first.
    ///
    /// - Parameters:
    ///   - scope: Whether the value is created once or each time.
    ///   - name: The property's name.
    ///   - file: The property's file, which distinguishes dependencies with equal names.
    ///   - make: The factory; it resolves its own dependencies from the container.
    public func dependency<Value: Sendable>(
        _ scope: Scope,
        name: String = #function,
        file: String = #fileID,
        make: @escaping @Sendable (Container) -> Value
    ) -> Dependency<Value> {
        // A programming error that no input can cause; one user could get another's value.
        if scope != .unique, name.contains(":") {
            fatalError("Dependency with arguments isn't unique: \(name) in \(file). Give it the scope .unique.")
        }
        let key = Key(name: name, file: file, type: ObjectIdentifier(Value.self))
        return Dependency(container: self, key: key, scope: scope, make: make)
    }

    /// Derives the container of one user, which shares what users can share.
    ///
    /// ```swift
    /// let visitor = site.container(
    ///     for: UserStores(folder: folder.appending(path: id)),
    ///     locale: Locale(identifier: "ko_KR")
    /// )
    /// ```
    ///
    /// The values of dependencies with the scope ``Scope/shared``, such as the transport, caches,
    /// rate limits, and images, are those of this container, and can be overridden only here. All
    /// other values, such as sessions, tokens, and favorites, are the user's own: this container's
    /// aren't used, and neither are its overrides of them.
    ///
    /// - Parameters:
    ///   - user: The stores of the user, which no other user shares.
    ///   - locale: The user's locale; `nil` uses that of the configuration.
    ///   - timeZone: The user's time zone; `nil` uses that of the configuration.
    public func container(for user: UserStores, locale: Locale? = nil, timeZone: TimeZone? = nil) -> Container {
        let configuration = configuration.with {
            $0.storageFolder = user.folder
            $0.locale = locale ?? $0.locale
            $0.timeZone = timeZone ?? $0.timeZone
        }
        let shared = storage.shared ?? storage
        return Container(storage: Storage(configuration: configuration, services: services, user: user, shared: shared))
    }

    /// Returns a container of the same user for another locale.
    ///
    /// It shares the values with the scopes ``Scope/shared`` and ``Scope/singleton``. Texts and
    /// view models are for the new locale, whose region services can use. Values with the scope
    /// ``Scope/localized`` are its own, and those of its copies.
    public func localized(for locale: Locale) -> Container {
        let localization = Localization(storage.configuration.with { $0.locale = locale })
        return Container(storage: storage, localization: localization, chain: chain)
    }

    /// The stores of the user whose container this is; `nil` in one that isn't derived.
    var user: UserStores? { storage.user }

    /// Returns the container that has the values of a scope.
    func owner(of scope: Scope) -> Container {
        switch scope {
        case .shared: Container(storage: storage.shared ?? storage, chain: chain)
        case .singleton: Container(storage: storage, chain: chain)
        case .localized, .unique: self
        }
    }

    /// The values that were created once.
    var values: Values { localization?.values ?? storage.values }

    /// Returns the container for a dependency's factory, which is in progress until the end.
    func entering(_ key: Key, until end: OneShot<Void>) -> Container {
        // A closure that a factory has stored, such as one that makes the next screen, can resolve
        // anything later.
        let current = chain.filter { $0.end.resolved == nil }
        let chain = current + [(key: key, end: end)]
        if current.contains(where: { $0.key == key }) {
            // A programming error that no input can cause; returning would recurse endlessly.
            let names = chain.map(\.key.name).joined(separator: " → ")
            fatalError("Dependency cycle: \(names) in \(key.file). Resolve one later, in a closure of its value.")
        }
        return Container(storage: storage, localization: localization, chain: chain)
    }
}

extension Container {
    /// Values that were created once.
    final class Values: Sendable {
        private let values = Mutex<[Key: any Sendable]>([:])

        /// Returns the value, if it has been created.
        func value<Value: Sendable>(for key: Key, as type: Value.Type) -> Value? {
            // Looked up before the cast, which would turn a missing value into an optional type's
            // `nil`.
            values.withLock { $0[key] }.flatMap { $0 as? Value }
        }

        /// Stores a value, and returns the one that was stored first.
        func store<Value: Sendable>(_ value: Value, for key: Key) -> Value {
            let earlier = values.withLock { values in
                let earlier = values[key]
                if earlier == nil { values[key] = value }
                return earlier
            }
            guard let earlier else { return value }
            return earlier as? Value ?? value
        }
    }

    /// The locale of a container, and the values that depend on it.
    fileprivate final class Localization: Sendable {
        let configuration: Configuration
        let values = Values()

        init(_ configuration: Configuration) { self.configuration = configuration }
    }

    /// The values and overrides that copies of a container share.
    final class Storage: Sendable {
        private struct Contents {
            var overrides: [Key: any Sendable] = [:]
            var used: Set<Key> = []
        }

        let configuration: Configuration
        let services: [any ServiceSettings.Type]
        let user: UserStores?
        /// The storage of what users share; `nil` if this one isn't derived.
        let shared: Storage?
        let values = Values()
        private let contents = Mutex(Contents())

        init(
            configuration: Configuration,
            services: [any ServiceSettings.Type],
            user: UserStores? = nil,
            shared: Storage? = nil
        ) {
            self.configuration = configuration
            self.services = services
            self.user = user
            self.shared = shared
        }

        /// Returns the overriding factory, if any, and disallows later overrides.
        func overridingFactory<Factory: Sendable>(for key: Key, as type: Factory.Type) -> Factory? {
            let factory = contents.withLock { contents in
                contents.used.insert(key)
                return contents.overrides[key]
            }
            return factory as? Factory
        }

        /// Replaces the factory of a dependency, unless it's in use.
        ///
        /// - Returns: Whether it was replaced.
        func override(_ key: Key, with factory: some Sendable) -> Bool {
            contents.withLock { contents in
                guard !contents.used.contains(key) else { return false }
                contents.overrides[key] = factory
                return true
            }
        }
    }
}

extension Container {
    /// The containers that share a value, and the number of times that it's created.
    public enum Scope: Hashable, Sendable {
        /// One value for a container and all that are derived from it for users.
        ///
        /// Its factory can't access a user's container, so the value contains nothing that belongs
        /// to a user. Use it for caches, and for clients that send no user's token.
        case shared
        /// One value per container, for all locales; the safe choice for everything that belongs to
        /// a user.
        case singleton
        /// One value per container and its copies, for values with texts; see
        /// ``Container/localized(for:)``.
        case localized
        /// A new value each time.
        case unique
    }

    /// A value that a container creates on demand.
    ///
    /// Dependencies are properties of ``Container``; declare your own in the same way:
    ///
    /// ```swift
    /// nonisolated extension Container {
    ///     var greeter: Dependency<Greeter> {
    ///         dependency(.localized) { Greeter(texts: $0.texts()) }
    ///     }
    /// }
    /// ```
    ///
    /// To get the value, call the property: `container.greeter()`.
    public struct Dependency<Value: Sendable>: Sendable {
        let container: Container
        let key: Key
        let scope: Scope
        let make: @Sendable (Container) -> Value

        /// Returns the value, which is new or shared according to its ``Scope``.
        ///
        /// A cycle of factories is a fatal error that names the dependencies.
        public func callAsFunction() -> Value {
            let owner = container.owner(of: scope)
            if scope != .unique, let value = owner.values.value(for: key, as: Value.self) { return value }
            let end = OneShot<Void>()
            defer { end.resolve(()) }
            let nested = owner.entering(key, until: end)
            let make = owner.storage.overridingFactory(for: key, as: (@Sendable (Container) -> Value).self) ?? make
            // No lock is held here: the factory may resolve other dependencies, and may be slow.
            let value = make(nested)
            return scope == .unique ? value : owner.values.store(value, for: key)
        }

        /// Replaces the factory, in this container only; the last override wins.
        ///
        /// Override dependencies before the container is used: overriding one that has created a
        /// value is a fatal error, and so is overriding a shared one in the container of a user. In
        /// a test with the trait `.verifiesMocks`, it's an issue, and the value stays.
        ///
        /// - Parameters:
        ///   - fileID: The file that the error names.
        ///   - filePath: The path of that file.
        ///   - line: The line that the error names.
        ///   - make: The factory in place of the dependency's own.
        public func override(
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ make: @escaping @Sendable (Container) -> Value
        ) {
            // Programming errors that no input can cause: the other users would get this user's
            // value, or two different values would be in use.
            let isShared = scope == .shared && container.user != nil
            if !isShared, container.storage.override(key, with: make) { return }
            let mistake =
                isShared
                ? "for a user: \(key.name). Override it in the container that the user's is derived from."
                : "after its first use: \(key.name). Override it right after you create the container."
            let place = (fileID: fileID.description, filePath: filePath.description, line: Int(line))
            if ScreenMisuse.record("Dependency overridden \(mistake)", at: place) { return }
            fatalError("Dependency overridden \(mistake)", file: fileID, line: line)
        }
    }

    /// A dependency being resolved, and the end of its factory.
    private typealias Step = (key: Key, end: OneShot<Void>)

    /// The identity of a dependency, which includes its file and type.
    struct Key: Hashable, Sendable {
        let name: String
        let file: String
        let type: ObjectIdentifier
    }
}
