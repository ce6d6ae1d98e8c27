public import BrowseDomain
public import Foundation

extension Texts {
    /// Returns the message for an error, with the action that helps.
    ///
    /// View models call this themselves; use it if you call a repository directly. Don't show
    /// cancellations; they have the message of a lost connection.
    public func message(for error: BrowseError) -> Message {
        modified(untraced(error)) { $0.error = error }
    }

    private func untraced(_ error: BrowseError) -> Message {
        let edit: Message.Action? = hasInput ? .changeInput : nil
        return switch error {
        case .cancelled: message(.offline, .connectionLost, titled: .offlineTitle, action: .retry)
        case .unreachable(.moved(let host), _): message(.offline, .moved(service.name, to: host), titled: .movedTitle)
        case .unreachable(let reason, let info):
            message(.offline, .unreachable(reason, at: info.host), titled: .offlineTitle, action: .retry)
        case .timedOut: message(.timedOut, .timedOut, titled: .timedOutTitle, action: .retry)
        case .rateLimited(let limit, let info):
            message(
                .rateLimited(until: limit.retryAt),
                info.hadNoCredentials && limit.kind == .primary
                    ? .rateLimitedSignedOut(until: limit.retryAt, service.name)
                    : .rateLimited(until: limit.retryAt, service.name),
                titled: .rateLimitedTitle,
                action: .retryLater(limit.retryAt)
            )
        case .unauthorized(let info) where info.hadNoCredentials:
            message(.unauthorized, .signInFirst(service.name), titled: .signInFirstTitle, action: .signIn)
        case .unauthorized(let info) where info.refusedConfiguredToken:
            message(.unauthorized, .tokenRefused(service.name), titled: .tokenRefusedTitle, action: .retry)
        case .unauthorized:
            message(.unauthorized, .unauthorized(service.name), titled: .unauthorizedTitle, action: .signIn)
        case .forbidden(let info):
            message(
                .forbidden,
                .forbidden(info, service.name),
                titled: .forbiddenTitle,
                action: action(after: info.denial)
            )
        case .notFound:
            message(.notFound, hasInput ? service.notFound : service.gone, titled: .notFoundTitle, action: edit)
        case .rejected(let info) where info.refusedRegion != nil:
            message(
                .rejected,
                .noStore(of: service.name, in: formats.regionName(info.refusedRegion ?? "")),
                titled: .rejectedTitle,
                action: edit
            )
        case .rejected(let info):
            switch info.rejection ?? (info.status == 422 ? .input : nil) {
            case .input where hasInput:
                message(.rejected, .explained(service.rejected, by: info), titled: .rejectedTitle, action: edit)
            case .appVersion: message(.rejected, .appTooOld(for: service.name), titled: .appTooOldTitle)
            case .pageLimit:
                message(.rejected, .explained(.pageLimit(of: service.name), by: info), titled: .pageLimitTitle)
            case .input, nil:
                message(.rejected, .explained(.notProcessed(by: service.name), by: info), titled: .rejectedTitle)
            }
        case .refused(.invalidParameter, _): message(.rejected, .invalidInput, titled: .invalidInputTitle, action: edit)
        case .serverFailure(let info):
            message(
                .serverFailure,
                .serverFailure(of: service.name, until: info.retryAt),
                titled: .serverFailureTitle,
                action: info.retryAt.map(Message.Action.retryLater) ?? .retry
            )
        case .unusableResponse(.tooManyPages, _): message(.rejected, .tooManyPages, titled: .pageLimitTitle)
        case .unusableResponse:
            message(.serverFailure, .unusableResponse(of: service.name), titled: .serverFailureTitle, action: .retry)
        case .refused(.invalidConfiguration, _):
            message(.unsafe, .invalidConfiguration(service.name), titled: .invalidConfigurationTitle)
        case .refused(.tooManyRedirects, _):
            message(.serverFailure, .redirects(by: service.name), titled: .serverFailureTitle, action: .retry)
        case .refused: message(.unsafe, .unsafe, titled: .unsafeTitle)
        case .storageFailed(let failure): storage(failure, titled: .storageTitle)
        case .signInFailed(let failure):
            message(
                .signInFailed,
                .signInFailed(failure, at: service.name),
                titled: .signInFailedTitle,
                action: action(after: failure)
            )
        }
    }

    /// Returns a message with localized texts and the title of its button.
    public func message(
        _ kind: Message.Kind,
        _ text: Phrase,
        titled title: Phrase,
        action: Message.Action? = nil
    ) -> Message {
        var message = Message(kind: kind, title: self(title), text: self(text))
        message.action = action
        message.actionTitle = action.map { self(.button(for: $0, kind)) }
        return message
    }

    /// The message for a list whose filter hides every row.
    public var noMatches: Message {
        message(.noMatches, .noMatches, titled: .noMatchesTitle, action: .clearFilter)
    }

    /// Returns the message for the rows that pass a filter, or for none, while there are more
    /// pages.
    func onlyLoaded(_ count: Int, titled title: Phrase = .onlyLoadedTitle) -> Message {
        message(.noMatches, .onlyLoaded(count), titled: title, action: .loadAll)
    }

    /// The message for a list without rows so far, while there are more pages.
    var noLoadedRows: Message {
        message(.noMatches, .noLoadedRows, titled: .nothingTitle, action: .loadAll)
    }

    /// The message for a list in which the service found nothing, but reports that there is more.
    var interrupted: Message {
        message(.serverFailure, .interrupted(service.name), titled: .interruptedTitle, action: .retry)
    }

    /// The message below a list whose service contradicts that it's complete.
    var incomplete: Message {
        message(.serverFailure, .incompleteList, titled: .incompleteListTitle, action: .retry)
    }

    /// The message below a list from which the service left out rows, or in place of all rows.
    var partial: Message { message(.forbidden, .partial(service.name), titled: .partialTitle) }

    /// Returns the message below a list from which rows were skipped.
    func unreadable(_ count: Int) -> Message { message(.serverFailure, .unreadable(count), titled: .partialTitle) }

    /// Returns the message for a search without results.
    public func noResults(for text: String) -> Message {
        message(.empty, .noResults(text), titled: .noResultsTitle, action: .changeInput)
    }

    /// Returns the message for an empty list.
    ///
    /// - Parameter text: The explanation, such as "No episodes are known."
    public func noRows(_ text: Phrase) -> Message { message(.empty, text, titled: .nothingTitle) }

    /// Returns the message for a storage failure, with the action that helps if the file is
    /// damaged.
    func storage(
        _ failure: StorageFailure,
        titled title: Phrase,
        ifDamaged damagedAction: Message.Action = .retry
    ) -> Message {
        let action: Message.Action? =
            switch failure.reason {
            // Signing in replaces the file.
            case .exposed: .signIn
            case .damaged: damagedAction
            case .newerVersion, .notEncodable: nil
            case .notWritable, .full, .busy, .exposedFolder, .locked, .unavailable, .other: .retry
            }
        return modified(message(.storage, .storage(failure.reason), titled: title, action: action)) {
            $0.error = .storageFailed(failure)
        }
    }

    private func action(after denial: BrowseError.Denial?) -> Message.Action? {
        switch denial {
        case .missingPermission: .signIn
        case .singleSignOn(let page), .legalReasons(let page): page.map(Message.Action.open)
        case nil: nil
        }
    }

    private func action(after failure: BrowseError.SignInFailure) -> Message.Action? {
        switch failure {
        case .notConfigured, .redirectMismatch, .incorrectClient, .deviceFlowDisabled: nil
        case .other("server_error"), .other("slow_down"), .other("temporarily_unavailable"): .retry
        // Also after a refresh: the same request would be refused again.
        case .denied, .expired, .invalidCode, .unverifiedEmail, .alreadyUsed, .callback, .other: .signIn
        }
    }
}

extension BrowseError: LocalizedError {
    /// The text of the error's message in English or Korean, without the name of a service.
    ///
    /// It's for code that shows any error, such as an alert. Otherwise, show the message of your
    /// container's texts, which names the service and uses the container's locale and translations:
    /// `container.texts().about(service).message(for: error)`.
    public var errorDescription: String? { description(in: Texts(locale: .current, timeZone: .current)) }

    /// Returns the text of the error's message; an error doesn't know its service.
    func description(in texts: Texts) -> String { texts.about(.anyServer).message(for: self).text }
}
