import BrowseDomain
import Foundation

/// What a character's favourite keeps beside its columns.
struct CharacterDetail: Codable {
    struct Place: Codable {
        let name: String?
        let id: Int64?

        init(_ place: RickAndMorty.Character.Place) {
            name = place.name
            id = place.id?.rawValue
        }

        var place: RickAndMorty.Character.Place {
            RickAndMorty.Character.Place(name: name, id: id.map(RickAndMorty.Location.ID.init(rawValue:)))
        }
    }

    let status: String?
    let species: String?
    let type: String?
    let gender: String?
    let origin: Place
    let location: Place
    let episodes: [Int64]
    /// Seconds since 1970.
    let created: Double?

    init(_ character: RickAndMorty.Character) {
        status = character.status?.rawValue
        species = character.species
        type = character.type
        gender = character.gender?.rawValue
        origin = Place(character.origin)
        location = Place(character.location)
        episodes = character.episodes.map(\.rawValue)
        created = character.created?.storedSeconds
    }

    func character(
        id: RickAndMorty.Character.ID,
        name: String,
        image: WebAddress?
    ) -> RickAndMorty.Character {
        RickAndMorty.Character(
            id: id,
            name: name,
            status: status.map(RickAndMorty.Character.Status.init(rawValue:)),
            species: species,
            type: type,
            gender: gender.map(RickAndMorty.Character.Gender.init(rawValue:)),
            origin: origin.place,
            location: location.place,
            image: image,
            episodes: episodes.map(RickAndMorty.Episode.ID.init(rawValue:)),
            created: created.map(Date.init(timeIntervalSince1970:))
        )
    }
}

extension Date {
    /// The date as it is stored; `nil` when it is infinitely far away, for which JSON has no word.
    var storedSeconds: Double? {
        timeIntervalSince1970.isFinite ? timeIntervalSince1970 : nil
    }
}
