import BrowseKit
import Foundation

extension RickAndMorty.Character {
    /// The name, ID, status, species, and image.
    var fields: [String] {
        [name, String(id.rawValue), status?.rawValue ?? "", species ?? "", image?.rawValue ?? ""]
    }

    func json(isFavorite: Bool) -> JSON {
        .object([
            "name": .text(name), "id": .number(id.rawValue), "status": JSON(status?.rawValue), "species": JSON(species),
            "type": JSON(type), "gender": JSON(gender?.rawValue), "origin": JSON(origin.name),
            "location": JSON(location.name), "image": JSON(image?.rawValue),
            "episodes": .list(episodes.map { .number($0.rawValue) }), "created": JSON(created?.formatted(.iso8601)),
            "favorite": .flag(isFavorite),
        ])
    }
}

extension RickAndMorty.Episode {
    var json: JSON {
        .object([
            "name": .text(name), "id": .number(id.rawValue), "code": JSON(code), "air_date": JSON(airDate),
            "characters": .list(characters.map { .number($0.rawValue) }), "created": JSON(created?.formatted(.iso8601)),
        ])
    }
}

extension RickAndMorty.Location {
    var json: JSON {
        .object([
            "name": .text(name), "id": .number(id.rawValue), "type": JSON(type), "dimension": JSON(dimension),
            "residents": .list(residents.map { .number($0.rawValue) }), "created": JSON(created?.formatted(.iso8601)),
        ])
    }
}

extension AppStore.App {
    /// The name, ID, bundle ID, genre, developer, and page.
    var fields: [String] {
        [
            name, String(id.number), bundleID.map { "\($0)" } ?? "", genre ?? "", developer?.name ?? "",
            link.rawValue,
        ]
    }

    func json(isFavorite: Bool) -> JSON {
        .object([
            "name": .text(name), "id": .number(id.number), "bundle_id": JSON(bundleID.map { "\($0)" }),
            "developer": JSON(developer?.name), "genre": JSON(genre), "price": JSON(price?.text),
            "rating": JSON(rating.map { "\($0.average)" }), "rating_count": JSON(rating?.count),
            "version": JSON(version), "age_rating": JSON(ageRating), "size": fileSize.map(JSON.number) ?? .null,
            "version_date": JSON(versionDate?.formatted(.iso8601)), "seller": JSON(developer?.sellerName),
            "release_date": JSON(releaseDate?.formatted(.iso8601)), "icon": JSON(icon.forRow?.rawValue),
            "languages": .list(languageCodes.map(JSON.text)), "minimum_os": JSON(minimumOSVersion),
            "description": JSON(description), "release_notes": JSON(releaseNotes),
            "screenshots": .list(screenshots.shown.map { .text($0.rawValue) }), "link": .text(link.rawValue),
            "favorite": .flag(isFavorite),
        ])
    }
}
