import BrowseDomain
public import Foundation

/// What the SDK says to a person, in the language of a locale: English or Korean.
///
/// Texts are code, not string tables: a phrase that lacks a translation does not compile, nothing is looked up at run time,
/// and a tool that was copied without its resource bundle still speaks. Docs/Decisions tells more.
public struct Texts: Sendable {
    /// The languages that there are texts in.
    public enum Language: String, Hashable, Sendable, CaseIterable {
        /// English, also for every language without texts.
        case english = "en"
        /// Korean.
        case korean = "ko"
    }

    /// Whom messages speak of.
    public enum Service: Hashable, Sendable, CaseIterable {
        /// GitHub.
        case gitHub
        /// The App Store.
        case appStore
        /// The Rick and Morty API.
        case rickAndMorty
    }

    /// The language of the texts.
    public let language: Language
    /// Whom messages speak of when something could not be had.
    public private(set) var service: Service = .gitHub
    /// How numbers, dates and times are written in these texts, for what a front end writes beside them.
    public let formats: Formats

    /// Creates texts for a reader.
    ///
    /// - Parameters:
    ///   - locale: Chooses the language, and how numbers and dates are written.
    ///   - timeZone: Where the reader's clock is.
    public init(locale: Locale, timeZone: TimeZone) {
        let known = locale.language.languageCode.flatMap { Language(rawValue: $0.identifier) }
        language = known ?? .english
        // Numbers and dates are in the language of the text around them: German numbers in an English sentence mislead.
        formats = Formats(locale: known == nil ? Locale(identifier: "en_US") : locale, timeZone: timeZone)
    }

    /// The same texts, with messages that speak of another service.
    public func about(_ service: Service) -> Texts {
        var texts = self
        texts.service = service
        return texts
    }

    func callAsFunction(_ phrase: Phrase) -> String {
        switch language {
        case .english: phrase.english(formats)
        case .korean: phrase.korean(formats)
        }
    }
}

/// Everything that can be said; each language says it in its own file.
enum Phrase {
    // Titles
    case followersTitle(GitHub.Login)
    case followingTitle(GitHub.Login)
    case publicReposTitle(GitHub.Login)
    case ownReposTitle
    case starredReposTitle
    case favoritesTitle
    case favoriteKind(Favorite.Kind)
    case charactersTitle
    case episodesTitle
    case locationsTitle
    // Refused usernames
    case usernameEmpty
    case usernameCharacter(Character)
    case usernameTooLong(by: Int)
    case usernameHyphenAtEdge
    case usernameDoubleHyphen
    // Lists
    case noFollowersTitle
    case noFollowers(GitHub.Login)
    case noFollowingTitle
    case noFollowing(GitHub.Login)
    case noReposTitle
    case noPublicRepos(GitHub.Login)
    case noOwnRepos
    case noStarredRepos
    case noFavoritesTitle
    case noFavorites
    case noMatchesTitle
    case noMatches
    case nothingTitle
    case nothing
    case noEpisodes
    case noCharacters
    case noResidents
    // Searches
    case searchTooLong(by: Int)
    case searchTooManyOperators
    case noResultsTitle
    case noResults(String)
    case resultCount(Int)
    case firstResults(Int, of: Int)
    case incompleteResults(String)
    case noFilterResults
    // Profiles
    case noName
    case noBio
    case noCompany
    case noLocation
    case noBlog
    case count(Int)
    case memberSince(Date)
    case memberSinceUnknown
    // Characters, episodes and locations
    case noValue
    case unknown
    case alive
    case dead
    case female
    case male
    case genderless
    // Naming an app
    case appReferenceEmpty
    case appReferenceInvisible(Unicode.Scalar)
    case appLinkForeign(host: String)
    case appLinkWithoutID
    case appReferenceCharacter(Character)
    case appNumberOutOfRange
    case bundleIDIncomplete
    case bundleIDTooLong(by: Int)
    case appReferenceName
    // Apps
    case ratingCount(Int)
    case noRating
    case notStated
    case free
    case languages(String, more: Int)
    case version(String)
    case minimumOS(String)
    case screenshotsTitle
    case descriptionTitle
    case whatsNewTitle
    case informationTitle
    case infoTitle(AppDetails.InfoRow.Kind)
    case unfold
    case fold
    case screenshotPosition(Int, of: Int)
    // Pictures
    case noPictureTitle
    case noPicture
    // Failures
    case notFoundTitle
    case notFound(Texts.Service)
    case offlineTitle
    case offline
    case serverUnreachable
    case connectionLost
    case notKept
    case notSecure
    case timedOutTitle
    case timedOut
    case keptSince(Date)
    case offlineSince(Date)
    case rateLimitedTitle
    case rateLimited(until: Date, Texts.Service)
    case waitingTitle(until: Date)
    case waiting(Texts.Service)
    case signInFirstTitle
    case signInFirst(Texts.Service)
    case unauthorizedTitle
    case unauthorized(Texts.Service)
    case forbiddenTitle
    case forbidden(Texts.Service)
    case rejectedTitle
    case rejected(Texts.Service)
    case serverFailureTitle
    case serverFailure
    case unusableReply
    case unsafeTitle
    case unsafe
    case invalidConfiguration(Texts.Service)
    case storageTitle
    case storageNotWritable
    case storageFull
    case storageNewerVersion
    case storageDamaged
    case storageBusy
    case storageLocked
    case storageExposed
    case storageRecoveredTitle
    case storageRecovered(count: Int, file: String)
    // Signing in
    case signInFailedTitle
    case signInNotConfigured
    case signInDenied
    case signInExpired
    case signInInvalidCode
    case signInIncorrectClient
    case signInUnverifiedEmail
    case signInDeviceFlowDisabled
    case signInCallback
    case signInOther
    case tokenNotUsable
    case typeCode(String, at: String)
    // One's own account
    case signedOutTitle
    case signedOut
    case signedOutByGitHub
    case signOutTitle
    case signOutQuestion(GitHub.Login)
    case signOutUnknown
    case signOutUnsent(Int)
    case signOut
    case tokenNotRevoked
    case starUnconfirmedTitle
    case starUnconfirmed
    // Actions
    case retry
    case retryLater(Date)
    case changeInput
    case clearFilter
    case signIn
}
