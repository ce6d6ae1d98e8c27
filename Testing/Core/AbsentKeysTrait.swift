import BrowseCoreMocks
public import Testing

/// Allows keys that no fixture has; see `allowsAbsentKeys(_:)`.
public struct AbsentKeysTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let keys: Set<String>

    /// `true`, because the trait also applies to the tests of nested suites.
    public var isRecursive: Bool { true }

    /// Runs a test that allows the keys, beside those of an enclosing suite.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await FixtureKeys.$allowed.withValue(FixtureKeys.allowed.union(keys)) { try await function() }
    }
}

extension Trait where Self == AbsentKeysTrait {
    /// Allows keys of an app's types that none of its fixtures or recorded responses has.
    ///
    /// - Parameter keys: The keys, with or without the name of their type, such as
    ///   `BookDTO.subtitle` or `subtitle`.
    public static func allowsAbsentKeys(_ keys: String...) -> AbsentKeysTrait { AbsentKeysTrait(keys: Set(keys)) }
}
