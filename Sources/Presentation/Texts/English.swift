import BrowseDomain

extension Phrase {
    func english(_ formats: Formats) -> String {
        switch self {
        case .followersTitle(let login): "Followers of \(login)"
        case .followingTitle(let login): "Followed by \(login)"
        case .publicReposTitle(let login): "Repositories of \(login)"
        case .ownReposTitle: "Your repositories"
        case .starredReposTitle: "Your stars"
        case .favoritesTitle: "Favourites"
        case .favoriteKind(.user): "Accounts"
        case .favoriteKind(.repo): "Repositories"
        case .favoriteKind(.character): "Characters"
        case .favoriteKind(.app): "Apps"
        case .favoriteKind(let kind): kind.rawValue
        case .charactersTitle: "Characters"
        case .episodesTitle: "Episodes"
        case .locationsTitle: "Locations"

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
        case .noReposTitle: "No repositories"
        case .noPublicRepos(let login): "\(login) has no public repositories yet."
        case .noOwnRepos: "You have no repositories yet."
        case .noStarredRepos: "You have not starred a repository yet."
        case .noFavoritesTitle: "No favourites"
        case .noFavorites: "What you mark as a favourite is kept here."
        case .noMatchesTitle: "No matches"
        case .noMatches: "None of the names contains this text."
        case .nothingTitle: "Nothing here"
        case .nothing: "There is nothing to show yet."
        case .noEpisodes: "No episode is known."
        case .noCharacters: "No character is known."
        case .noResidents: "Nobody was last seen here."

        case .searchTooLong(let excess): "\(formats.number(excess)) too many: a search has at most 256 characters."
        case .searchTooManyOperators: "A search has at most five AND, OR and NOT."
        case .noResultsTitle: "No results"
        case .noResults(let text): "Nothing was found for “\(text)”."
        case .resultCount(1): "1 result"
        case .resultCount(let count): "\(formats.number(count)) results"
        case .firstResults(let limit, let count):
            "\(formats.number(count)) results, of which GitHub shows the first \(formats.number(limit))"
        case .incompleteResults(let count): "\(count); GitHub ran out of time and may have missed some"
        case .noFilterResults: "Nothing fits what you are looking for."

        case .noName: "No name given"
        case .noBio: "No bio"
        case .noCompany: "No company"
        case .noLocation: "No location"
        case .noBlog: "No website"
        case .count(let count): formats.number(count)
        case .memberSince(let date): "Member since \(formats.month(date))"
        case .memberSinceUnknown: "Join date unknown"

        case .noValue: "None"
        case .unknown: "Unknown"
        case .alive: "Alive"
        case .dead: "Dead"
        case .female: "Female"
        case .male: "Male"
        case .genderless: "Genderless"

        case .appReferenceEmpty: "Type an app’s number or bundle identifier, or paste a link to it."
        case .appReferenceInvisible(let scalar):
            "There is a character in it that can’t be seen (\(scalar.code)). Take it out, or type the text anew."
        case .appLinkForeign(""): "This link doesn’t lead to the App Store."
        case .appLinkForeign(let host): "“\(host)” is not the App Store: its links begin with https://apps.apple.com/."
        case .appLinkWithoutID: "This link leads to no app: the end of one that does is “id” and a number."
        case .appReferenceCharacter(let character):
            "“\(character.visible)” can’t be in an app’s number or bundle identifier."
        case .appNumberOutOfRange: "No app has this number."
        case .bundleIDIncomplete: "A bundle identifier is words with dots between them, as in com.example.app."
        case .bundleIDTooLong(let excess):
            "\(formats.number(excess)) too many: a bundle identifier has at most 255 characters."
        case .appReferenceName: "This is no number, bundle identifier or link. Search for it if it is a name."

        case .ratingCount(1): "1 rating"
        case .ratingCount(let count): "\(formats.compact(count)) ratings"
        case .noRating: "Not enough ratings"
        case .notStated: "Not stated"
        case .free: "Free"
        case .languages(let first, 0): first
        case .languages(let first, let more): "\(first) and \(formats.number(more)) more"
        case .version(let version): "Version \(version)"
        case .minimumOS(let version): "\(version) or later"
        case .screenshotsTitle: "Preview"
        case .descriptionTitle: "Description"
        case .whatsNewTitle: "What’s New"
        case .informationTitle: "Information"
        case .infoTitle(.provider): "Provider"
        case .infoTitle(.size): "Size"
        case .infoTitle(.languages): "Languages"
        case .infoTitle(.age): "Age Rating"
        case .infoTitle(.price): "Price"
        case .infoTitle(.version): "Version"
        case .infoTitle(.minimumOS): "System"
        case .infoTitle(.releaseDate): "Released"
        case .unfold: "more"
        case .fold: "less"
        case .screenshotPosition(let number, let count): "\(formats.number(number)) of \(formats.number(count))"

        case .noPictureTitle: "No picture"
        case .noPicture: "The picture can’t be shown."

        case .notFoundTitle: "Not found"
        case .notFound(.gitHub): "GitHub has nothing by that name. Check the spelling."
        case .notFound(.appStore): "The App Store of this country has no such app."
        case .notFound(.rickAndMorty): "There is nothing by that name or number. Check what you typed."
        case .offlineTitle: "No connection"
        case .offline: "Check your internet connection and try again."
        case .serverUnreachable: "The server can’t be reached. Try again in a moment."
        case .connectionLost: "The connection broke off. Try again."
        case .notKept: "This was not seen before, so there is nothing to show without a connection."
        case .notSecure: "No secure connection could be made to the server."
        case .timedOutTitle: "Took too long"
        case .timedOut: "The server did not answer in time. Try again."
        case .keptSince(let date): "As of \(formats.moment(date))"
        case .offlineSince(let date): "May be out of date. As of \(formats.moment(date))"
        case .rateLimitedTitle: "Too many requests"
        case .rateLimited(let date, let service): "\(service.english) asks to wait until \(formats.time(date))."
        case .waitingTitle(let date): "Waiting until \(formats.time(date))"
        case .waiting(let service): "\(service.english) limits how often it can be asked. Loading continues then."
        case .signInFirstTitle: "Sign In Required"
        case .signInFirst(let service):
            "Sign in to see this. \(service.english) shows it only to people who are signed in."
        case .unauthorizedTitle: "Sign In Again"
        case .unauthorized(let service): "\(service.english) no longer accepts your sign-in. Sign in again."
        case .forbiddenTitle: "No access"
        case .forbidden(let service): "\(service.english) does not allow this."
        case .rejectedTitle: "Can’t be done"
        case .rejected(let service): "\(service.english) can’t do this as it was asked."
        case .serverFailureTitle: "Server trouble"
        case .serverFailure: "The server has a problem. Try again in a moment."
        case .unusableReply: "The server sent something that can’t be read. Try again in a moment."
        case .unsafeTitle: "Stopped for safety"
        case .unsafe: "The server pointed to an address that is not safe to follow."
        case .invalidConfiguration(let service):
            "\(service.english) can’t be used with this app’s settings, so nothing was sent. Check the server addresses."
        case .storageTitle: "Storage trouble"
        case .storageNotWritable: "This app may not write to its folder."
        case .storageFull: "The disk is full. Make room and try again."
        case .storageNewerVersion: "What is stored was saved by a newer version of this app. Update the app."
        case .storageDamaged: "What is stored is damaged and can’t be read."
        case .storageRecoveredTitle: "Favourites were rescued"
        case .storageRecovered(1, let file):
            "The file was damaged. One favourite could be read; the old file is kept as \(file)."
        case .storageRecovered(let count, let file):
            "The file was damaged. \(formats.number(count)) favourites could be read; the old file is kept as \(file)."
        case .storageBusy: "What is stored can’t be reached right now. Try again in a moment."
        case .storageLocked: "Unlock your device to use what is stored on it."
        case .storageExposed:
            "Others could read or change the file with your sign-in, so it is not used. Sign in again."

        case .signInFailedTitle: "Not signed in"
        case .signInNotConfigured: "This app is not set up for signing in this way."
        case .signInDenied: "You did not let this app in."
        case .signInExpired: "The code was not used in time. Begin again."
        case .signInInvalidCode: "GitHub does not know this code, or it was used before. Begin again."
        case .signInIncorrectClient: "GitHub does not know this app, or how it is set up."
        case .signInUnverifiedEmail: "Confirm your e-mail address at GitHub first."
        case .signInDeviceFlowDisabled: "This app may not be let in by a code."
        case .signInCallback: "This is not the answer to this sign-in. Nothing was done with it."
        case .signInOther: "GitHub could not sign you in. Begin again."
        case .tokenNotUsable: "This can’t be a token: it is empty, or has spaces or letters that tokens never have."
        case .typeCode(let code, let page): "Type \(code) at \(page)"

        case .signedOutTitle: "Not signed in"
        case .signedOut: "Sign in to see what is yours."
        case .signedOutByGitHub: "GitHub ended the session. Sign in again."
        case .signOutTitle: "Sign out?"
        case .signOutQuestion(let login): "You are signed in as \(login)."
        case .signOutUnknown: "You are signed in, though GitHub has not told as whom."
        case .signOutUnsent(1): "GitHub has not been told of one star yet; it would be lost."
        case .signOutUnsent(let count):
            "GitHub has not been told of \(formats.number(count)) stars yet; they would be lost."
        case .signOut: "Sign out"
        case .starUnconfirmedTitle: "Star Not Confirmed"
        case .starUnconfirmed: "GitHub didn’t respond, so the change may not be saved. Try again to check."
        case .tokenNotRevoked: "You are signed out here, but GitHub could not be told. Remove this app in its settings."

        case .retry: "Try again"
        case .retryLater(let date): "Try again at \(formats.time(date))"
        case .changeInput: "Try something else"
        case .clearFilter: "Clear the filter"
        case .signIn: "Sign In"
        }
    }
}

extension Texts.Service {
    /// The name at the beginning of a sentence.
    fileprivate var english: String {
        switch self {
        case .gitHub: "GitHub"
        case .appStore: "The App Store"
        case .rickAndMorty: "The Rick and Morty API"
        }
    }
}
