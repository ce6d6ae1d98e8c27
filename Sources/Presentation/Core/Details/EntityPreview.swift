/// An entity that a screen shows until it has loaded it, such as that of a row or a favorite.
///
/// It's never shown as current for longer than a minute: see ``PreviewSource``.
public struct EntityPreview<Value: Sendable>: Sendable {
    /// The entity.
    public let value: Value
    /// The source of the entity.
    public let source: PreviewSource

    /// Creates a preview; by default, of a copy that was saved earlier.
    public init(_ value: Value, from source: PreviewSource = .saved) {
        self.value = value
        self.source = source
    }
}
