public import BrowseCore
import BrowseCoreMocks
public import BrowsePresentation

/// The rules of the services in a container, and of their screens.
public enum ServiceConformance {
    /// The rules for the services of a container, and for screens of theirs.
    ///
    /// ```swift
    /// @Test(arguments: ServiceConformance.rules(screens: [BookScreen.book("OL100W"), BookScreen.subject("Tea")]))
    /// func `are registered without mistakes`(rule: ConformanceRule<Container>) async throws {
    ///     try await rule.verify(Container(services: [BooksSettings.self]))
    /// }
    /// ```
    ///
    /// A test with the trait `.verifiesMocks` checks the services of its containers by itself, but
    /// not their screens.
    ///
    /// - Parameters:
    ///   - screens: A screen for each form of the paths, with identifiers as the service has them.
    ///   - types: The types whose paths the app reads, with `Route(path:among:)`; empty stands for
    ///     those of `screens`.
    public static func rules(
        screens: [any RouteDestination],
        among types: [any RouteDestination.Type] = []
    ) -> [ConformanceRule<Container>] {
        let types = types.isEmpty ? distinct(screens.map { type(of: $0) }) : types
        return [
            ConformanceRule("Each service is registered once, with a name of its own.") { container, require in
                let shared = container.sharedServiceNames
                try require(shared.isEmpty, shared.joined(separator: " "))
            },
            ConformanceRule("The settings of each service are valid, also the default ones.") { container, require in
                for service in container.services {
                    if let problem = service.problem(in: container.configuration) { try require(false, "\(problem)") }
                }
            },
            ConformanceRule("Each kind of favorites belongs to one service.") { container, require in
                let shared = container.sharedFavoriteKinds
                try require(shared.isEmpty, shared.joined(separator: " "))
            },
            ConformanceRule("The paths of each type of screens begin with a name of its own.") { _, require in
                let reserved = (name: "sign-in", owner: "Route")
                let names = types.map { (name: $0.routeName, owner: String(reflecting: $0)) }
                let shared = Registration.shared("name", [reserved] + names)
                try require(shared.isEmpty, shared.joined(separator: " "))
            },
            ConformanceRule("Each screen has a path of its own, and is read back from it.") { _, require in
                var paths: [(name: String, owner: String)] = []
                for screen in screens {
                    let type = type(of: screen)
                    let isKnown = types.contains { $0 == type }
                    try require(isKnown, "the app doesn't read paths of \(type): pass it in among:, too.")
                    guard let path = Route.other(Route.Destination(screen)).path else {
                        return try require(
                            false,
                            "\(screen) has a segment that is empty, `.`, or `..`, or too long a path."
                        )
                    }
                    let result = type.init(routePath: screen.routePath)
                    let actual = result.map { "\($0), whose path is \($0.routePath)" } ?? "nil"
                    let isRead = Route(path: path, among: [type]) != nil
                    try require(isRead, "\(type)(routePath: \(screen.routePath)) is \(actual).")
                    paths.append((path, "\(screen)"))
                }
                let shared = Registration.shared("path", paths)
                try require(shared.isEmpty, shared.joined(separator: " "))
            },
        ]
    }

    private static func distinct(_ types: [any RouteDestination.Type]) -> [any RouteDestination.Type] {
        var known: Set<ObjectIdentifier> = []
        return types.filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}

extension ServiceSettings {
    /// The problem of the settings in a configuration; `nil` if they are valid.
    fileprivate static func problem(in configuration: Configuration) -> Configuration.Problem? {
        let settings = configuration[Self.self]
        do throws(Configuration.Problem) {
            try settings.service(in: configuration).validate(as: name)
            try settings.validate(in: configuration)
            return nil
        } catch {
            return error
        }
    }
}
