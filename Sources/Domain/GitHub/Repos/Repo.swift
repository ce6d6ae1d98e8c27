public import BrowseDomain
public import Foundation

extension GitHub {
    /// A code repository, as GitHub's lists describe it.
    ///
    /// Values that a response lacks, or that are blank, are `nil`.
    public struct Repo: Identifiable, Hashable, Codable, Sendable {
        /// A license that GitHub has recognized, or found but not recognized.
        public struct License: Hashable, Codable, Sendable {
            /// The name, as in `MIT License`.
            public let name: String
            /// The SPDX identifier, as in `MIT`; `NOASSERTION` if GitHub doesn't recognize the
            /// license.
            public let spdxID: String?

            /// Creates a license.
            public init(name: String, spdxID: String? = nil) {
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
        public var owner: User?
        /// The description that the owner wrote.
        public var summary: String?
        /// The main programming language.
        public var language: String?
        /// The topics that the owner assigned.
        public var topics: [String] = []
        /// The license; `nil` if GitHub found none.
        public var license: License?
        /// The number of stars.
        public var starCount: Int?
        /// The number of forks.
        public var forkCount: Int?
        /// Whether it's a fork of another repository.
        public var isFork: Bool = false
        /// Whether it's archived, and therefore read-only.
        public var isArchived: Bool = false
        /// Whether it's private.
        public var isPrivate: Bool = false
        /// The date of the last change.
        public var updatedAt: Date?
        /// The web page; `nil` if the server didn't report it.
        public var webPage: WebAddress?

        /// Creates a repository, and sets its other values with a closure.
        public init(id: ID, name: String, fullName: String, _ fill: (inout Self) -> Void = { _ in }) {
            self.id = id
            self.name = name
            self.fullName = fullName
            fill(&self)
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
