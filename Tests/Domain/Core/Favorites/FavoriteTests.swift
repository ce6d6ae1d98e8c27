import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseRickAndMortyDomain
import TestLimits
import Testing

private func user(_ login: String, _ number: Int64 = 1, avatar: String? = nil) -> GitHub.User {
    GitHub.User(id: .init(rawValue: number), login: .init(login), avatar: avatar.map(WebAddress.init(rawValue:)))
}

private func repo(_ name: String, _ number: Int64 = 1) -> GitHub.Repo {
    GitHub.Repo(id: .init(rawValue: number), name: name, fullName: "octocat/\(name)")
}

@Suite(.bounded) struct `A favorite` {
    @Test func `is identified by its kind and number, not by its title`() {
        #expect(Favorite(user("a", 7, avatar: "https://a.example")).id == Favorite(user("b", 7)).id)
        #expect(Favorite(user("a", 7)).id == Favorite.ID(kind: .user, key: "7"))
        #expect(Favorite(repo("a", 7)).id == Favorite.ID(kind: .repo, key: "7"))
        #expect(Favorite(user("a", 7)).id != Favorite(repo("a", 7)).id)
    }

    @Test func `has the login, or owner and name, as its title`() {
        #expect(Favorite(user("Mona")).title == "Mona")
        #expect(Favorite(repo("tea")).title == "octocat/tea")
    }

    @Test func `has either an equal or an unequal kind, by the bytes of its name`() {
        let (composed, decomposed) = (Favorite.Kind(rawValue: "caf\u{e9}"), Favorite.Kind(rawValue: "cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(!(composed == decomposed))
        #expect(!(composed != composed))
    }

    @Test func `has kinds with fixed names in storage`() {
        #expect([Favorite.Kind.user, .repo, .character, .app].map(\.rawValue) == ["user", "repo", "character", "app"])
    }
}

@Suite(.bounded) struct `Favorite query` {
    @Test(arguments: [
        ("", "Ash", true), ("ash", "Ash", true), ("ASH", "ash", true), ("sh", "Ash", true), ("Ash", "trAsHpanda", true),
        ("ash", "as-h", false), (" ", "ash", true), (" ash ", "Ash", true), ("하늘", "김하늘", true), ("É", "café", true),
        ("e\u{301}", "CAFÉ", true),
        ("ashes", "ash", false), ("[bot]", "helper[bot]", true), ("%", "ash", false), ("_", "ash", false),
        ("*", "ash", false),
    ])
    func `matches part of the name in any case`(filter: String, name: String, isFound: Bool) {
        #expect(FavoriteQuery(filter: filter).includes(Favorite(user(name))) == isFound)
    }

    @Test func `matches owners of code repositories`() {
        #expect(FavoriteQuery(filter: "OCTOCAT/t").includes(Favorite(repo("tea"))))
    }

    @Test func `matches all kinds by default`() {
        let (person, code) = (Favorite(user("a")), Favorite(repo("a")))
        for (kinds, expected) in [
            ([], [true, true]), ([.user], [true, false]), ([.repo], [false, true]), ([.user, .repo], [true, true]),
        ] as [(Set<Favorite.Kind>, [Bool])] {
            #expect([person, code].map(FavoriteQuery(kinds: kinds).includes) == expected)
            #expect([person, code].map(FavoriteQuery(kinds: kinds, filter: "x").includes) == [false, false])
        }
        #expect(FavoriteQuery() == FavoriteQuery(kinds: [], filter: "", order: .added))
    }
}
