/// Whether a container creates a value once or each time.
public enum Scope: Hashable, Sendable {
    /// One value per container.
    case singleton
    /// A new value each time.
    case unique
}

/// A value that a container creates on demand.
///
/// Dependencies are properties of ``Container``; declare your own in the same way:
///
/// ```swift
/// extension Container {
///     var greeter: Dependency<Greeter> {
///         dependency(.singleton) { Greeter(texts: $0.texts()) }
///     }
/// }
/// ```
///
/// To get the value, call the property: `container.greeter()`.
public struct Dependency<Value: Sendable>: Sendable {
    let container: Container
    let key: DependencyKey
    let scope: Scope
    let make: @Sendable (Container) -> Value

    /// Returns the value, which is new or shared according to its ``Scope``.
    ///
    /// A cycle of factories is a fatal error that names the dependencies.
    public func callAsFunction() -> Value {
        if scope == .singleton, let singleton = container.storage.singleton(for: key, as: Value.self) {
            return singleton
        }
        let nested = container.entering(key)
        let make = container.storage.overridingFactory(for: key, as: (@Sendable (Container) -> Value).self) ?? make
        // No lock is held here: the factory may resolve other dependencies, and may be slow.
        let value = make(nested)
        return scope == .singleton ? container.storage.storeSingleton(value, for: key) : value
    }

    /// Replaces the factory, in this container only; the last override wins.
    ///
    /// Override dependencies before the container is used: overriding one that has created a value is a fatal error.
    public func override(_ make: @escaping @Sendable (Container) -> Value) {
        container.storage.override(key, with: make)
    }
}

/// A value on the main actor, such as a view model, that a container creates each time.
public struct MainActorDependency<Value: Sendable>: Sendable {
    let container: Container
    let key: DependencyKey
    let make: @MainActor @Sendable (Container) -> Value

    /// Returns a new value.
    @MainActor
    public func callAsFunction() -> Value {
        let nested = container.entering(key)
        let make =
            container.storage.overridingFactory(for: key, as: (@MainActor @Sendable (Container) -> Value).self) ?? make
        return make(nested)
    }

    /// Replaces the factory, in this container only; see ``Dependency/override(_:)``.
    public func override(_ make: @escaping @MainActor @Sendable (Container) -> Value) {
        container.storage.override(key, with: make)
    }
}

/// The identity of a dependency, which includes its file and type.
struct DependencyKey: Hashable, Sendable {
    let name: String
    let file: String
    let type: ObjectIdentifier
}
