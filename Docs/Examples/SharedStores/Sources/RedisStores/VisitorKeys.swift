/// The keys of one visitor, which expire together.
struct VisitorKeys: Sendable {
    /// The time from the last visit until the keys expire: two days longer than the website's cookie.
    static let lifetime = Duration.seconds(32 * 86_400)

    /// The favorites, and the numbers of their changes.
    let favorites: [String]
    /// The credentials.
    let token: String
    /// The id in the visitor's cookie, once it was replaced.
    let current: String
    /// The sign-in in progress, which has a lifetime of its own.
    let pendingSignIn: String

    init(of visitor: String, _ client: RedisClient) {
        let items = client.prefix + "favorites:" + visitor
        favorites = [items, items + ":meta"]
        token = client.prefix + "token:" + visitor
        current = client.prefix + "current:" + visitor
        pendingSignIn = client.prefix + "sign-in:" + visitor
    }

    /// All keys that expire together, those of favorites first.
    var all: [String] { favorites + [token, current] }
}
