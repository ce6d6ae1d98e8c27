@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// A code repository, as GitHub's lists describe it.
    ///
    /// Values that a response lacks are `nil`. Optional strings are trimmed, and blank ones are `nil`.
    public struct Repo: Identifiable, Hashable, Codable, Sendable {
        /// A license that GitHub has recognized, or found but not recognized.
        public struct License: Hashable, Codable, Sendable {
            /// GitHub's key, as in `mit`.
            public let key: String
            /// The name, as in `MIT License`.
            public let name: String
            /// The SPDX identifier, as in `MIT`; `NOASSERTION` if GitHub doesn't recognize the license.
            public let spdxID: String?

            /// Creates a license.
            public init(key: String, name: String, spdxID: String? = nil) {
                self.key = key
                self.name = name
                self.spdxID = spdxID
            }
        }

        /// GitHub's number, which doesn't change with the name or the owner. Names aren't unique.
        public let id: NumericID<Repo>
        /// The name without the owner.
        public let name: String
        /// Owner and name, as in `swiftlang/swift`.
        public let fullName: String
        /// The owner; `nil` if the server didn't report it.
        public let owner: User?
        /// The description that the owner wrote.
        public let summary: String?
        /// The main programming language.
        public let language: String?
        /// The topics that the owner assigned.
        public let topics: [String]
        /// The license; `nil` if GitHub found none.
        public let license: License?
        /// The number of stars.
        public let starCount: Int?
        /// The number of forks.
        public let forkCount: Int?
        /// Whether it's a fork of another repository.
        public let isFork: Bool
        /// Whether it's archived, and therefore read-only.
        public let isArchived: Bool
        /// Whether it's private.
        public let isPrivate: Bool
        /// The date of the last change.
        public let updatedAt: Date?
        /// The web page; `nil` if the server didn't report it.
        public let webPage: WebAddress?

        /// Creates a repository.
        public init(
            id: ID,
            name: String,
            fullName: String,
            owner: User? = nil,
            summary: String? = nil,
            language: String? = nil,
            topics: [String] = [],
            license: License? = nil,
            starCount: Int? = nil,
            forkCount: Int? = nil,
            isFork: Bool = false,
            isArchived: Bool = false,
            isPrivate: Bool = false,
            updatedAt: Date? = nil,
            webPage: WebAddress? = nil
        ) {
            self.id = id
            self.name = name
            self.fullName = fullName
            self.owner = owner
            self.summary = summary?.nonBlank
            self.language = language?.nonBlank
            self.topics = topics
            self.license = license
            self.starCount = starCount
            self.forkCount = forkCount
            self.isFork = isFork
            self.isArchived = isArchived
            self.isPrivate = isPrivate
            self.updatedAt = updatedAt
            self.webPage = webPage
        }
    }
}

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A GitHub code repository.
    public static let repo: Favorite.Kind = Favorite.Kind(rawValue: "repo")
}

extension GitHub.Repo: Favoritable {
    /// The kind ``Favorite/Kind/repo``.
    public static var favoriteKind: Favorite.Kind { .repo }
    /// The repository's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// Owner and name.
    public var favoriteTitle: String { fullName }
    /// The owner's avatar.
    public var favoriteImage: WebAddress? { owner?.avatar }
}
