import BrowseDomain

/// A view model whose screen shows the results of a query.
///
/// Make a form from the fields in its state, and set the query as a person types:
///
/// ```swift
/// search.query = field.setting(text, in: search.query)
/// ```
@MainActor
public protocol SearchViewModel: ListViewModel where State: SearchScreenState {
    /// The query.
    ///
    /// Setting it updates the results of screens that search while a person types, or clears them if there is nothing to
    /// search for; ``submit()`` searches on every screen. Screens that send a request for each query wait for a pause of
    /// 300 ms if only text changes. Responses to earlier queries are dropped.
    var query: State.Query { get set }

    /// Loads the first page of results at once, even if its rows are shown already.
    func submit() async
}

extension SearchViewModel {
    /// Clears all fields that can be empty, and searches at once.
    public func clearFilter() async {
        query = state.fields.reduce(query) { $1.setting("", in: $0) }
        await submit()
    }
}

/// The state of a screen that shows the results of a query, for screens without a state of their own.
public struct SearchState<Query: Hashable & Sendable, Row: ListRow>: SearchScreenState {
    /// The localized title of the screen.
    public var title: String = ""
    /// The query, as the person typed it.
    public var query: Query
    /// The fields of the query, in display order.
    public var fields: [QueryField<Query>] = []
    /// The reason why the text can't be searched for; `nil` if there is none.
    ///
    /// Blank text has none until it's submitted.
    public var hint: String?
    /// Whether a search begins after the pause.
    public var isWaiting: Bool = false
    /// The number of results on the server; `nil` if it isn't known.
    public var totalCount: Int?
    /// The localized number of results, and whether some of them are missing; `nil` with ``totalCount``.
    public var summary: String?
    /// The rows and the status of the list.
    public var content: ListState<Row> = ListState()
    /// A message beside the list, such as that a favorite couldn't be stored.
    public var notice: Message?

    /// Creates the state of a screen that shows nothing yet.
    public init(_ query: Query) { self.query = query }
}

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
    public private(set) var input: Input
    /// Returns the choice for the value of a query if it's none of the choices.
    private var other: @Sendable (Query) -> Choice? = { _ in nil }
    private let get: @Sendable (Query) -> String
    /// Sets a value that the field accepts.
    private let set: @Sendable (String, inout Query) -> Void

    /// Returns the value of the field in a query.
    ///
    /// A value that is none of the choices, such as one that a program set, has a choice of its own while it's in the query.
    /// Setting that choice keeps the value.
    public func value(in query: Query) -> String {
        get(query)
    }

    /// Returns whether a value can be set.
    ///
    /// A field accepts any text, or the id of a choice in any case.
    public func accepts(_ value: String) -> Bool {
        switch input {
        case .text: true
        case .choice(let choices): choices.contains { $0.id.lowercased() == value.lowercased() }
        }
    }

    /// Returns a query with another value; unchanged if the field doesn't accept it.
    public func setting(_ value: String, in query: Query) -> Query {
        guard accepts(value), value != other(query)?.id else { return query }
        var query = query
        set(value, &query)
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
    ///   - other: Returns the name and the localized title of a value that is none of the choices.
    public static func choice<Value: Equatable & Sendable>(
        _ id: String,
        _ title: String,
        _ path: any WritableKeyPath<Query, Value> & Sendable,
        _ choices: [(id: String, title: String, value: Value)],
        other: @escaping @Sendable (Value) -> (id: String, title: String) = { _ in ("other", "…") }
    ) -> QueryField {
        let input = Input.choice(choices.map { Choice(id: $0.id, title: $0.title) })
        var field = QueryField(id: id, title: title, input: input) { query in
            choices.first { $0.value == query[keyPath: path] }?.id ?? other(query[keyPath: path]).id
        } set: { id, query in
            guard let choice = choices.first(where: { $0.id.lowercased() == id.lowercased() }) else { return }
            query[keyPath: path] = choice.value
        }
        field.other = { query in
            let value = query[keyPath: path]
            guard !choices.contains(where: { $0.value == value }) else { return nil }
            return Choice(id: other(value).id, title: other(value).title)
        }
        return field
    }

    /// Returns the field of a form that shows a query.
    ///
    /// A value that is none of the choices becomes the last one.
    func showing(_ query: Query) -> QueryField {
        guard let choice = other(query), case .choice(let choices) = input else { return self }
        var field = self
        field.input = .choice(choices + [choice])
        return field
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
            field.input == .text ? field.setting(TypedText(field.value(in: query)).text, in: query) : query
        }
    }
}
