import Synchronization

/// Makes and keeps the parts of the SDK: the one place that knows which repository goes with which view model.
///
/// ```swift
/// let container = Container(Configuration(locale: Locale(identifier: "ko_KR")))
/// let followers = container.followerListViewModel()
/// await followers.show(.followers(of: GitHub.Login("octocat")))
/// ```
///
/// A container is a handle: copies share values and overrides. Two containers share nothing, so tests that override slots run in
/// parallel, each with its own. Any number of tasks can use one at once; if several request a singleton at the same first moment,
/// its factory may run more than once, and all get the same value.
public struct Container: Sendable {
    let storage: Storage
    /// The slots whose factories led here.
    private let chain: [DependencyKey]

    /// Creates a container; nothing is made until it is asked for.
    ///
    /// The configuration isn't checked here. Call ``Configuration/validate()`` for one that a person or a file supplied.
    public init(_ configuration: Configuration = Configuration()) {
        storage = Storage(configuration: configuration)
        chain = []
    }

    private init(storage: Storage, chain: [DependencyKey]) {
        self.storage = storage
        self.chain = chain
    }

    /// What the app decided.
    public var configuration: Configuration { storage.configuration }

    /// Declares a slot.
    ///
    /// - Parameters:
    ///   - scope: Whether the value is created once or each time.
    ///   - name: The property's name.
    ///   - file: The file of the property, which tells slots of equal names apart.
    ///   - make: The factory; it gets the container to resolve what it needs from.
    public func dependency<Value: Sendable>(
        _ scope: Scope,
        name: String = #function,
        file: String = #fileID,
        make: @escaping @Sendable (Container) -> Value
    ) -> Dependency<Value> {
        let key = DependencyKey(name: name, file: file, type: ObjectIdentifier(Value.self))
        return Dependency(container: self, key: key, scope: scope, make: make)
    }

    /// Declares a slot of the main actor.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - file: The file of the property, which tells slots of equal names apart.
    ///   - make: The factory; it gets the container to resolve what it needs from.
    public func mainActorDependency<Value: Sendable>(
        name: String = #function,
        file: String = #fileID,
        make: @escaping @MainActor @Sendable (Container) -> Value
    ) -> MainActorDependency<Value> {
        let key = DependencyKey(name: name, file: file, type: ObjectIdentifier(Value.self))
        return MainActorDependency(container: self, key: key, make: make)
    }

    /// The container as a slot's factory sees it.
    func entering(_ key: DependencyKey) -> Container {
        let chain = chain + [key]
        if self.chain.contains(key) {
            // A mistake in the program that no input can cause; every later answer would be an endless recursion.
            fatalError("Dependency cycle: " + chain.map(\.name).joined(separator: " → "))
        }
        return Container(storage: storage, chain: chain)
    }
}

extension Container {
    /// What the copies of a container share.
    final class Storage: Sendable {
        private struct Contents {
            var singletons: [DependencyKey: any Sendable] = [:]
            var overrides: [DependencyKey: any Sendable] = [:]
            var used: Set<DependencyKey> = []
        }

        let configuration: Configuration
        private let contents = Mutex(Contents())

        init(configuration: Configuration) {
            self.configuration = configuration
        }

        /// The value of a singleton that was created before.
        func known<Value: Sendable>(_ key: DependencyKey, as type: Value.Type) -> Value? {
            // Looked up before the cast: a missing value, cast to an optional type, would be a value that is nil.
            guard let known = contents.withLock({ $0.singletons[key] }) else { return nil }
            return known as? Value
        }

        /// The overriding factory, if there is one; from now on the slot can't be overridden.
        func use<Factory: Sendable>(_ key: DependencyKey, as type: Factory.Type) -> Factory? {
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
            // A mistake in the program that no input can cause. Others hold the earlier value, so two would be in use.
            if isUsed { fatalError("Dependency overridden after its first use: \(key.name)") }
        }

        /// Keeps a singleton, unless another task was faster; then that one is the value.
        func keep<Value: Sendable>(_ value: Value, for key: DependencyKey) -> Value {
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
