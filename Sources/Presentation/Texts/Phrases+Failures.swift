import Foundation

// The phrases of failures, which every service shares.
extension Phrase {
    static let notFoundTitle = Phrase("failure.notFound.title", "Not Found", ko: "찾을 수 없음")
    static func notFound(in service: Phrase) -> Phrase {
        Phrase(
            "failure.notFound",
            "\(service) doesn’t have this. Check the spelling.",
            ko: "\(service)에 그런 항목이 없습니다. 입력한 내용을 확인하십시오."
        )
    }

    static let offlineTitle = Phrase("failure.offline.title", "No Connection", ko: "연결되지 않음")
    static let offline = Phrase(
        "failure.offline",
        "Check your internet connection and try again.",
        ko: "인터넷 연결을 확인하고 다시 시도하십시오."
    )
    static let serverUnreachable = Phrase(
        "failure.unreachable",
        "The server can’t be reached. Try again in a moment.",
        ko: "서버에 연결할 수 없습니다. 잠시 후 다시 시도하십시오."
    )
    static let connectionLost = Phrase(
        "failure.connectionLost",
        "The connection was lost. Try again.",
        ko: "연결이 끊어졌습니다. 다시 시도하십시오."
    )
    static let notKept = Phrase(
        "failure.notCached",
        "This isn’t available offline, because it hasn’t been loaded before.",
        ko: "이전에 불러온 적이 없어 오프라인에서 볼 수 없습니다."
    )
    static let notSecure = Phrase(
        "failure.notSecure",
        "A secure connection to the server can’t be made.",
        ko: "서버와 보안 연결을 맺을 수 없습니다."
    )
    static let timedOutTitle = Phrase("failure.timedOut.title", "Timed Out", ko: "시간 초과")
    static let timedOut = Phrase(
        "failure.timedOut",
        "The server didn’t respond in time. Try again.",
        ko: "서버가 제때 응답하지 않았습니다. 다시 시도하십시오."
    )

    static let rateLimitedTitle = Phrase("failure.rateLimited.title", "Too Many Requests", ko: "요청이 너무 많음")
    static func rateLimited(until date: Date, _ service: Phrase) -> Phrase {
        Phrase(
            "failure.rateLimited",
            "\(service) accepts no more requests until \(deadline: date).",
            ko: "\(deadline: date)까지 기다려야 합니다."
        )
    }
    static func waitingTitle(until date: Date) -> Phrase {
        Phrase("waiting.title", "Waiting Until \(deadline: date)", ko: "\(deadline: date)까지 대기 중")
    }
    static func waiting(_ service: Phrase) -> Phrase {
        Phrase(
            "waiting",
            "\(service) limits the number of requests. Loading continues then.",
            ko: "\(service) 요청 횟수 제한이 풀리면 계속 불러옵니다."
        )
    }

    static let signInFirstTitle = Phrase("failure.signInFirst.title", "Sign In Required", ko: "로그인 필요")
    static func signInFirst(_ service: Phrase) -> Phrase {
        Phrase(
            "failure.signInFirst",
            "Sign in to see this. \(service) shows it only to people who are signed in.",
            ko: "이 내용을 보려면 로그인하십시오. \(service)에 로그인한 사용자만 볼 수 있습니다."
        )
    }
    static let unauthorizedTitle = Phrase("failure.unauthorized.title", "Sign In Again", ko: "다시 로그인")
    static func unauthorized(_ service: Phrase) -> Phrase {
        Phrase(
            "failure.unauthorized",
            "\(service) no longer accepts your sign-in. Sign in again.",
            ko: "\(service)에서 로그인을 확인하지 못했습니다. 다시 로그인하십시오."
        )
    }
    static let forbiddenTitle = Phrase("failure.forbidden.title", "No Access", ko: "접근할 수 없음")
    static func forbidden(_ service: Phrase) -> Phrase {
        Phrase("failure.forbidden", "\(service) doesn’t allow this.", ko: "\(service)에서 허용하지 않는 작업입니다.")
    }
    static let rejectedTitle = Phrase("failure.rejected.title", "Request Not Accepted", ko: "처리할 수 없음")
    static func rejected(_ service: Phrase) -> Phrase {
        Phrase(
            "failure.rejected",
            "\(service) can’t process this request. Change it and try again.",
            ko: "\(service)에서 이 요청을 처리할 수 없습니다. 내용을 바꾸어 다시 시도하십시오."
        )
    }

    static let serverFailureTitle = Phrase("failure.server.title", "Server Problem", ko: "서버 문제")
    static let serverFailure = Phrase(
        "failure.server",
        "The server has a problem. Try again in a moment.",
        ko: "서버에 문제가 있습니다. 잠시 후 다시 시도하십시오."
    )
    static let unusableResponse = Phrase(
        "failure.response",
        "The server’s response can’t be read. Try again in a moment.",
        ko: "서버의 응답을 읽을 수 없습니다. 잠시 후 다시 시도하십시오."
    )
    static let unsafeTitle = Phrase("failure.unsafe.title", "Stopped for Safety", ko: "안전을 위해 중단함")
    static let unsafe = Phrase(
        "failure.unsafe",
        "The server pointed to an address that isn’t safe to follow.",
        ko: "서버가 안전하지 않은 주소로 안내했습니다."
    )
    static func invalidConfiguration(_ service: Phrase) -> Phrase {
        Phrase(
            "failure.configuration",
            "\(service) can’t be used with this app’s settings, so nothing was sent. Check the server addresses.",
            ko: "현재 앱 설정으로는 \(service)에 연결할 수 없어 아무것도 보내지 않았습니다. 서버 주소를 확인하십시오."
        )
    }

    static let storageTitle = Phrase("failure.storage.title", "Storage Problem", ko: "저장 공간 문제")
    static let storageNotWritable = Phrase(
        "failure.storage.notWritable",
        "This app isn’t allowed to write to its folder.",
        ko: "앱이 폴더에 저장할 수 없습니다."
    )
    static let storageFull = Phrase(
        "failure.storage.full",
        "The disk is full. Free up space and try again.",
        ko: "저장 공간이 가득 찼습니다. 공간을 비우고 다시 시도하십시오."
    )
    static let storageNewerVersion = Phrase(
        "failure.storage.newerVersion",
        "The stored data is from a newer version of this app. Update the app.",
        ko: "더 새로운 버전의 앱에서 저장한 데이터입니다. 앱을 업데이트하십시오."
    )
    static let storageDamaged = Phrase(
        "failure.storage.damaged",
        "The stored data is damaged and can’t be read.",
        ko: "저장된 데이터가 손상되어 읽을 수 없습니다."
    )
    static let storageBusy = Phrase(
        "failure.storage.busy",
        "The stored data can’t be reached right now. Try again in a moment.",
        ko: "지금은 저장된 데이터를 열 수 없습니다. 잠시 후 다시 시도하십시오."
    )
    static let storageLocked = Phrase(
        "failure.storage.locked",
        "Unlock your device to use the data stored on it.",
        ko: "기기의 잠금을 해제하면 저장된 데이터를 사용할 수 있습니다."
    )
    static let storageExposed = Phrase(
        "failure.storage.exposed",
        "Other people could read or change the file with your sign-in, so it isn’t used. Sign in again.",
        ko: "다른 사람이 로그인 파일을 읽거나 바꿀 수 있어 사용하지 않습니다. 다시 로그인하십시오."
    )
    static let storageExposedFolder = Phrase(
        "failure.storage.exposedFolder",
        "Other people can change the folder with your sign-in, so it isn’t used. Change its permissions and try again.",
        ko: "다른 사람이 로그인 정보가 있는 폴더를 바꿀 수 있어 사용하지 않습니다. 폴더의 권한을 변경한 후 다시 시도하십시오."
    )

    static func keptSince(_ date: Date) -> Phrase {
        Phrase("age.cached", "As of \(moment: date)", ko: "\(moment: date) 기준")
    }
    static func offlineSince(_ date: Date) -> Phrase {
        Phrase("age.offline", "May be out of date. As of \(moment: date)", ko: "최신이 아닐 수 있음. \(moment: date) 기준")
    }
}

// The phrases of lists, values, and buttons, which every feature shares.
extension Phrase {
    static let noMatchesTitle = Phrase("list.noMatches.title", "No Matches", ko: "결과 없음")
    static let noMatches = Phrase("list.noMatches", "No name contains this text.", ko: "이 텍스트가 포함된 이름이 없습니다.")
    static let noLoadedMatches = Phrase(
        "list.noLoadedMatches",
        "No name loaded so far contains this text.",
        ko: "지금까지 불러온 이름 중에는 이 텍스트가 포함된 이름이 없습니다."
    )
    static let nothingTitle = Phrase("list.empty.title", "No Items", ko: "항목 없음")
    static let nothing = Phrase("list.empty", "There’s nothing to show yet.", ko: "아직 표시할 항목이 없습니다.")
    static let noResultsTitle = Phrase("search.noResults.title", "No Results", ko: "결과 없음")
    static func noResults(_ text: String) -> Phrase {
        Phrase("search.noResults", "No results for “\(text)”.", ko: "‘\(text)’에 대한 결과가 없습니다.")
    }
    static let noFilterResults = Phrase(
        "search.noFilterResults",
        "Nothing matches your search.",
        ko: "검색 조건에 맞는 항목이 없습니다."
    )
    static func resultCount(_ count: Int) -> Phrase {
        Phrase("search.results", plural: count, one: "1 result", "\(count) results", ko: "결과 \(count)개")
    }

    static func count(_ count: Int) -> Phrase { Phrase("value.count", "\(count)", ko: "\(count)") }
    static let noValue = Phrase("value.none", "None", ko: "없음")
    static let unknown = Phrase("value.unknown", "Unknown", ko: "알 수 없음")

    static let retry = Phrase("action.retry", "Try Again", ko: "다시 시도")
    static func retryLater(_ date: Date) -> Phrase {
        Phrase("action.retryLater", "Try Again After \(deadline: date)", ko: "\(deadline: date) 이후 다시 시도")
    }
    static let changeInput = Phrase("action.changeInput", "Change Input", ko: "다시 입력")
    static let clearFilter = Phrase("action.clearFilter", "Clear Filter", ko: "필터 지우기")
    static let loadAll = Phrase("action.loadAll", "Load All", ko: "모두 불러오기")
    static let signIn = Phrase("action.signIn", "Sign In", ko: "로그인")
}
