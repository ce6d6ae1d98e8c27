package import BrowsePresentation
package import Foundation

/// What the tool itself says, beside what the SDK says, in the SDK's languages.
package struct Words: Sendable {
    private let language: Texts.Language
    private let locale: Locale

    /// Creates the words in the language of the SDK's texts.
    package init(_ texts: Texts) {
        language = texts.language
        locale = texts.formats.locale
    }

    package func callAsFunction(_ phrase: Phrase) -> String {
        language == .korean ? phrase.korean(number) : phrase.english(number)
    }

    /// Creates the words for a locale.
    package init(locale: Locale) {
        self.init(Texts(locale: locale, timeZone: .gmt))
    }

    /// How long ago something was, or how far ahead it is, as one number: "3 minutes ago", "in 12 minutes".
    package func relative(_ date: Date, to now: Date) -> String {
        // Clocks are set back, and a date from elsewhere may be any.
        let seconds = min(max(date.timeIntervalSince(now), -1e11), 1e11)
        guard abs(seconds) >= 1 else { return self(.now) }
        let length = Duration.seconds(Int64(abs(seconds))).formatted(
            .units(
                allowed: [.days, .hours, .minutes, .seconds],
                width: .wide,
                maximumUnitCount: 1,
                fractionalPart: .hide(rounded: .down)
            )
            .locale(locale)
        )
        return self(seconds < 0 ? .ago(length) : .ahead(length))
    }

    private func number(_ value: Int) -> String {
        value.formatted(.number.locale(locale))
    }
}

/// Everything that the tool can say; each language says it in its own file.
package enum Phrase: Hashable, Sendable {
    // Columns and fields
    case login, id, kind, name, bio, company, location, blog
    case repo, stars, language, updated, summary
    case character, app, status, species, type, gender, origin, lastSeen, created, episodes, characters, residents
    case code, airDate, dimension, rating, price, genre, screenshots, whatsNew
    case publicRepos, publicGists, followers, following, webPage, avatar
    // Kinds of accounts
    case user, organization, bot, mannequin
    // Below a list
    case all(Int, Counted)
    case loaded(Int, Counted)
    case loadedUseAll(Int, Counted)
    case matching(Int, of: Int, Counted)
    case matchingUseAll(Int, of: Int, Counted)
    // While and after loading
    case loading(Int, Counted)
    case stopped(Int, Counted)
    case stoppedEarly
    case skipped(Int)
    // What helps
    case useToken, tokenRaisesLimit, onlyFirstPage
    // What is wrong
    case tokenMissing, tokenMalformed, tokenUnprotected, loginEmpty
    case searchEmpty
    case outputFailed(String)
    // What was seen before
    case now, ago(String), ahead(String), keptNowhere
    // What GitHub still takes
    case budget, left, leftOf(Int, Int), countsAnew, closedUntil
    // Favourites
    case added(String), alreadyThere(String), removed(String), notKept(String)
    case forgottenSoon, characterNumber, appReference
    // Signing in
    case waitingForCode, signedIn(String), signedOut, nobodySignedIn, sessionForgottenSoon, signInStopped
    // Stars
    case starred(String), unstarred(String), alreadyStarred(String), notStarred(String), notRepo, starForgottenSoon

    /// What is counted; Korean counts people with another word than things.
    package enum Counted: Hashable, Sendable {
        case people, things
    }
}
