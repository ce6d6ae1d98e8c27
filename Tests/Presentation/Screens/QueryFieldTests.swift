import BrowseDomain
import Testing

@testable import BrowsePresentation
import TestLimits

@Suite(.bounded) struct `The fields of a query` {
    private struct Query: Hashable, Sendable {
        var name = ""
        var size = 1
        var isNew = false

        static let fields: [QueryField<Query>] = [
            .text("name", "Name", \.name),
            .choice("size", "Size", \.size, [("small", "Small", 1), ("large", "Large", 2)]),
            .toggle("new", "New", \.isNew),
        ]
    }

    @Test func `have titles, inputs, and the values of a query`() {
        var query = Query()
        (query.name, query.size, query.isNew) = ("a", 2, true)
        #expect(Query.fields.map(\.title) == ["Name", "Size", "New"])
        let sizes = [("small", "Small"), ("large", "Large")].map { QueryField<Query>.Choice(id: $0.0, title: $0.1) }
        #expect(Query.fields.map(\.input) == [.text, .choice(sizes), .toggle])
        #expect(Query.fields.map { $0.value(in: query) } == ["a", "large", "on"])
        #expect(Query.fields.map { $0.value(in: Query()) } == ["", "small", ""])
        query.size = 3
        #expect(Query.fields[1].value(in: query) == "")
    }

    @Test func `return a query with another value`() {
        let form = ["name": "b", "size": "LARGE", "new": "on"]
        let query = Query.fields.reduce(Query()) { $1.setting(form[$1.id, default: ""], in: $0) }
        #expect(query == Query(name: "b", size: 2, isNew: true))
        #expect(Query.fields[1].setting("huge", in: query) == query)
        #expect(Query.fields[2].setting("", in: query) == Query(name: "b", size: 2))
    }

    @Test func `tell which values they accept`() {
        let answers = ["", "SMALL", "huge", "ON", "yes"]
        #expect(
            Query.fields.map { field in answers.map(field.accepts) } == [
                [true, true, true, true, true], [false, true, false, false, false], [true, false, false, true, false],
            ]
        )
        #expect(Query.fields[2].setting("ON", in: Query()).isNew)
        #expect(Query.fields[2].setting("yes", in: Query(isNew: true)).isNew)
    }

    @Test func `tell a change of text from a change of a choice`() {
        #expect(Query.fields.haveEqualChoices(in: Query(), Query(name: "b")))
        #expect(!Query.fields.haveEqualChoices(in: Query(), Query(name: "b", size: 2)))
        #expect(!Query.fields.haveEqualChoices(in: Query(), Query(isNew: true)))
    }
}
