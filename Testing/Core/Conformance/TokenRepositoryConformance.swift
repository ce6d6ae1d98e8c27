public import BrowseDomain

/// The rules of `TokenRepository`. Each needs a new repository without credentials.
public enum TokenRepositoryConformance {
    /// The rules for every repository.
    public static var rules: [ConformanceRule<any TokenRepository>] {
        grantRules + userRules
    }

    private typealias Rule = ConformanceRule<any TokenRepository>

    private static var grantRules: [Rule] {
        [
            Rule("Without credentials, there is no grant.") { tokens, require in
                let grant = try await tokens.current()
                try require(grant == nil, "there is one.")
            },
            Rule("Stored credentials are the grant in use.") { tokens, require in
                let credentials = try credentials(1)
                let grant = try await tokens.begin(with: credentials)
                try require(grant.credentials == credentials, "the grant has other credentials.")
                let current = try await tokens.current()
                try require(current == grant, current == nil ? "there is none." : "it's another one.")
            },
            Rule("Signing in again replaces the grant.") { tokens, require in
                let first = try await tokens.begin(with: credentials(1))
                let second = try await tokens.begin(with: credentials(2))
                try require(first.id != second.id, "both have the same identity.")
                let current = try await tokens.current()
                try require(current == second, "the second one isn't in use.")
            },
            Rule("An ended grant is gone, and ending none succeeds.") { tokens, require in
                let first = try await tokens.begin(with: credentials(1))
                try await tokens.end()
                try await tokens.end()
                let current = try await tokens.current()
                try require(current == nil, "it's still in use.")
                let second = try await tokens.begin(with: credentials(1))
                try require(first.id != second.id, "the next one has its identity.")
            },
            Rule("Revoking credentials doesn't end a grant of other ones.") { tokens, require in
                let grant = try await tokens.begin(with: credentials(1))
                try await tokens.revoke(credentials(2))
                let current = try await tokens.current()
                try require(current == grant, "it has ended.")
            },
        ]
    }

    private static var userRules: [Rule] {
        [
            Rule("The user of a grant is stored.") { tokens, require in
                let grant = try await tokens.begin(with: credentials(1))
                await tokens.identify(grant.id, as: user)
                let current = try await tokens.current()
                try require(current?.id == grant.id, "the grant isn't in use.")
                try require(current?.credentials.user == user, "it isn't.")
            },
            Rule("The user of an earlier grant isn't stored.") { tokens, require in
                let first = try await tokens.begin(with: credentials(1))
                let second = try await tokens.begin(with: credentials(2))
                await tokens.identify(first.id, as: user)
                let current = try await tokens.current()
                try require(current == second, "it's stored for the grant in use.")
            },
            Rule("The user of a grant that has ended isn't stored.") { tokens, require in
                let grant = try await tokens.begin(with: credentials(1))
                try await tokens.end()
                await tokens.identify(grant.id, as: user)
                let current = try await tokens.current()
                try require(current == nil, "there is a grant again.")
            },
        ]
    }

    private static let user = StoredUser(ConformanceUser(name: "mona"))

    private static func credentials(_ number: Int) throws -> Credentials {
        Credentials(token: try AccessToken("conformance-token-\(number)"))
    }
}
