/// A list in a template that has an element of its own, such as `<dl>`.
///
/// Mustache renders a section once for each element of an array. A group is rendered once, and not at all if it's `nil`.
struct Group<Element: Sendable>: Sendable {
    let list: [Element]

    /// Creates a group; `nil` without elements.
    init?(_ list: [Element]) {
        guard !list.isEmpty else { return nil }
        self.list = list
    }
}
