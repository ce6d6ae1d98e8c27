public import BrowsePresentation
import BrowseRickAndMortyDomain

/// The localized details of an entity, which also have the properties of its row.
@dynamicMemberLookup
public struct RickAndMortyDetails<Row: RickAndMortyRow>: EntityDetails {
    let row: Row
    /// The name.
    public let name: String
    /// The facts about the entity.
    public let facts: [Fact]
    /// The day on which the API added the entity.
    public let created: String

    init(_ entity: Row.Entity, texts: Texts) {
        row = Row(entity, texts: texts)
        name = entity.name
        created = entity.created.map(texts.formats.day) ?? texts(.noValue)
        facts =
            row.facts(in: texts) + [
                Fact("related", texts(Row.relatedTitle), texts(.count(Set(entity.related).count))),
                Fact("created", texts(.created), created, isMissing: entity.created == nil),
            ]
    }

    /// A property of the row.
    public subscript<Value>(dynamicMember property: KeyPath<Row, Value>) -> Value { row[keyPath: property] }
}
