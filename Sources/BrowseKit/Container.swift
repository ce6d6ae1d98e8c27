import Synchronization

/// Makes and keeps the parts of the SDK: the one place that knows which repository goes with which view model.
///
/// ```swift
/// let container = Container(Configuration(locale: Locale(identifier: "ko_KR")))
/// let followers = container.followerListViewModel()
/// await followers.show(.followers(of: GitHub.Login("octocat")))
/// ```
///
/// A container is a handle: copies share what was made and what was overridden. Two containers share nothing, so tests that
/// override run in parallel, each with its own. Any number of tasks may use one at once; when several ask for a singleton
/// at the same first moment its factory may run more than once, and all get the one that was ready first.
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
    ///   - scope: How long the value is kept.
    ///   - name: The property's name.
    ///   - make: The factory; it gets the container to resolve what it needs from.
    public func dependency<Value: Sendable>(
        _ scope: Scope,
        name: String = #function,
        make: @escaping @Sendable (Container) -> Value
    ) -> Dependency<Value> {
        let key = DependencyKey(name: name, type: ObjectIdentifier(Value.self))
        return Dependency(container: self, key: key, scope: scope, make: make)
    }

    /// Declares a slot of the main actor.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - make: The factory; it gets the container to resolve what it needs from.
    public func mainActorDependency<Value: Sendable>(
        name: String = #function,
        make: @escaping @MainActor @Sendable (Container) -> Value
    ) -> MainActorDependency<Value> {
        let key = DependencyKey(name: name, type: ObjectIdentifier(Value.self))
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
            var shared: [DependencyKey: WeakReference] = [:]
            var overrides: [DependencyKey: any Sendable] = [:]
        }

        /// A shared value that nobody may hold any more.
        ///
        /// `@unchecked Sendable`: the object is a `Sendable` value of a slot, whose type is lost here, and the reference is
        /// only used under the lock.
        private struct WeakReference: @unchecked Sendable {
            weak var object: AnyObject?

            /// The value, if anybody holds it.
            ///
            /// The reference is looked at before the cast: optimized by Swift 6.3, `nil as? Value` of a weak reference reads
            /// through it where `Value` is a class.
            func value<Value>() -> Value? {
                guard let object else { return nil }
                return object as? Value
            }
        }

        let configuration: Configuration
        private let contents = Mutex(Contents())

        init(configuration: Configuration) {
            self.configuration = configuration
        }

        func known<Value: Sendable>(_ key: DependencyKey, as type: Value.Type) -> Value? {
            contents.withLock { contents in
                if let singleton = contents.singletons[key] as? Value { return singleton }
                return contents.shared[key]?.value()
            }
        }

        func factory<Factory: Sendable>(of key: DependencyKey, as type: Factory.Type) -> Factory? {
            contents.withLock { $0.overrides[key] } as? Factory
        }

        func override(_ key: DependencyKey, with factory: some Sendable) {
            contents.withLock {
                $0.overrides[key] = factory
                $0.singletons = [:]
                $0.shared = [:]
            }
        }

        /// Keeps a value, unless another task was faster; then that one is the value.
        func keep<Value: Sendable>(_ value: Value, for key: DependencyKey, scope: Scope) -> Value {
            contents.withLock { contents in
                switch scope {
                case .unique:
                    return value
                case .singleton:
                    if let earlier = contents.singletons[key] as? Value { return earlier }
                    contents.singletons[key] = value
                    return value
                case .shared:
                    guard type(of: value as Any) is AnyClass else { return value }
                    if let earlier: Value = contents.shared[key]?.value() { return earlier }
                    contents.shared[key] = WeakReference(object: value as AnyObject)
                    return value
                }
            }
        }
    }
}
