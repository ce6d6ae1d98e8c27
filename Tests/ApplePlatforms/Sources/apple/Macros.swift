/// Replaces the macros that come with Xcode by what they stand for, and leaves every line where it is.
///
/// - `#Preview("Name") {` becomes a value that is made by the initializer with the macro's parameters, so the body is compiled as
///   the macro's is.
/// - `@Entry var name: Value = value` becomes a computed property, and so does `@Entry var name: Value?`, whose value is `nil`. It
///   needs a type, and has to be on one line.
func expandingMacros(in text: String) -> String {
    guard text.contains("#Preview") || text.contains("@Entry") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
        String(line)
            .replacing(/^#Preview\b/) { _ in "@MainActor private let preview\(number): Preview = Preview" }
            .replacing(/@Entry (public )?var (\w+): ([^=]+) = (.*)$/) {
                "\($0.1 ?? "")var \($0.2): \($0.3) { get { \($0.4) } set {} }"
            }
            .replacing(/@Entry var (\w+): ([^=]+\?)$/) { "var \($0.1): \($0.2) { get { nil } set {} }" }
    }.joined(separator: "\n")
}
