import BrowseDomain
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded) struct `The fields of a query` {
    private struct Query: Hashable, Sendable {
        var name = ""
        var size = 1

        static let fields: [QueryField<Query>] = [
            .text("name", "Name", \.name),
            .choice("size", "Size", \.size, [("small", "Small", 1), ("large", "Large", 2)]),
        ]
    }

    @Test func `have titles, inputs, and the values of a query`() {
        var query = Query()
        (query.name, query.size) = ("a", 2)
        #expect(Query.fields.map(\.title) == ["Name", "Size"])
        let sizes = [("small", "Small"), ("large", "Large")].map { QueryField<Query>.Choice(id: $0.0, title: $0.1) }
        #expect(Query.fields.map(\.input) == [.text, .choice(sizes)])
        #expect(Query.fields.map { $0.value(in: query) } == ["a", "large"])
        #expect(Query.fields.map { $0.value(in: Query()) } == ["", "small"])
    }

    @Test func `return a query with another value`() {
        let form = ["name": "b", "size": "LARGE"]
        let query = Query.fields.reduce(Query()) { $1.setting(form[$1.id, default: ""], in: $0) }
        #expect(query == Query(name: "b", size: 2))
        #expect(Query.fields[1].setting("huge", in: query) == query)
    }

    @Test func `keep a value that is none of the choices when a form is submitted`() {
        let query = Query(size: 3)
        #expect(Query.fields.reduce(query) { $1.setting($1.value(in: query), in: $0) } == query)
        #expect(Query.fields[1].setting("large", in: query) == Query(size: 2))
    }

    @Test func `tell which values they accept`() {
        let answers = ["", "SMALL", "huge", "ON", "yes"]
        #expect(
            Query.fields.map { field in answers.map(field.accepts) } == [
                [true, true, true, true, true], [false, true, false, false, false],
            ]
        )
    }

    @Test func `tell a change of text from a change of a choice`() {
        #expect(Query.fields.haveEqualChoices(in: Query(), Query(name: "b")))
        #expect(!Query.fields.haveEqualChoices(in: Query(), Query(name: "b", size: 2)))
    }
}
