extension Favorite {
    /// The picture that a row of it shows: of an account, of a code repository's owner, of a character, or an app's icon.
    public var picture: WebAddress? {
        switch self {
        case .user(let user): user.avatar
        case .repo(let repo): repo.owner?.avatar
        case .character(let character): character.image
        case .app(let app): app.icon.forRow
        }
    }
}
