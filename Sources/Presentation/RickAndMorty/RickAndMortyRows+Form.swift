import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain

extension CharacterRow {
    /// Returns the fields of a filter for characters.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.CharacterFilter>] {
        let statuses = RickAndMorty.Character.Status.known.map { ($0.rawValue, texts.status($0), Optional($0)) }
        let genders = RickAndMorty.Character.Gender.known.map { ($0.rawValue, texts.gender($0), Optional($0)) }
        return [
            .text("name", texts(.name), \.name),
            .choice("status", texts(.status), \.status, [("", texts(.any), nil)] + statuses) {
                ($0?.rawValue ?? "", texts.status($0))
            },
            .choice("gender", texts(.gender), \.gender, [("", texts(.any), nil)] + genders) {
                ($0?.rawValue ?? "", texts.gender($0))
            },
            .text("species", texts(.species), \.species),
            .text("type", texts(.type), \.type),
        ]
    }

    /// Returns the facts about the character; places have routes.
    public func facts(in texts: Texts) -> [Fact] {
        func place(_ id: Fact.ID, _ label: Phrase, _ name: String, _ place: RickAndMorty.Character.Place) -> Fact {
            let route = place.id.map { Route.rickAndMorty(.location($0)) }
            return Fact(id, texts(label), name, isMissing: place.name == nil, route: route)
        }
        return [
            Fact("status", texts(.status), status, isMissing: character.status == nil),
            Fact("species", texts(.species), species, isMissing: character.species == nil),
            Fact("type", texts(.type), type, isMissing: character.type == nil),
            Fact("gender", texts(.gender), gender, isMissing: character.gender == nil),
            place("origin", .origin, origin, character.origin),
            place("location", .lastLocation, location, character.location),
        ]
    }
}

extension EpisodeRow {
    /// Returns the fields of a filter for episodes.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.EpisodeFilter>] {
        [.text("name", texts(.name), \.name), .text("code", texts(.code), \.code)]
    }

    /// Returns the facts about the episode.
    public func facts(in texts: Texts) -> [Fact] {
        [
            Fact("code", texts(.code), code, isMissing: episode.code == nil),
            Fact("airDate", texts(.airDate), airDate, isMissing: episode.airDate == nil),
        ]
    }
}

extension LocationRow {
    /// Returns the fields of a filter for locations.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.LocationFilter>] {
        [
            .text("name", texts(.name), \.name), .text("type", texts(.type), \.type),
            .text("dimension", texts(.dimension), \.dimension),
        ]
    }

    /// Returns the facts about the location.
    public func facts(in texts: Texts) -> [Fact] {
        [
            Fact("type", texts(.type), type, isMissing: location.type == nil),
            Fact("dimension", texts(.dimension), dimension, isMissing: location.dimension == nil),
        ]
    }
}
