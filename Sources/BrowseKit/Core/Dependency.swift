/// The containers that share a value, and the number of times that it's created.
public enum Scope: Hashable, Sendable {
    /// One value for a container and all that are derived from it for users.
    ///
    /// Its factory can't access a user's container, so the value contains nothing that belongs to a user. Use it for caches, and
    /// for clients that send no user's token.
    case shared
    /// One value per container, for all locales; the safe choice for everything that belongs to a user.
    case singleton
    /// One value per container and locale, for values that contain texts.
    ///
    /// A container keeps the values of up to 100 locales other than its own.
    case localized
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
///         dependency(.localized) { Greeter(texts: $0.texts()) }
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
        let owner = container.owner(of: scope)
        if scope != .unique, let value = owner.values.value(for: key, as: Value.self) { return value }
        let nested = owner.entering(key)
        let make = owner.storage.overridingFactory(for: key, as: (@Sendable (Container) -> Value).self) ?? make
        // No lock is held here: the factory may resolve other dependencies, and may be slow.
        let value = make(nested)
        return scope == .unique ? value : owner.values.store(value, for: key)
    }

    /// Replaces the factory, in this container only; the last override wins.
    ///
    /// Override dependencies before the container is used: overriding one that has created a value is a fatal error, and so
    /// is overriding a shared one in the container of a user.
    public func override(_ make: @escaping @Sendable (Container) -> Value) {
        // A programming error that no input can cause; the other users would get this user's value.
        if scope == .shared, container.user != nil {
            fatalError("Shared dependency overridden for a user: \(key.name)")
        }
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
