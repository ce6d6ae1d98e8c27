package import Foundation

/// A signed-in user in encoded form, as ``Credentials`` store it.
public struct StoredUser: Hashable, Sendable {
    /// The ``SessionUser/accountID``.
    package let accountID: String
    /// The encoded user; empty if it couldn't be encoded.
    package let data: Data

    package init(accountID: String, data: Data) {
        self.accountID = accountID
        self.data = data
    }

    /// Encodes a user; one that can't be encoded is loaded again by the next session that is
    /// restored.
    package init(_ user: some SessionUser) {
        let encoder = JSONEncoder()
        // Equal users have equal bytes.
        encoder.outputFormatting = .sortedKeys
        // Much less than a store of credentials can hold.
        let data = (try? encoder.encode(user)).flatMap { $0.count <= 1 << 19 ? $0 : nil }
        self.init(accountID: user.accountID, data: data ?? Data())
    }

    /// Decodes the user; `nil` if another type of user was stored.
    package func user<User: SessionUser>(as type: User.Type = User.self) -> User? {
        try? JSONDecoder().decode(type, from: data)
    }
}
