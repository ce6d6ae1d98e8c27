import BrowseDomain
import Foundation
import Testing

@testable import BrowseData

/// A favorites file in the format of versions 1 and 2, and its contents.
enum OldFavorites {
    /// Creates the file with the statements of the old code and the rows that it wrote.
    static func write(to file: StorageFile, version: Int, more rows: [String] = []) throws {
        try file.locked {
            try file.create()
            let database = try Database(file.url)
            try database.run("PRAGMA journal_mode = WAL")
            for statement in [table, byName] + (version > 1 ? [byKind] : []) { try database.run(statement) }
            for row in self.rows + rows { try database.run("INSERT INTO favorite VALUES \(row)") }
            try database.run("DELETE FROM sqlite_sequence")
            // The last favorite was removed.
            try database.run("INSERT INTO sqlite_sequence VALUES ('favorite', 99)")
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    private static let table = """
        CREATE TABLE favorite (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            picture TEXT,
            page TEXT,
            detail BLOB,
            section_rank INTEGER NOT NULL,
            section TEXT NOT NULL,
            folded TEXT NOT NULL,
            UNIQUE (kind, number)
        )
        """
    private static let byName =
        "CREATE INDEX favorite_by_name ON favorite (section_rank, section, folded, kind, number)"
    private static let byKind =
        "CREATE INDEX favorite_by_kind ON favorite (kind, section_rank, section, folded, number)"

    private static let rows = [
        #"""
        (1, 'user', 9, '하늘', 'https://example.com/a.png', 'https://example.com/9', CAST('{"type":"Bot"}' AS BLOB),
        0, '하', '하늘')
        """#,
        "(2, 'user', 7, 'mona', NULL, NULL, NULL, 0, 'M', 'mona')",
        #"""
        (3, 'repo', 9223372036854775807, '하늘/C++ "quoted"', 'https://example.com/a.png', 'https://example.com/r', CAST(
        '{"license":{"name":"MIT License","spdxID":"MIT","key":"mit"},"isArchived":true,"isFork":true,"updatedAt":1700000000,
        "language":"C++","summary":"emoji 👩‍👩‍👧 and a NUL \u0000 inside","forks":0,"topics":["a","b"],"name":"C++ \"quoted\"",
        "stars":12,"isPrivate":true,"owner":{"login":"하늘","type":"Bot","id":9,"page":"https:\/\/example.com\/9"}}' AS BLOB),
        0, '하', '하늘/c++ "quoted"')
        """#,
        #"""
        (4, 'repo', -5, '', NULL, NULL, CAST(
        '{"isPrivate":false,"isArchived":false,"name":"","topics":[],"isFork":false}' AS BLOB), 2, '#', '')
        """#,
        #"""
        (5, 'character', 1, 'Rick '||char(0)||' Sanchez', 'https://example.com/1.jpeg', NULL, CAST(
        '{"location":{"name":"Citadel"},"gender":"Male","species":"Human","status":"Somewhere new","created":1510000000.125,
        "type":"x","origin":{"id":1,"name":"Earth"},"episodes":[3,1]}' AS BLOB), 0, 'R', 'rick '||char(0)||' sanchez')
        """#,
        #"""
        (6, 'character', 0, '', NULL, NULL, CAST('{"episodes":[],"origin":{},"location":{}}' AS BLOB), 2, '#', '')
        """#,
        #"""
        (7, 'app', 9223372036854775807, '배달 앱', 'https://example.com/m/0', 'https://apps.apple.com/kr/app/id1', CAST(
        '{"icon":{"medium":"https:\/\/example.com\/m\/0","small":"https:\/\/example.com\/s\/0","large":"https:\/\/example.com\/l\/0"},
        "minimumOSVersion":"13.0","releaseNotes":"notes","screenshots":{"main":["https:\/\/example.com\/main\/0"],
        "appleTV":["https:\/\/example.com\/tv\/0"],"iPad":["https:\/\/example.com\/iPad\/0"]},"description":"d\n\ne",
        "bundleID":"com.example.배달_앱","genre":"Food","genres":["Food","Lifestyle"],"ageRating":"12+","version":"1.2.3",
        "rating":{"average":4.7,"count":12345},"developer":{"webPage":"https:\/\/example.com","sellerName":"Example Inc.",
        "name":"Example","storePage":"https:\/\/apps.apple.com\/dev"},"releaseDate":1510000000.125,"advisories":["a","b"],
        "fileSize":124699648,"versionDate":1510000000.125,"price":{"currency":"KRW","text":"₩1","amount":"1234567890.01"},
        "languageCodes":["ko","en"]}' AS BLOB), 0, '배', '배달 앱')
        """#,
        #"""
        (8, 'app', -1, '', NULL, NULL, CAST('{"icon":{},"genres":[],"screenshots":{"appleTV":[],"iPad":[],"main":[]},
        "advisories":[],"languageCodes":[]}' AS BLOB), 2, '#', '')
        """#,
    ]

    /// The entities of the file, in the order they were added.
    static var favorites: [Favorite] {
        [
            Favorite(owner), Favorite(GitHub.User(id: .init(rawValue: 7), login: .init("mona"))), Favorite(repo),
            Favorite(GitHub.Repo(id: .init(rawValue: -5), name: "", fullName: "")), Favorite(character),
            Favorite(RickAndMorty.Character(id: .init(rawValue: 0), name: "")), Favorite(app),
            Favorite(AppStore.App(id: AppStore.AppID(rawValue: -1), name: "")),
        ]
    }

    private static func address(_ path: String) -> WebAddress { WebAddress(rawValue: "https://example.com" + path) }

    private static var owner: GitHub.User {
        GitHub.User(
            id: .init(rawValue: 9),
            login: .init("하늘"),
            avatar: address("/a.png"),
            webPage: address("/9"),
            kind: .bot
        )
    }

    private static var repo: GitHub.Repo {
        GitHub.Repo(
            id: .init(rawValue: .max),
            name: "C++ \"quoted\"",
            fullName: "하늘/C++ \"quoted\"",
            owner: owner,
            summary: "emoji 👩‍👩‍👧 and a NUL \u{0} inside",
            language: "C++",
            topics: ["a", "b"],
            license: GitHub.Repo.License(key: "mit", name: "MIT License", spdxID: "MIT"),
            starCount: 12,
            forkCount: 0,
            isFork: true,
            isArchived: true,
            isPrivate: true,
            updatedAt: Date(timeIntervalSince1970: 1_700_000_000),
            webPage: address("/r")
        )
    }

    private static var character: RickAndMorty.Character {
        RickAndMorty.Character(
            id: .init(rawValue: 1),
            name: "Rick \u{0} Sanchez",
            status: .init(rawValue: "Somewhere new"),
            species: "Human",
            type: "x",
            gender: .male,
            origin: .init(name: "Earth", id: .init(rawValue: 1)),
            location: .init(name: "Citadel", id: nil),
            image: address("/1.jpeg"),
            episodes: [.init(rawValue: 3), .init(rawValue: 1)],
            created: Date(timeIntervalSince1970: 1_510_000_000.125)
        )
    }

    private static var app: AppStore.App {
        let date = Date(timeIntervalSince1970: 1_510_000_000.125)
        return AppStore.App(
            id: AppStore.AppID(rawValue: .max),
            name: "배달 앱",
            bundleID: AppStore.BundleID(rawValue: "com.example.배달_앱"),
            developer: .init(
                name: "Example",
                sellerName: "Example Inc.",
                storePage: WebAddress(rawValue: "https://apps.apple.com/dev"),
                webPage: address("")
            ),
            icon: .init(small: address("/s/0"), medium: address("/m/0"), large: address("/l/0")),
            genre: "Food",
            genres: ["Food", "Lifestyle"],
            rating: AppStore.Rating(average: 4.7, count: 12_345),
            ageRating: "12+",
            advisories: ["a", "b"],
            description: "d\n\ne",
            version: "1.2.3",
            versionDate: date,
            releaseNotes: "notes",
            releaseDate: date,
            screenshots: .init(main: [address("/main/0")], iPad: [address("/iPad/0")], appleTV: [address("/tv/0")]),
            price: .init(amount: Decimal(string: "1234567890.01"), currency: "KRW", text: "₩1"),
            fileSize: 124_699_648,
            minimumOSVersion: "13.0",
            languageCodes: ["ko", "en"],
            storePage: WebAddress(rawValue: "https://apps.apple.com/kr/app/id1")
        )
    }
}
