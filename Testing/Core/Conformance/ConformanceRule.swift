public import Testing

/// A rule for the types that conform to a protocol, to run as a test of your own type.
///
/// ```swift
/// @Test(arguments: TokenStoreConformance.rules)
/// func storesTokens(rule: ConformanceRule<any TokenStore>) async throws {
///     try await rule.verify(InMemoryTokenStore())
/// }
/// ```
public struct ConformanceRule<Subject: Sendable>: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence.
    public let name: String
    private let check: @Sendable (_ subject: Subject, _ require: Requirement) async throws -> Void

    package init(
        _ name: String,
        _ check: @escaping @Sendable (_ subject: Subject, _ require: Requirement) async throws -> Void
    ) {
        self.name = name
        self.check = check
    }

    /// The rule as a sentence.
    public var testDescription: String { name }

    /// Checks a new subject; the rule may modify it.
    ///
    /// - Throws: ``ConformanceViolation``, or the error of a call that should succeed.
    public func verify(_ subject: Subject) async throws {
        try await check(subject, Requirement(rule: name))
    }
}
