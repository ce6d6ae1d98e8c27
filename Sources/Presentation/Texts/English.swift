extension Phrase {
    func english(_ formats: Formats) -> String {
        switch self {
        case .followersTitle(let login): "Followers of \(login)"
        case .followingTitle(let login): "Followed by \(login)"

        case .usernameEmpty: "Type a username."
        case .usernameCharacter(let character):
            "“\(character.visible)” can’t be in a username: use letters, digits and hyphens."
        case .usernameTooLong(let excess): "\(formats.number(excess)) too many: a username has at most 39 characters."
        case .usernameHyphenAtEdge: "A username can’t begin or end with a hyphen."
        case .usernameDoubleHyphen: "A username can’t have two hyphens in a row."

        case .noFollowersTitle: "No followers"
        case .noFollowers(let login): "Nobody follows \(login) yet."
        case .noFollowingTitle: "Follows nobody"
        case .noFollowing(let login): "\(login) follows nobody yet."
        case .noMatchesTitle: "No matches"
        case .noMatches: "None of the loaded names contains this text."

        case .noName: "No name given"
        case .noBio: "No bio"
        case .noCompany: "No company"
        case .noLocation: "No location"
        case .noBlog: "No website"
        case .count(let count): formats.number(count)
        case .memberSince(let date): "Member since \(formats.month(date))"

        case .notFoundTitle: "Not found"
        case .notFound: "There is nobody by that name on GitHub. Check the spelling."
        case .offlineTitle: "No connection"
        case .offline: "Check your internet connection and try again."
        case .serverUnreachable: "The server can’t be reached. Try again in a moment."
        case .connectionLost: "The connection broke off. Try again."
        case .notSecure: "No secure connection could be made to the server."
        case .timedOutTitle: "Took too long"
        case .timedOut: "The server did not answer in time. Try again."
        case .rateLimitedTitle: "Too many requests"
        case .rateLimited(let date): "GitHub asks to wait until \(formats.time(date))."
        case .unauthorizedTitle: "Sign in"
        case .unauthorized: "GitHub does not accept the sign-in. Sign in again."
        case .forbiddenTitle: "No access"
        case .forbidden: "GitHub does not allow this."
        case .rejectedTitle: "Can’t be done"
        case .rejected: "GitHub can’t do this as it was asked."
        case .serverFailureTitle: "Server trouble"
        case .serverFailure: "The server has a problem. Try again in a moment."
        case .unusableReply: "The server sent something that can’t be read. Try again in a moment."
        case .unsafeTitle: "Stopped for safety"
        case .unsafe: "The server pointed to an address that is not safe to follow."
        case .storageTitle: "Storage trouble"
        case .storageNotWritable: "This app may not write to its folder."
        case .storageFull: "The disk is full. Make room and try again."
        case .storageNewerVersion: "The favourites were saved by a newer version of this app. Update the app."
        case .storageDamaged: "The favourites file is damaged and can’t be read."
        case .storageBusy: "The favourites can’t be reached right now. Try again in a moment."

        case .retry: "Try again"
        case .retryLater(let date): "Try again at \(formats.time(date))"
        case .changeInput: "Choose another name"
        case .clearFilter: "Clear the filter"
        case .signIn: "Sign in"
        }
    }
}
