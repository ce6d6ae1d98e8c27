#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// A code repository as it stands in a list: what a row shows.
    ///
    /// GitHub's lists tell more or less of each. What a response did not tell is `nil`, never a made-up zero; texts that are
    /// empty or only white space are `nil`, and what is there is trimmed.
    public struct Repo: Identifiable, Hashable, Codable, Sendable {
        /// GitHub's number for a code repository; it stays when the repository is renamed or moves to another owner.
        public struct ID: RawRepresentable, Hashable, Codable, Sendable {
            /// The number, 64 bit as in GitHub's OpenAPI description.
            public let rawValue: Int64

            /// Takes the number that the server gave.
            public init(rawValue: Int64) {
                self.rawValue = rawValue
            }
        }

        /// The terms under which the code may be used.
        public struct License: Hashable, Codable, Sendable {
            /// GitHub's key for it, as in `mit`.
            public let key: String
            /// Its name, as in `MIT License`.
            public let name: String
            /// Its SPDX identifier, as in `MIT`; `NOASSERTION` when GitHub does not know it.
            public let spdxID: String?

            /// Creates a licence; used by mappers and tests.
            public init(key: String, name: String, spdxID: String? = nil) {
                self.key = key
                self.name = name
                self.spdxID = spdxID
            }
        }

        /// The identity: two values with the same id are the same code repository. Names are not unique.
        public let id: ID
        /// The name without the owner.
        public let name: String
        /// Owner and name, as in `swiftlang/swift`.
        public let fullName: String
        /// Who owns it, when the server said so.
        public let owner: User?
        /// What it is for.
        public let summary: String?
        /// The language that most of it is written in.
        public let language: String?
        /// The subjects that its owner filed it under.
        public let topics: [String]
        /// The terms under which the code may be used.
        public let license: License?
        /// How many people starred it.
        public let starCount: Int?
        /// How many copies people made of it.
        public let forkCount: Int?
        /// Whether it is a copy of another one.
        public let isFork: Bool
        /// Whether it takes no more changes.
        public let isArchived: Bool
        /// Whether only some may see it.
        public let isPrivate: Bool
        /// When it last changed.
        public let updatedAt: Date?
        /// Its page on the web, when the server said so.
        public let webPage: WebAddress?

        /// Creates a row; texts are trimmed and emptied ones become `nil`.
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
