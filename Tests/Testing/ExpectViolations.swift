import BrowseTesting
import Testing

/// Checks that each subject violates rules, but few, and that all rules are violated.
///
/// - Parameters:
///   - rules: The rules.
///   - broken: Creates subjects with one flaw each.
///   - limit: The maximum number of rules that one flaw may violate.
func expectViolations<Subject>(
    of rules: [ConformanceRule<Subject>],
    by broken: [@Sendable () -> Subject],
    atMost limit: Int = 4,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    var missed = Set(rules.map(\.name))
    for (number, make) in broken.enumerated() {
        var violated: [String] = []
        for rule in rules {
            do { try await rule.verify(make()) } catch { violated.append(rule.name) }
        }
        #expect((1...limit).contains(violated.count), "\(number): \(violated)", sourceLocation: sourceLocation)
        missed.subtract(violated)
    }
    #expect(missed.isEmpty, sourceLocation: sourceLocation)
}
