public import BrowseDomain
public import Foundation

extension Texts {
    /// Returns the message for an error, with the action that helps.
    ///
    /// View models do this themselves; it is for front ends that call a repository. A cancellation isn't a failure, and isn't
    /// shown; its message is that of a lost connection.
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
                .rateLimited(until: limit.retryAt, service.name),
                titled: .rateLimitedTitle,
                action: .retryLater(limit.retryAt)
            )
        case .unauthorized(let info) where info.isAnonymous:
            message(.unauthorized, .signInFirst(service.name), titled: .signInFirstTitle, action: .signIn)
        case .unauthorized:
            message(.unauthorized, .unauthorized(service.name), titled: .unauthorizedTitle, action: .signIn)
        case .forbidden:
            message(.forbidden, .forbidden(service.name), titled: .forbiddenTitle)
        case .notFound:
            message(.notFound, service.notFound, titled: .notFoundTitle, action: .changeInput)
        case .rejected, .refused(.invalidParameter, _):
            message(.rejected, .rejected(service.name), titled: .rejectedTitle, action: .changeInput)
        case .serverFailure:
            message(.serverFailure, .serverFailure, titled: .serverFailureTitle, action: .retry)
        case .unusableResponse:
            message(.serverFailure, .unusableResponse, titled: .serverFailureTitle, action: .retry)
        case .refused(.invalidConfiguration, _):
            message(.unsafe, .invalidConfiguration(service.name), titled: .unsafeTitle)
        case .refused:
            message(.unsafe, .unsafe, titled: .unsafeTitle)
        case .storageFailed(let failure):
            // Signing in again replaces the exposed file; reading it again doesn't help.
            message(
                .storage,
                phrase(for: failure.reason),
                titled: .storageTitle,
                action: failure.reason == .exposed ? .signIn : .retry
            )
        case .signInFailed(let failure):
            message(.signInFailed, .signInFailed(failure), titled: .signInFailedTitle, action: action(after: failure))
        }
    }

    /// Returns a message of phrases, with the title of its action.
    public func message(
        _ kind: Message.Kind,
        _ text: Phrase,
        titled title: Phrase,
        action: Message.Action? = nil
    ) -> Message {
        let actionPhrase: Phrase? =
            switch action {
            case .retry: .retry
            case .retryLater(let date): .retryLater(date)
            case .changeInput: .changeInput
            case .clearFilter: .clearFilter
            case .loadAll: .loadAll
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

    /// The message while a load waits for a rate limit.
    public func waiting(until date: Date) -> Message {
        message(.waiting(until: date), .waiting(service.name), titled: .waitingTitle(until: date))
    }

    /// The message of a list whose rows are all hidden by its filter.
    public var noMatches: Message {
        message(.noMatches, .noMatches, titled: .noMatchesTitle, action: .clearFilter)
    }

    /// The message of a list whose loaded rows are all hidden by its filter, while there are more pages.
    public var noLoadedMatches: Message {
        message(.noMatches, .noLoadedMatches, titled: .noMatchesTitle, action: .loadAll)
    }

    /// The message of a search without results.
    public func noResults(for text: String) -> Message {
        message(.empty, .noResults(text), titled: .noResultsTitle, action: .changeInput)
    }

    /// The message of a list that its server filters, without results.
    public var noFilterResults: Message {
        message(.empty, .noFilterResults, titled: .noResultsTitle, action: .clearFilter)
    }

    /// The message of a list without rows.
    ///
    /// - Parameter text: Says what the list has none of.
    public func noRows(_ text: Phrase) -> Message {
        message(.empty, text, titled: .nothingTitle)
    }

    /// The age of cached content in words; `nil` for fresh content.
    public func age(of provenance: Provenance) -> String? {
        switch provenance {
        case .fresh, .revalidated: nil
        case .stale(let date): self(.keptSince(date))
        case .offline(let date): self(.offlineSince(date))
        }
    }

    /// A number, or that it is unknown.
    func count(_ count: Int?) -> String {
        self(count.map(Phrase.count) ?? .unknown)
    }

    func phrase(for reason: StorageFailure.Reason) -> Phrase {
        switch reason {
        case .notWritable: .storageNotWritable
        case .full: .storageFull
        case .newerVersion: .storageNewerVersion
        case .damaged: .storageDamaged
        case .exposed: .storageExposed
        case .exposedFolder: .storageExposedFolder
        case .locked: .storageLocked
        case .busy, .notEncodable, .other: .storageBusy
        }
    }

    private func phrase(for reason: BrowseError.Unreachable) -> Phrase {
        switch reason {
        case .offline: .offline
        case .hostNotFound, .connectionRefused, .other: .serverUnreachable
        case .connectionLost: .connectionLost
        case .notCached: .notKept
        case .notSecure: .notSecure
        }
    }

    private func action(after failure: BrowseError.SignInFailure) -> Message.Action? {
        switch failure {
        case .notConfigured, .redirectMismatch, .incorrectClient, .deviceFlowDisabled: nil
        case .denied, .expired, .invalidCode, .unverifiedEmail, .callback, .other: .retry
        }
    }
}
