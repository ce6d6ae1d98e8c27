/// The violation of a rule, which a test reports as its error.
public struct ConformanceViolation: Error, CustomStringConvertible {
    /// The rule, and the actual behavior.
    public let description: String
}
