import BrowseKit

extension Configuration {
    /// The settings of a server, whose times of day are in UTC, and say so.
    ///
    /// It doesn't know the time zones of its visitors, who can't repair its connection, or update it.
    var inUTC: Configuration {
        with { ($0.timeZone, $0.translations) = (.gmt, $0.translations + Translation.ofServer) }
    }
}

// swift-format-ignore
extension Translation {
    /// The texts with a time of day, and those that an app has about its own device and version.
    fileprivate static let ofServer = [
        Translation(.english, [
            "age.cached": "Last updated {1} UTC",
            "age.offline": "May be out of date. Last updated {1} UTC",
            "failure.rateLimited": "{1} limits the number of requests. Try again after {2} UTC.",
            "failure.rateLimited.signedOut": "{1} limits the requests of everybody on this site who isn’t signed in. Sign in, or try again after {2} UTC.",
            "failure.serverUntil": "{1} has a problem. Try again after {2} UTC.",
            "action.retryLater": "Try Again After {1} UTC",
            "failure.offline.title": "Service Out of Reach",
            "failure.redirects": "{1} redirects repeatedly. Try again in a moment.",
            "failure.appTooOld": "This site is too old for {1}. It has to be updated.",
        ]),
        Translation(.korean, [
            "age.cached": "마지막 업데이트: {1} UTC",
            "age.offline": "최신 정보가 아닐 수 있음. 마지막 업데이트: {1} UTC",
            "failure.rateLimited": "{1} 요청 횟수 제한을 초과했습니다. {2} UTC 이후에 다시 시도하십시오.",
            "failure.rateLimited.signedOut": "이 사이트에서 로그인하지 않은 사용자의 {1} 요청 횟수 제한을 초과했습니다. 로그인하거나 {2} UTC 이후에 다시 시도하십시오.",
            "failure.serverUntil": "{1}에 문제가 발생했습니다. {2} UTC 이후에 다시 시도하십시오.",
            "action.retryLater": "{1} UTC 이후 다시 시도",
            "failure.offline.title": "서비스에 연결할 수 없음",
            "failure.redirects": "{1}에서 리디렉션이 반복됩니다. 잠시 후 다시 시도하십시오.",
            "failure.appTooOld": "이 사이트의 버전은 {1}에서 더 이상 지원되지 않습니다. 사이트를 업데이트해야 합니다.",
        ]),
    ]
}

extension Texts {
    /// Returns the text of a message for a visitor.
    ///
    /// That of an app would blame the device of the reader, and not this server.
    func text(of message: Message) -> String {
        // Not by the kind, which messages about missing stars have, too.
        if case .unreachable? = message.error { return self(.serviceUnreachable) }
        guard case .storageFailed(let failure)? = message.error else { return message.text }
        return switch failure.reason {
        case .full: self(.noRoom)
        case .notWritable, .newerVersion, .exposedFolder, .locked: self(.unusableStorage)
        default: message.text
        }
    }
}
