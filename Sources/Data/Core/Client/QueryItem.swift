extension HTTPClient {
    /// A query parameter with a raw name and value, which are percent-encoded when the request is
    /// created.
    public struct QueryItem: Hashable, Sendable {
        /// The unencoded name.
        public var name: String
        /// The unencoded value.
        public var value: String

        /// Creates a query parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension HTTPClient.QueryItem: CustomStringConvertible, CustomReflectable {
    /// The name, with `***` in place of the value, which may be secret.
    public var description: String { "\(name)=\(ShownText.mask)" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["item": description]) }
}
