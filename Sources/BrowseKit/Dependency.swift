/// Whether a container creates a value once or each time.
public enum Scope: Hashable, Sendable {
    /// One value, as long as the container lives.
    case singleton
    /// A new value each time.
    case unique
}

/// A slot of a container: something it can make, by type and name.
///
/// Slots are properties of ``Container``; declare your own in the same way:
///
/// ```swift
/// extension Container {
///     var greeter: Dependency<Greeter> {
///         dependency(.singleton) { Greeter(texts: $0.texts()) }
///     }
/// }
/// ```
///
/// and ask for the value by calling it: `container.greeter()`.
public struct Dependency<Value: Sendable>: Sendable {
    let container: Container
    let key: DependencyKey
    let scope: Scope
    let make: @Sendable (Container) -> Value

    /// The value, made now or before, as its ``Scope`` says.
    ///
    /// A factory that leads back to itself stops the program with the chain by name.
    public func callAsFunction() -> Value {
        if scope == .singleton, let known = container.storage.known(key, as: Value.self) { return known }
        let nested = container.entering(key)
        let make = container.storage.use(key, as: (@Sendable (Container) -> Value).self) ?? make
        // No lock is held here: the factory may resolve anything, and may take its time.
        let value = make(nested)
        return scope == .singleton ? container.storage.keep(value, for: key) : value
    }

    /// Replaces the factory, in this container only.
    ///
    /// Override slots before the first use of the container: overriding one that has created a value stops the program with its
    /// name, since others hold that value. Of two overrides, the last one counts.
    public func override(_ make: @escaping @Sendable (Container) -> Value) {
        container.storage.override(key, with: make)
    }
}

/// A slot whose factory and value belong to the main actor, as view models do; always ``Scope/unique``.
public struct MainActorDependency<Value: Sendable>: Sendable {
    let container: Container
    let key: DependencyKey
    let make: @MainActor @Sendable (Container) -> Value

    /// A new value.
    @MainActor
    public func callAsFunction() -> Value {
        let nested = container.entering(key)
        let make = container.storage.use(key, as: (@MainActor @Sendable (Container) -> Value).self) ?? make
        return make(nested)
    }

    /// Replaces the factory, in this container only and before its first use, as ``Dependency/override(_:)`` does.
    public func override(_ make: @escaping @MainActor @Sendable (Container) -> Value) {
        container.storage.override(key, with: make)
    }
}

/// The identity of a slot: slots of one name differ by their files and types.
struct DependencyKey: Hashable, Sendable {
    let name: String
    let file: String
    let type: ObjectIdentifier
}
