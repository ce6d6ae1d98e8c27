/// Throws a violation when a condition of a rule isn't met.
package struct Requirement: Sendable {
    let rule: String

    package func callAsFunction(_ condition: Bool, _ actual: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw ConformanceViolation(description: "Rule violated: \(rule) Instead: \(actual())")
    }
}
