/// How long a container keeps what it made.
public enum Scope: Hashable, Sendable {
    /// One for the container, as long as it lives.
    case singleton
    /// One as long as anybody else holds it; for classes. A value of another type is made anew each time.
    case shared
    /// A new one each time.
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
        if let known = container.storage.known(key, as: Value.self) { return known }
        let nested = container.entering(key)
        let make = container.storage.factory(of: key, as: (@Sendable (Container) -> Value).self) ?? make
        // No lock is held here: the factory may resolve anything, and may take its time.
        return container.storage.keep(make(nested), for: key, scope: scope)
    }

    /// Makes the value in another way from now on, in this container only.
    ///
    /// What the container has made before is forgotten, so that nothing keeps the old value inside of it.
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
        let make = container.storage.factory(of: key, as: (@MainActor @Sendable (Container) -> Value).self) ?? make
        return make(nested)
    }

    /// Makes the value in another way from now on, in this container only.
    public func override(_ make: @escaping @MainActor @Sendable (Container) -> Value) {
        container.storage.override(key, with: make)
    }
}

/// The identity of a slot: two slots of one name differ when their types do.
struct DependencyKey: Hashable, Sendable {
    let name: String
    let type: ObjectIdentifier
}
