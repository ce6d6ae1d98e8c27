public import BrowseDomain
import Foundation

extension Texts {
    /// What to tell a person about an error, with the action that helps.
    ///
    /// View models do this themselves; it is for front ends that call a repository. A cancellation is no failure, and there
    /// is nothing to tell of it; it has the words of a broken connection.
    public func message(for error: BrowseError) -> Message {
        switch error {
        case .cancelled:
            message(.offline, .connectionLost, titled: .offlineTitle, action: .retry)
        case .unreachable(let reason, _):
            message(.offline, phrase(for: reason), titled: .offlineTitle, action: .retry)
        case .timedOut:
            message(.timedOut, .timedOut, titled: .timedOutTitle, action: .retry)
        case .rateLimited(let limit, _):
            message(
                .rateLimited(until: limit.retryAt),
                .rateLimited(until: limit.retryAt, service),
                titled: .rateLimitedTitle,
                action: .retryLater(limit.retryAt)
            )
        case .unauthorized(let info) where info.isAnonymous:
            message(.unauthorized, .signInFirst(service), titled: .signInFirstTitle, action: .signIn)
        case .unauthorized:
            message(.unauthorized, .unauthorized(service), titled: .unauthorizedTitle, action: .signIn)
        case .forbidden:
            message(.forbidden, .forbidden(service), titled: .forbiddenTitle, action: nil)
        case .notFound:
            message(.notFound, .notFound(service), titled: .notFoundTitle, action: .changeInput)
        case .rejected:
            message(.rejected, .rejected(service), titled: .rejectedTitle, action: .changeInput)
        case .serverFailure:
            message(.serverFailure, .serverFailure, titled: .serverFailureTitle, action: .retry)
        case .unusableReply:
            message(.serverFailure, .unusableReply, titled: .serverFailureTitle, action: .retry)
        case .refused(.invalidParameter, _):
            message(.rejected, .rejected(service), titled: .rejectedTitle, action: .changeInput)
        case .refused(.invalidConfiguration, _):
            message(.unsafe, .invalidConfiguration(service), titled: .unsafeTitle, action: nil)
        case .refused:
            message(.unsafe, .unsafe, titled: .unsafeTitle, action: nil)
        case .storageFailed(let failure):
            // Signing in again replaces the exposed file; reading it again doesn't help.
            message(
                .storage,
                phrase(for: failure.reason),
                titled: .storageTitle,
                action: failure.reason == .exposed ? .signIn : .retry
            )
        case .signInFailed(let failure):
            message(.signInFailed, phrase(for: failure), titled: .signInFailedTitle, action: action(after: failure))
        }
    }

    /// A text that was given as a token can be none.
    var tokenNotUsable: Message {
        message(.signInFailed, .tokenNotUsable, titled: .signInFailedTitle, action: .changeInput)
    }

    /// What to tell a person who is not signed in, with the action that helps.
    public func message(for reason: GitHub.SignOutReason) -> Message {
        switch reason {
        case .noSession, .requested:
            message(.unauthorized, .signedOut, titled: .signedOutTitle, action: .signIn)
        case .revoked:
            message(.unauthorized, .signedOutByGitHub, titled: .signedOutTitle, action: .signIn)
        case .storage(let failure):
            message(.storage, phrase(for: failure.reason), titled: .signedOutTitle, action: .signIn)
        }
    }

    /// The person is signed out here, but not everywhere.
    func signedOutInPart(_ error: BrowseError) -> Message {
        if case .storageFailed = error { return message(for: error) }
        return message(.signInFailed, .tokenNotRevoked, titled: .signedOutTitle, action: nil)
    }

    /// The outcome of starring or unstarring is unknown: GitHub didn't respond, not even when asked again.
    public var starUnconfirmed: Message {
        message(.offline, .starUnconfirmed, titled: .starUnconfirmedTitle, action: .retry)
    }

    /// A load waits for a rate limit.
    func waiting(until date: Date) -> Message {
        message(.waiting(until: date), .waiting(service), titled: .waitingTitle(until: date), action: nil)
    }

    /// The filter hides every row.
    var noMatches: Message {
        message(.noMatches, .noMatches, titled: .noMatchesTitle, action: .clearFilter)
    }

    /// The list of followers, or of accounts followed, has no rows.
    func emptyList(_ list: GitHub.FollowList) -> Message {
        switch list {
        case .followers(let login):
            message(.empty, .noFollowers(login), titled: .noFollowersTitle, action: .changeInput)
        case .following(let login):
            message(.empty, .noFollowing(login), titled: .noFollowingTitle, action: .changeInput)
        }
    }

    /// The list of code repositories has no rows.
    func emptyList(_ list: GitHub.RepoList) -> Message {
        switch list {
        case .publicRepos(let login):
            message(.empty, .noPublicRepos(login), titled: .noReposTitle, action: .changeInput)
        case .own:
            message(.empty, .noOwnRepos, titled: .noReposTitle, action: nil)
        case .starred:
            message(.empty, .noStarredRepos, titled: .noReposTitle, action: nil)
        }
    }

    /// Nothing is kept yet.
    var noFavorites: Message {
        message(.empty, .noFavorites, titled: .noFavoritesTitle, action: nil)
    }

    /// A search found nothing.
    func noResults(for text: String) -> Message {
        message(.empty, .noResults(text), titled: .noResultsTitle, action: .changeInput)
    }

    /// The filter, which the server applies, lets nothing pass.
    var noFilterResults: Message {
        message(.empty, .noFilterResults, titled: .noResultsTitle, action: .clearFilter)
    }

    /// A list has no rows.
    ///
    /// - Parameter text: Says what it has none of.
    func noRows(_ text: Phrase) -> Message {
        message(.empty, text, titled: .nothingTitle, action: nil)
    }

    /// How much a search found, and what of it cannot be seen.
    func summary(of total: Int, isIncomplete: Bool) -> String {
        let limit = GitHub.searchResultLimit
        let count = self(total > limit ? .firstResults(limit, of: total) : .resultCount(total))
        return isIncomplete ? self(.incompleteResults(count)) : count
    }

    /// What is wrong with a typed search; `nil` when it is only blank.
    func refusal(_ refusal: GitHub.SearchText.Refusal) -> String? {
        switch refusal {
        case .blank: nil
        case .tooLong(let excess): self(.searchTooLong(by: excess))
        case .tooManyOperators: self(.searchTooManyOperators)
        }
    }

    /// A number, or that it is unknown.
    func count(_ count: Int?) -> String {
        count.map { self(.count($0)) } ?? self(.unknown)
    }

    /// A damaged file was replaced.
    func recovered(_ recovery: StorageRecovery) -> Message {
        message(
            .storage,
            .storageRecovered(count: recovery.savedCount, file: recovery.damagedFile),
            titled: .storageRecoveredTitle,
            action: nil
        )
    }

    /// What is wrong with a typed username.
    func refusal(_ refusal: GitHub.Username.Refusal) -> String {
        switch refusal {
        case .empty: self(.usernameEmpty)
        case .characterNotAllowed(let character): self(.usernameCharacter(character))
        case .tooLong(let excess): self(.usernameTooLong(by: excess))
        case .hyphenAtEdge: self(.usernameHyphenAtEdge)
        case .doubleHyphen: self(.usernameDoubleHyphen)
        }
    }

    func message(
        _ kind: Message.Kind,
        _ text: Phrase,
        titled title: Phrase,
        action: Message.Action?
    ) -> Message {
        let actionPhrase: Phrase? =
            switch action {
            case .retry: .retry
            case .retryLater(let date): .retryLater(date)
            case .changeInput: .changeInput
            case .clearFilter: .clearFilter
            case .signIn: .signIn
            case nil: nil
            }
        return Message(
            kind: kind,
            title: self(title),
            text: self(text),
            action: action,
            actionTitle: actionPhrase.map { self($0) }
        )
    }

    private func phrase(for reason: StorageFailure.Reason) -> Phrase {
        switch reason {
        case .notWritable: .storageNotWritable
        case .full: .storageFull
        case .newerVersion: .storageNewerVersion
        case .damaged: .storageDamaged
        case .exposed: .storageExposed
        case .locked: .storageLocked
        case .busy, .notEncodable, .other: .storageBusy
        }
    }

    private func phrase(for failure: BrowseError.SignInFailure) -> Phrase {
        switch failure {
        case .notConfigured, .redirectMismatch: .signInNotConfigured
        case .denied: .signInDenied
        case .expired: .signInExpired
        case .invalidCode: .signInInvalidCode
        case .incorrectClient: .signInIncorrectClient
        case .unverifiedEmail: .signInUnverifiedEmail
        case .deviceFlowDisabled: .signInDeviceFlowDisabled
        case .callback: .signInCallback
        case .other: .signInOther
        }
    }

    private func action(after failure: BrowseError.SignInFailure) -> Message.Action? {
        switch failure {
        case .notConfigured, .redirectMismatch, .incorrectClient, .deviceFlowDisabled: nil
        case .denied, .expired, .invalidCode, .unverifiedEmail, .callback, .other: .retry
        }
    }

    /// From when something is that was read before, in words; `nil` when it is as the server has it.
    public func age(of provenance: Provenance) -> String? {
        switch provenance {
        case .fresh, .revalidated: nil
        case .stale(let date): self(.keptSince(date))
        case .offline(let date): self(.offlineSince(date))
        }
    }

    private func phrase(for reason: BrowseError.Unreachable) -> Phrase {
        switch reason {
        case .offline: .offline
        case .hostNotFound, .connectionRefused, .other: .serverUnreachable
        case .connectionLost: .connectionLost
        case .notKept: .notKept
        case .notSecure: .notSecure
        }
    }
}

extension Character {
    /// How a message shows the character; one that cannot be seen, such as a line break, is shown by its code.
    var visible: String {
        let isVisible = unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .surrogate,
                .privateUse:
                false
            default: true
            }
        }
        guard !isVisible else { return String(self) }
        return unicodeScalars.map(\.code).joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// Its number as Unicode writes it: `U+200F`.
    var code: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
