import Synchronization

/// Creates the SDK's objects and connects their layers.
///
/// ```swift
/// let container = Container(Configuration(locale: Locale(identifier: "ko_KR")))
/// let favorites = container.favoriteListViewModel()
/// await favorites.show()
/// ```
///
/// Copies of a container share values and overrides. Separate containers share nothing, so tests that override dependencies can
/// run in parallel. Any number of tasks can use a container; if several request a new singleton at once, its factory may run
/// more than once, but all get the same value.
public struct Container: Sendable {
    let storage: Storage
    /// The dependencies being resolved, outermost first, for detecting cycles.
    private let chain: [DependencyKey]

    /// Creates a container; its values are created on demand.
    ///
    /// The configuration isn't validated. Call ``Configuration/validate()`` if a user or a file supplied it.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - services: The types of the services' settings, whose favorites are listed in this order.
    public init(_ configuration: Configuration = Configuration(), services: [any ServiceSettings.Type]) {
        storage = Storage(configuration: configuration, services: services)
        chain = []
    }

    private init(storage: Storage, chain: [DependencyKey]) {
        self.storage = storage
        self.chain = chain
    }

    /// The configuration.
    public var configuration: Configuration { storage.configuration }

    /// The services, by the types of their settings.
    var services: [any ServiceSettings.Type] { storage.services }

    /// Declares a dependency.
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
        let key = DependencyKey(name: name, file: file, type: ObjectIdentifier(Value.self))
        return Dependency(container: self, key: key, scope: scope, make: make)
    }

    /// Declares a dependency on the main actor.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - file: The property's file, which distinguishes dependencies with equal names.
    ///   - make: The factory; it resolves its own dependencies from the container.
    public func mainActorDependency<Value: Sendable>(
        name: String = #function,
        file: String = #fileID,
        make: @escaping @MainActor @Sendable (Container) -> Value
    ) -> MainActorDependency<Value> {
        let key = DependencyKey(name: name, file: file, type: ObjectIdentifier(Value.self))
        return MainActorDependency(container: self, key: key, make: make)
    }

    /// Returns the container for a dependency's factory.
    func entering(_ key: DependencyKey) -> Container {
        let chain = chain + [key]
        if self.chain.contains(key) {
            // A programming error that no input can cause; returning would recurse endlessly.
            fatalError("Dependency cycle: " + chain.map(\.name).joined(separator: " → "))
        }
        return Container(storage: storage, chain: chain)
    }
}

extension Container {
    /// The values and overrides that copies of a container share.
    final class Storage: Sendable {
        private struct Contents {
            var singletons: [DependencyKey: any Sendable] = [:]
            var overrides: [DependencyKey: any Sendable] = [:]
            var used: Set<DependencyKey> = []
        }

        let configuration: Configuration
        let services: [any ServiceSettings.Type]
        private let contents = Mutex(Contents())

        init(configuration: Configuration, services: [any ServiceSettings.Type]) {
            self.configuration = configuration
            self.services = services
        }

        /// Returns the singleton, if it has been created.
        func singleton<Value: Sendable>(for key: DependencyKey, as type: Value.Type) -> Value? {
            // Looked up before the cast, which would turn a missing value into an optional type's `nil`.
            guard let singleton = contents.withLock({ $0.singletons[key] }) else { return nil }
            return singleton as? Value
        }

        /// Returns the overriding factory, if any, and disallows later overrides.
        func overridingFactory<Factory: Sendable>(for key: DependencyKey, as type: Factory.Type) -> Factory? {
            let factory = contents.withLock { contents in
                contents.used.insert(key)
                return contents.overrides[key]
            }
            return factory as? Factory
        }

        func override(_ key: DependencyKey, with factory: some Sendable) {
            let isUsed = contents.withLock { contents in
                guard !contents.used.contains(key) else { return true }
                contents.overrides[key] = factory
                return false
            }
            // A programming error that no input can cause; two different values would be in use.
            if isUsed { fatalError("Dependency overridden after its first use: \(key.name)") }
        }

        /// Stores a singleton, and returns the one that was stored first.
        func storeSingleton<Value: Sendable>(_ value: Value, for key: DependencyKey) -> Value {
            let earlier = contents.withLock { contents in
                let earlier = contents.singletons[key]
                if earlier == nil { contents.singletons[key] = value }
                return earlier
            }
            guard let earlier else { return value }
            return earlier as? Value ?? value
        }
    }
}
