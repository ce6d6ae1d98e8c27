import BrowseDomain

/// A field of a query, such as one for a name, from which a front end makes a form.
///
/// ```swift
/// for field in search.state.fields {
///     print(field.title, field.value(in: search.query))
/// }
/// ```
///
/// Values are strings: what the person typed, or the id of a choice.
public struct QueryField<Query: Sendable>: Identifiable, Sendable {
    /// The values that a field accepts.
    public enum Input: Hashable, Sendable {
        /// Any text.
        case text
        /// One of the choices, in display order.
        case choice([Choice])
    }

    /// A value to choose.
    public struct Choice: Identifiable, Hashable, Sendable {
        /// The stable name, which is unique among the choices of a field.
        public let id: String
        /// The localized title.
        public let title: String
    }

    /// The stable name, which is unique among the fields of a query.
    public let id: String
    /// The localized title.
    public let title: String
    /// The values that the field accepts.
    public let input: Input
    private let get: @Sendable (Query) -> String
    /// Sets a value that the field accepts.
    private let set: @Sendable (String, inout Query) -> Void

    /// Returns the value of the field in a query.
    ///
    /// A value that is none of the choices, such as one that a program set, is `other`, which a
    /// form that sets it keeps.
    public func value(in query: Query) -> String {
        get(query)
    }

    /// Returns whether a value can be set.
    ///
    /// A field accepts any text, or the id of a choice in any case.
    public func accepts(_ value: String) -> Bool {
        guard case .choice(let choices) = input else { return true }
        return choices.contains { $0.id.lowercased() == value.lowercased() }
    }

    /// Returns a query with another value; unchanged if the field doesn't accept it.
    ///
    /// Check values of a person with ``accepts(_:)``. In a test with the trait `.verifiesMocks`,
    /// one that isn't accepted is an issue, unless it's empty or that of the query.
    public func setting(_ value: String, in query: Query) -> Query {
        guard case .choice(let choices) = input, !accepts(value) else { return modified(query) { set(value, &$0) } }
        if !value.isEmpty, value != self.value(in: query) {
            let ids = choices.map(\.id).filter { !$0.isEmpty }.joined(separator: ", ")
            ScreenMisuse.record("setting(_:in:) did nothing: \(id) has no choice \(value). It has \(ids).")
        }
        return query
    }
}

extension QueryField {
    /// Creates a field for text.
    public static func text(
        _ id: String,
        _ title: String,
        _ path: any WritableKeyPath<Query, String> & Sendable
    ) -> QueryField {
        QueryField(id: id, title: title, input: .text, get: { $0[keyPath: path] }, set: { $1[keyPath: path] = $0 })
    }

    /// Creates a field for one of several values.
    ///
    /// - Parameters:
    ///   - id: The field's name.
    ///   - title: The localized label.
    ///   - path: The value in the query.
    ///   - choices: The names, localized titles, and values.
    public static func choice<Value: Equatable & Sendable>(
        _ id: String,
        _ title: String,
        _ path: any WritableKeyPath<Query, Value> & Sendable,
        _ choices: [(id: String, title: String, value: Value)]
    ) -> QueryField {
        let input = Input.choice(choices.map { Choice(id: $0.id, title: $0.title) })
        return QueryField(id: id, title: title, input: input) { query in
            choices.first { $0.value == query[keyPath: path] }?.id ?? "other"
        } set: { id, query in
            guard let choice = choices.first(where: { $0.id.lowercased() == id.lowercased() }) else { return }
            query[keyPath: path] = choice.value
        }
    }
}

extension QueryField: Equatable {
    /// Returns whether two fields look the same in a form.
    public static func == (left: QueryField, right: QueryField) -> Bool {
        left.id == right.id && left.title == right.title && left.input == right.input
    }
}

extension Sequence {
    /// Returns whether choices are equal in two queries, so that a search waits for a pause.
    func haveEqualChoices<Query>(in left: Query, _ right: Query) -> Bool where Element == QueryField<Query> {
        allSatisfy { $0.input == .text || $0.value(in: left) == $0.value(in: right) }
    }

    /// Returns whether all text fields of a query are blank.
    func areBlank<Query>(in query: Query) -> Bool where Element == QueryField<Query> {
        allSatisfy { $0.input != .text || TypedText($0.value(in: query)).isEmpty }
    }

    /// Returns a query whose text fields are normalized.
    func normalizing<Query>(_ query: Query) -> Query where Element == QueryField<Query> {
        reduce(query) { query, field in
            let text = TypedText(field.value(in: query)).withoutCredentials.text
            return field.input == .text ? field.setting(text, in: query) : query
        }
    }
}
