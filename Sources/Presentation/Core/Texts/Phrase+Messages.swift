import BrowseDomain
import Foundation

// The titles of failures.
// swift-format-ignore
extension Phrase {
    static let notFoundTitle = Phrase("failure.notFound.title", "Not Found", ko: "찾을 수 없음")
    static let offlineTitle = Phrase("failure.offline.title", "No Connection", ko: "연결되지 않음")
    static let movedTitle = Phrase("failure.moved.title", "Server Moved", ko: "서버 주소 변경됨")
    static let timedOutTitle = Phrase("failure.timedOut.title", "Timed Out", ko: "시간 초과")
    static let rateLimitedTitle = Phrase("failure.rateLimited.title", "Too Many Requests", ko: "요청이 너무 많음")
    static let signInFirstTitle = Phrase("failure.signInFirst.title", "Sign In Required", ko: "로그인 필요")
    static let unauthorizedTitle = Phrase("failure.unauthorized.title", "Sign In Again", ko: "다시 로그인")
    static let tokenRefusedTitle = Phrase("failure.tokenRefused.title", "Token Not Accepted", ko: "토큰이 승인되지 않음")
    static let forbiddenTitle = Phrase("failure.forbidden.title", "No Access", ko: "접근할 수 없음")
    static let rejectedTitle = Phrase("failure.rejected.title", "Request Not Accepted", ko: "처리할 수 없음")
    static let appTooOldTitle = Phrase("failure.appTooOld.title", "Update Required", ko: "업데이트 필요")
    static let pageLimitTitle = Phrase("failure.pageLimit.title", "End of Results", ko: "표시할 수 있는 마지막 항목")
    static let invalidInputTitle = Phrase("failure.input.title", "Invalid Input", ko: "잘못된 입력")
    static let serverFailureTitle = Phrase("failure.server.title", "Server Error", ko: "서버 오류")
    static let unsafeTitle = Phrase("failure.unsafe.title", "Blocked for Security", ko: "보안을 위해 차단됨")
    static let invalidConfigurationTitle = Phrase("failure.configuration.title", "Invalid Settings", ko: "잘못된 설정")
    static let storageTitle = Phrase("failure.storage.title", "Storage Error", ko: "저장 오류")
}

// The texts of failures. In Korean, a noun follows most values, because a particle would depend on
// their last sound.
// swift-format-ignore
extension Phrase {
    static func notFound(in service: Phrase) -> Phrase {
        Phrase("failure.notFound", "\(service) doesn’t have this item. Check your input.",
            ko: "\(service)에 그런 항목이 없습니다. 입력한 내용을 확인하십시오.")
    }

    static func gone(from service: Phrase) -> Phrase {
        Phrase("failure.gone", "\(service) doesn’t have this anymore, or it isn’t visible to you.",
            ko: "\(service)에서 삭제되었거나 볼 수 없는 항목입니다.")
    }

    static func unreachable(_ reason: BrowseError.Unreachable, at host: String?) -> Phrase {
        switch (reason, host) {
        case (.hostNotFound, let host?):
            Phrase("failure.hostNotFound", "“\(host)” can’t be found. Check the address and your internet connection.",
                ko: "‘\(host)’ 서버를 찾을 수 없습니다. 주소와 인터넷 연결을 확인하십시오.")
        case (.offline, let host?):
            Phrase("failure.offline.local",
                "“\(host)” can’t be reached. Check your connection, and that this app may use the local network.",
                ko: "‘\(host)’ 서버에 연결할 수 없습니다. 네트워크 연결과 이 앱의 로컬 네트워크 접근 권한을 확인하십시오.")
        case (.notSecure, let host?):
            Phrase("failure.notSecure.host",
                "A secure connection to “\(host)” couldn’t be established. Its certificate may not be trusted on this network, or the date and time of this device may be wrong.",
                ko: "‘\(host)’ 서버에 안전하게 연결할 수 없습니다. 이 네트워크에서 서버 인증서를 신뢰할 수 없거나 기기의 날짜와 시간이 잘못되었을 수 있습니다.")
        case (.intercepted, let host?):
            Phrase("failure.intercepted.host",
                "“\(host)” responded instead of the server. It may be a proxy, VPN, or network sign-in page. Check your network and try again.",
                ko: "‘\(host)’ 호스트가 서버 대신 응답했습니다. 프록시, VPN 또는 네트워크 로그인 페이지일 수 있습니다. 네트워크를 확인하고 다시 시도하십시오.")
        default: unreachable(reason)
        }
    }

    private static func unreachable(_ reason: BrowseError.Unreachable) -> Phrase {
        switch reason {
        case .offline:
            Phrase("failure.offline", "Check your internet connection and try again.",
                ko: "인터넷 연결을 확인하고 다시 시도하십시오.")
        case .hostNotFound, .connectionRefused, .moved, .other:
            Phrase("failure.unreachable", "The server can’t be reached. Try again in a moment.",
                ko: "서버에 연결할 수 없습니다. 잠시 후 다시 시도하십시오.")
        case .connectionLost: .connectionLost
        case .intercepted:
            Phrase("failure.intercepted",
                "A proxy, VPN, or network sign-in page responded instead of the server. Check your network and try again.",
                ko: "서버 대신 프록시, VPN 또는 네트워크 로그인 페이지가 응답했습니다. 네트워크를 확인하고 다시 시도하십시오.")
        case .notCached:
            Phrase("failure.notCached", "This isn’t available offline because it hasn’t been loaded before.",
                ko: "이전에 불러온 적이 없어 오프라인에서 볼 수 없습니다.")
        case .notSecure:
            Phrase("failure.notSecure", "A secure connection to the server couldn’t be established.",
                ko: "서버에 안전하게 연결할 수 없습니다.")
        }
    }
    static func moved(_ service: Phrase, to host: String) -> Phrase {
        Phrase("failure.moved", "The address of \(service) has changed to \(host). Change it in the app’s settings.",
            ko: "\(service) 주소가 변경되었습니다. 새 주소: \(host). 앱 설정에서 주소를 변경하십시오.")
    }
    static let connectionLost = Phrase("failure.connectionLost", "The connection was lost. Try again.",
        ko: "연결이 끊어졌습니다. 다시 시도하십시오.")
    static let timedOut = Phrase("failure.timedOut", "The server didn’t respond in time. Try again.",
        ko: "서버가 제때 응답하지 않았습니다. 다시 시도하십시오.")

    static func rateLimited(until date: Date, _ service: Phrase) -> Phrase {
        Phrase("failure.rateLimited", "\(service) limits the number of requests. Try again after \(deadline: date).",
            ko: "\(service) 요청 횟수 제한을 초과했습니다. \(deadline: date) 이후에 다시 시도하십시오.")
    }

    static func rateLimitedSignedOut(until date: Date, _ service: Phrase) -> Phrase {
        Phrase("failure.rateLimited.signedOut",
            "\(service) limits the requests of everybody on your network who isn’t signed in. Sign in, or try again after \(deadline: date).",
            ko: "같은 네트워크에서 로그인하지 않은 사용자의 \(service) 요청 횟수 제한을 초과했습니다. 로그인하거나 \(deadline: date) 이후에 다시 시도하십시오.")
    }

    static func signInFirst(_ service: Phrase) -> Phrase {
        Phrase("failure.signInFirst", "\(service) requires you to sign in to continue.",
            ko: "계속하려면 \(service)에 로그인하십시오.")
    }
    static func unauthorized(_ service: Phrase) -> Phrase {
        Phrase("failure.unauthorized", "\(service) no longer accepts your sign-in. Sign in again.",
            ko: "\(service) 로그인이 더 이상 유효하지 않습니다. 다시 로그인하십시오.")
    }
    static func tokenRefused(_ service: Phrase) -> Phrase {
        Phrase("failure.tokenRefused", "\(service) doesn’t accept the token in this app’s settings. Replace the token.",
            ko: "\(service)에서 이 앱 설정의 토큰을 승인하지 않습니다. 토큰을 교체하십시오.")
    }
    static func forbidden(_ info: BrowseError.RequestInfo, _ service: Phrase) -> Phrase {
        switch info.denial {
        case .missingPermission(let names):
            // A semicolon separates alternatives.
            Phrase("failure.permission",
                "Your sign-in to \(service) lacks a permission: \(names.joined(separator: ", ").replacing(";", with: " or")).",
                ko: "\(service) 로그인에 필요한 권한이 없습니다. 권한: \(names.joined(separator: ", ").replacing(";", with: " 또는"))")
        case .singleSignOn:
            Phrase("failure.singleSignOn", "An organization requires you to sign in with its single sign-on at \(service).",
                ko: "조직에서 \(service) 싱글 사인온을 요구합니다.")
        case .legalReasons:
            Phrase("failure.legal", "\(service) doesn’t show this for legal reasons.",
                ko: "법적 사유로 \(service)에서 볼 수 없습니다.")
        case nil:
            if let sentence = info.serverMessage, !sentence.isEmpty {
                Phrase("failure.forbidden.reason", "\(service) denied this request: “\(sentence)”",
                    ko: "\(service)에서 요청을 거부했습니다. 사유: “\(sentence)”")
            } else {
                Phrase("failure.forbidden", "\(service) denied this request. You might not have permission.",
                    ko: "\(service)에서 요청을 거부했습니다. 권한이 없을 수 있습니다.")
            }
        }
    }
    static func rejected(by service: Phrase) -> Phrase {
        Phrase("failure.rejected", "\(service) can’t process this request. Check your input and try again.",
            ko: "\(service)에서 이 요청을 처리할 수 없습니다. 입력한 내용을 확인하고 다시 시도하십시오.")
    }

    static func explained(_ text: Phrase, by info: BrowseError.RequestInfo) -> Phrase {
        guard let sentence = info.serverMessage, !sentence.isEmpty else { return text }
        return Phrase("failure.rejected.reason", "\(text) Reason: “\(sentence)”", ko: "\(text) 사유: “\(sentence)”")
    }

    static func notProcessed(by service: Phrase) -> Phrase {
        Phrase("failure.notProcessed", "\(service) can’t process this request.",
            ko: "\(service)에서 이 요청을 처리할 수 없습니다.")
    }

    static func appTooOld(for service: Phrase) -> Phrase {
        Phrase("failure.appTooOld", "This app is too old for \(service). Update the app.",
            ko: "이 앱의 버전은 \(service)에서 더 이상 지원되지 않습니다. 앱을 업데이트하십시오.")
    }

    static func pageLimit(of service: Phrase) -> Phrase {
        Phrase("failure.pageLimit", "\(service) doesn’t show more of this list.",
            ko: "\(service)에서 이 목록을 더 이상 표시하지 않습니다.")
    }

    static let tooManyPages = Phrase("failure.tooManyPages", "This list is too long to load all of it.",
        ko: "목록이 너무 길어 전부 불러올 수 없습니다.")

    static let invalidInput = Phrase("failure.input",
        "The name, number, or address isn’t valid, so nothing was sent. Check your input.",
        ko: "이름, 번호 또는 주소가 올바르지 않아 아무것도 보내지 않았습니다. 입력한 내용을 확인하십시오.")
    static func serverFailure(of service: Phrase, until date: Date?) -> Phrase {
        guard let date else {
            return Phrase("failure.server", "\(service) has a problem. Try again in a moment.",
                ko: "\(service)에 문제가 발생했습니다. 잠시 후 다시 시도하십시오.")
        }
        return Phrase("failure.serverUntil", "\(service) has a problem. Try again after \(deadline: date).",
            ko: "\(service)에 문제가 발생했습니다. \(deadline: date) 이후에 다시 시도하십시오.")
    }
    static func unusableResponse(of service: Phrase) -> Phrase {
        Phrase("failure.response", "\(service) sent a response that can’t be read. Try again in a moment.",
            ko: "\(service)에서 보낸 응답을 읽을 수 없습니다. 잠시 후 다시 시도하십시오.")
    }
    static func redirects(by service: Phrase) -> Phrase {
        Phrase("failure.redirects",
            "\(service) redirects repeatedly, perhaps because of a proxy, VPN, or network sign-in page. Check your network and try again.",
            ko: "\(service)에서 리디렉션이 반복됩니다. 프록시, VPN 또는 네트워크 로그인 페이지 때문일 수 있습니다. 네트워크를 확인하고 다시 시도하십시오.")
    }
    static let unsafe = Phrase("failure.unsafe", "The server sent an address that isn’t safe to open.",
        ko: "서버가 안전하지 않은 주소를 보냈습니다.")
    static func invalidConfiguration(_ service: Phrase) -> Phrase {
        Phrase("failure.configuration", "\(service) has an invalid address in this app’s settings. Nothing was sent.",
            ko: "앱 설정의 \(service) 주소가 올바르지 않아 아무것도 보내지 않았습니다.")
    }

    static func storage(_ reason: StorageFailure.Reason) -> Phrase {
        switch reason {
        case .notWritable:
            Phrase("failure.storage.notWritable", "This app can’t write to its storage. Check the permissions and try again.",
                ko: "앱의 저장 공간에 쓸 수 없습니다. 권한을 확인한 후 다시 시도하십시오.")
        case .full:
            Phrase("failure.storage.full", "There isn’t enough storage space. Free up space and try again.",
                ko: "저장 공간이 부족합니다. 공간을 확보한 후 다시 시도하십시오.")
        case .newerVersion:
            Phrase("failure.storage.newerVersion", "The saved data is from a newer version of this app. Update the app.",
                ko: "더 새로운 버전의 앱에서 저장한 데이터입니다. 앱을 업데이트하십시오.")
        case .damaged:
            Phrase("failure.storage.damaged", "The saved data is damaged and can’t be read.",
                ko: "저장된 데이터가 손상되어 읽을 수 없습니다.")
        case .exposed:
            Phrase("failure.storage.exposed",
                "Your saved sign-in wasn’t used, because other people could read or change it. Sign in again.",
                ko: "다른 사람이 저장된 로그인 정보를 읽거나 변경할 수 있어 사용하지 않았습니다. 다시 로그인하십시오.")
        case .exposedFolder:
            Phrase("failure.storage.exposedFolder",
                "Other people can change the folder of your saved sign-in. Change its permissions and try again.",
                ko: "다른 사람이 로그인 정보가 저장된 폴더를 변경할 수 있습니다. 폴더의 권한을 변경한 후 다시 시도하십시오.")
        case .locked:
            Phrase("failure.storage.locked", "Unlock your device and try again.",
                ko: "기기의 잠금을 해제한 후 다시 시도하십시오.")
        case .notEncodable:
            Phrase("failure.storage.notEncodable", "This item contains data that can’t be saved.",
                ko: "이 항목에 저장할 수 없는 데이터가 있습니다.")
        case .unavailable:
            Phrase("failure.storage.unavailable", "The saved data can’t be reached right now. Try again in a moment.",
                ko: "지금은 저장된 데이터에 연결할 수 없습니다. 잠시 후 다시 시도하십시오.")
        case .busy, .other:
            Phrase("failure.storage.busy", "The saved data can’t be opened right now. Try again in a moment.",
                ko: "지금은 저장된 데이터를 열 수 없습니다. 잠시 후 다시 시도하십시오.")
        }
    }

    static func noStore(of service: Phrase, in region: String) -> Phrase {
        Phrase("failure.region", "\(service) isn’t available in “\(region)”. Choose another country or region.",
            ko: "‘\(region)’에서는 \(service) 서비스를 사용할 수 없습니다. 다른 국가 또는 지역을 선택하십시오.")
    }

    // Lists and buttons.

    static let noMatchesTitle = Phrase("list.noMatches.title", "No Matches", ko: "일치하는 항목 없음")
    static let noMatches = Phrase("list.noMatches", "Nothing matches the filter.", ko: "필터와 일치하는 항목이 없습니다.")
    static let interruptedTitle = Phrase("list.interrupted.title", "Incomplete Results", ko: "불완전한 결과")
    static func interrupted(_ service: Phrase) -> Phrase {
        Phrase("list.interrupted", "\(service) stopped before it found everything. Try again.",
            ko: "\(service)에서 모두 찾기 전에 중단되었습니다. 다시 시도하십시오.")
    }
    static let incompleteListTitle = Phrase("list.incomplete.title", "Incomplete List", ko: "불완전한 목록")
    static let incompleteList = Phrase("list.incomplete", "The list may be incomplete. Try again.",
        ko: "목록이 불완전할 수 있습니다. 다시 시도하십시오.")
    static let partialTitle = Phrase("list.partial.title", "Some Items Are Missing", ko: "일부 항목이 누락됨")
    static func partial(_ service: Phrase) -> Phrase {
        Phrase("list.partial",
            "\(service) left out organizations that require single sign-on. Sign in to them at \(service) to see all items.",
            ko: "싱글 사인온을 요구하는 조직은 \(service)에서 제외되었습니다. 모두 보려면 해당 조직에 로그인하십시오.")
    }
    static func unreadable(_ count: Int) -> Phrase {
        Phrase("list.unreadable", plural: count, one: "\(count) item can’t be shown.", "\(count) items can’t be shown.",
            ko: "항목 \(count)개를 표시할 수 없습니다.")
    }
    static let onlyLoadedTitle = Phrase("list.onlyLoaded.title", "Loaded Items Only", ko: "불러온 항목만 검색됨")
    static func onlyLoaded(_ count: Int) -> Phrase {
        Phrase("list.onlyLoaded", plural: count, one: "Only the item loaded so far was searched.",
            "Only the \(count) items loaded so far were searched.", ko: "지금까지 불러온 항목 \(count)개에서만 찾았습니다.")
    }
    static let noLoadedRows = Phrase("list.noLoadedRows", "There are more pages, but those loaded so far have no items.",
        ko: "페이지가 더 있지만 지금까지 불러온 페이지에는 항목이 없습니다.")
    static let nothingTitle = Phrase("list.empty.title", "No Items", ko: "항목 없음")
    static let noResultsTitle = Phrase("search.noResults.title", "No Results", ko: "결과 없음")
    static func noResults(_ text: String) -> Phrase {
        Phrase("search.noResults", "No results for “\(text)”. Check the spelling or try a new search.",
            ko: "‘\(text)’에 대한 결과가 없습니다. 철자를 확인하거나 다른 검색어를 입력하십시오.")
    }
    static func button(for action: Message.Action, _ kind: Message.Kind) -> Phrase {
        switch action {
        case .retry: .retry
        case .retryLater(let date):
            Phrase("action.retryLater", "Try Again After \(deadline: date)", ko: "\(deadline: date) 이후 다시 시도")
        case .changeInput where kind == .signInFailed: Phrase("action.editToken", "Edit Token", ko: "토큰 다시 입력")
        case .changeInput where kind == .empty: Phrase("action.editSearch", "Edit Search", ko: "다시 검색")
        case .changeInput: Phrase("action.edit", "Edit", ko: "다시 입력")
        case .clearFilter: Phrase("action.clearFilter", "Clear Filter", ko: "필터 지우기")
        case .loadAll: Phrase("action.loadAll", "Load All", ko: "모두 불러오기")
        case .signIn: .signIn
        case .open: Phrase("action.open", "Open Page", ko: "페이지 열기")
        }
    }
}
