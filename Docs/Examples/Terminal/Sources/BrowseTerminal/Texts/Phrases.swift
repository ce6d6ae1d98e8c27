import BrowseKit

// Columns and fields
extension Phrase {
    static let login = Phrase("browse.login", "Username", ko: "사용자 이름")
    static let id = Phrase("browse.id", "ID", ko: "ID")
    static let kind = Phrase("browse.kind", "Kind", ko: "종류")
    static let repo = Phrase("browse.repo", "Repository", ko: "저장소")
    static let stars = Phrase("browse.stars", "Stars", ko: "별표")
    static let language = Phrase("browse.language", "Language", ko: "언어")
    static let updated = Phrase("browse.updated", "Updated", ko: "업데이트")
    static let summary = Phrase("browse.summary", "Description", ko: "설명")
    static let character = Phrase("browse.character", "Character", ko: "등장인물")
    static let app = Phrase("browse.app", "App", ko: "앱")
    static let rating = Phrase("browse.rating", "Rating", ko: "평점")
    static let price = Phrase("browse.price", "Price", ko: "가격")
    static let genre = Phrase("browse.genre", "Genre", ko: "장르")
    static let webPage = Phrase("browse.webPage", "Page", ko: "페이지")
    static let image = Phrase("browse.image", "Image", ko: "이미지")
    static let bucket = Phrase("browse.bucket", "Rate limit", ko: "요청 제한")
    static let remaining = Phrase("browse.remaining", "Remaining", ko: "남은 요청")
    static let resets = Phrase("browse.resets", "Resets", ko: "초기화 시각")
    static let pausedUntil = Phrase("browse.pausedUntil", "Paused until", ko: "일시 중지")
}

// Values
extension Phrase {
    static let user = Phrase("browse.user", "User", ko: "사용자")
    static let organization = Phrase("browse.organization", "Organization", ko: "조직")
    static let bot = Phrase("browse.bot", "Bot", ko: "봇")
    static let mannequin = Phrase("browse.mannequin", "Mannequin", ko: "마네킹")
    static let now = Phrase("browse.now", "just now", ko: "방금")
    static func past(_ length: String) -> Phrase { Phrase("browse.past", "\(length) ago", ko: "\(length) 전") }
    static func future(_ length: String) -> Phrase { Phrase("browse.future", "in \(length)", ko: "\(length) 후") }
    static func remaining(_ count: Int, of limit: Int) -> Phrase {
        Phrase("browse.remainingOf", "\(count) of \(limit)", ko: "\(limit) 중 \(count)")
    }
}

// Below a list, and while it loads
// swift-format-ignore
extension Phrase {
    static func all(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.all", "\(count) total", ko: "총 \(count)\(unit)")
    }
    static func some(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.some", "\(count) loaded", ko: "\(count)\(unit) 불러옴")
    }
    static func loaded(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.loaded", "\(count) loaded, more available", ko: "\(count)\(unit) 불러옴, 더 있음")
    }
    static func loadedUseAll(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.loadedUseAll", "\(count) loaded, more available: --all", ko: "\(count)\(unit) 불러옴, 더 보기: --all")
    }
    static func matching(_ count: Int, of all: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.matching", "\(count) of \(all) loaded match", ko: "불러온 \(all)\(unit) 중 \(count)\(unit) 일치")
    }
    static func matchingUseAll(_ count: Int, of all: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.matchingUseAll", "\(count) of \(all) loaded match, search more: --all",
            ko: "불러온 \(all)\(unit) 중 \(count)\(unit) 일치, 더 찾기: --all")
    }
    static func loading(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.loading", "\(count) loaded…", ko: "\(count)\(unit) 불러옴…")
    }
    static func stopped(_ count: Int, _ unit: CountUnit) -> Phrase {
        Phrase("browse.stopped", "Stopped after loading \(count).", ko: "\(count)\(unit)까지 불러오고 중단했습니다.")
    }
    static let stoppedEarly = Phrase("browse.stoppedEarly", "Stopped before anything was loaded.",
        ko: "아무것도 불러오지 못하고 중단했습니다.")
    static let barren = Phrase("browse.barren", "The server sent only pages without new rows, so there may be more. Try again later.",
        ko: "서버에서 새로운 행이 없는 페이지만 보내 중단했습니다. 항목이 더 있을 수 있으니 나중에 다시 시도하십시오.")
    static func skipped(_ count: Int) -> Phrase {
        Phrase("browse.skipped", plural: count, one: "\(count) row can’t be read and was skipped.",
            "\(count) rows can’t be read and were skipped.", ko: "읽을 수 없는 행 \(count)개를 건너뛰었습니다.")
    }
    static func exported(_ count: Int) -> Phrase {
        Phrase("browse.exported", plural: count, one: "\(count) row exported", "\(count) rows exported", ko: "행 \(count)개를 내보냄")
    }
    static func exportStopped(_ count: Int) -> Phrase {
        Phrase("browse.exportStopped", plural: count, one: "Stopped after \(count) row. Continue with --resume.",
            "Stopped after \(count) rows. Continue with --resume.", ko: "행 \(count)개까지 내보내고 중단했습니다. --resume으로 계속하십시오.")
    }
    static func exportWaits(until time: String) -> Phrase {
        Phrase("browse.exportWaits", "Waiting until \(time) for the rate limit…", ko: "요청 횟수 제한이 풀리는 \(time)까지 대기 중…")
    }
    static let exportIncomplete = Phrase("browse.exportIncomplete",
        "The server left out a part of the list. Look for it with --again.",
        ko: "서버에서 목록의 일부를 보내지 않았습니다. --again으로 다시 찾아보십시오.")
    static let exportAgain = Phrase("browse.exportAgain",
        "The server doesn’t continue this list. Start again with --again; exported rows aren’t repeated.",
        ko: "서버에서 이 목록을 이어서 보내지 않습니다. --again으로 다시 시작하십시오. 이미 내보낸 행은 반복되지 않습니다.")
    static func exportExists(_ file: String) -> Phrase {
        Phrase("browse.exportExists", "\(file) exists. Use --resume to continue its export, or choose another file.",
            ko: "\(file) 파일이 이미 있습니다. --resume으로 계속하거나 다른 파일을 선택하십시오.")
    }
    static func exportOther(_ list: String) -> Phrase {
        Phrase("browse.exportOther", "The file has the export of another list or account: \(list)",
            ko: "다른 목록 또는 계정의 내보내기 파일입니다: \(list)")
    }
    static func exportForeign(_ name: String) -> Phrase {
        Phrase("browse.exportForeign", "“\(name)” isn’t an export. Choose another file.",
            ko: "내보내기 파일이 아닙니다: \(name). 다른 파일을 선택하십시오.")
    }
    static func exportInUse(_ name: String) -> Phrase {
        Phrase("browse.exportInUse", "Another export is writing “\(name)”. Try again when it has ended.",
            ko: "다른 내보내기에서 이 파일을 쓰고 있습니다: \(name). 끝난 후 다시 시도하십시오.")
    }
    static let onlyFirstPage = Phrase("browse.onlyFirstPage", "only the first page was searched: --all",
        ko: "첫 페이지에서만 검색함: --all")
}

// Options and arguments
// swift-format-ignore
extension Phrase {
    static let useToken = Phrase("browse.useToken", "use browse login, or pass a token with --token-env",
        ko: "browse login으로 로그인하거나 --token-env로 토큰을 지정하십시오")
    static let tokenRaisesLimit = Phrase("browse.tokenRaisesLimit", "sign in for a higher limit: browse login, or --token-env",
        ko: "로그인하면 한도가 늘어납니다: browse login 또는 --token-env")
    static let tokenMissing = Phrase("browse.tokenMissing", "The environment variable for --token-env isn’t set or is empty.",
        ko: "--token-env로 지정한 환경 변수가 없거나 비어 있습니다.")
    static let tokenMalformed = Phrase("browse.tokenMalformed",
        "The environment variable for --token-env doesn’t contain a valid token.",
        ko: "--token-env로 지정한 환경 변수에 유효한 토큰이 없습니다.")
    static let tokenUnprotected = Phrase("browse.tokenUnprotected",
        "Tokens are sent over https only, except to this computer.", ko: "토큰은 https로만 보냅니다. 이 컴퓨터는 예외입니다.")
    static let loginEmpty = Phrase("browse.loginEmpty", "Enter a username.", ko: "사용자 이름을 입력하십시오.")
    static let notRepo = Phrase("browse.notRepo", "Enter a repository as OWNER/NAME.",
        ko: "저장소를 소유자/이름 형식으로 입력하십시오.")
    static let characterNumber = Phrase("browse.characterNumber", "Enter the character’s number.",
        ko: "등장인물의 번호를 입력하십시오.")
    static let appReference = Phrase("browse.appReference", "Enter an app ID, an App Store link, or a bundle ID.",
        ko: "앱 ID, App Store 링크 또는 번들 ID를 입력하십시오.")
    static func outputFailed(_ reason: String) -> Phrase {
        Phrase("browse.outputFailed", "The output can’t be written: \(reason)", ko: "출력할 수 없습니다: \(reason)")
    }
    static let nothingCached = Phrase("browse.nothingCached", "bundled data is cached only with --storage",
        ko: "내장 데이터는 --storage를 지정해야 캐시됩니다")
}

// Favorites, sign-in, and stars
// swift-format-ignore
extension Phrase {
    static func added(_ name: String) -> Phrase {
        Phrase("browse.added", "Added \(name) to favorites.", ko: "즐겨찾기에 추가했습니다: \(name)")
    }
    static func alreadyThere(_ name: String) -> Phrase {
        Phrase("browse.alreadyThere", "\(name) is already a favorite.", ko: "이미 즐겨찾기에 있습니다: \(name)")
    }
    static func removed(_ name: String) -> Phrase {
        Phrase("browse.removed", "Removed \(name) from favorites.", ko: "즐겨찾기에서 삭제했습니다: \(name)")
    }
    static func notFavorite(_ name: String) -> Phrase {
        Phrase("browse.notFavorite", "\(name) isn’t a favorite.", ko: "즐겨찾기에 없습니다: \(name)")
    }
    static func severalFavorites(_ name: String, _ ids: String) -> Phrase {
        Phrase("browse.severalFavorites", "Several favorites are called \(name). Name one of them: \(ids).",
            ko: "이름이 같은 즐겨찾기가 여러 개 있습니다: \(name). 다음 중 하나를 지정하십시오: \(ids)")
    }
    static let favoriteNotSaved = Phrase("browse.favoriteNotSaved", "Favorites aren’t saved without --storage FOLDER.",
        ko: "--storage로 폴더를 지정하지 않으면 즐겨찾기가 저장되지 않습니다.")

    static let waitingForCode = Phrase("browse.waitingForCode", "Waiting for you to enter the code… Press Ctrl-C to stop.",
        ko: "코드 입력을 기다리는 중… 중단하려면 Ctrl-C를 누르십시오.")
    static func signedIn(_ login: String) -> Phrase {
        Phrase("browse.signedIn", "Signed in as \(login).", ko: "\(login) 계정으로 로그인했습니다.")
    }
    static let signedOut = Phrase("browse.signedOut", "Signed out.", ko: "로그아웃했습니다.")
    static let notSignedIn = Phrase("browse.notSignedIn", "You weren’t signed in.", ko: "로그인되어 있지 않았습니다.")
    static let tokenNotSaved = Phrase("browse.tokenNotSaved",
        "The token isn’t saved, so there’s no sign-in to end. Its cached data was erased.",
        ko: "저장된 로그인이 아니라 토큰이므로 로그아웃하지 않았습니다. 이 토큰의 캐시된 데이터는 지웠습니다.")
    static let signInNotSaved = Phrase("browse.signInNotSaved", "The sign-in isn’t saved without --storage FOLDER.",
        ko: "--storage로 폴더를 지정하지 않으면 로그인이 저장되지 않습니다.")
    static let signInStopped = Phrase("browse.signInStopped", "Stopped before signing in.", ko: "로그인하기 전에 중단했습니다.")

    static func starred(_ name: String) -> Phrase {
        Phrase("browse.starred", "Starred \(name).", ko: "별표를 표시했습니다: \(name)")
    }
    static func unstarred(_ name: String) -> Phrase {
        Phrase("browse.unstarred", "Unstarred \(name).", ko: "별표를 취소했습니다: \(name)")
    }
    static func alreadyStarred(_ name: String) -> Phrase {
        Phrase("browse.alreadyStarred", "\(name) is already starred.", ko: "이미 별표를 표시했습니다: \(name)")
    }
    static func notStarred(_ name: String) -> Phrase {
        Phrase("browse.notStarred", "\(name) isn’t starred.", ko: "별표를 표시하지 않은 저장소입니다: \(name)")
    }
    static let starNotSaved = Phrase("browse.starNotSaved", "With bundled data, stars last until the end of the run.",
        ko: "내장 데이터의 별표는 실행이 끝나면 사라집니다.")
}

extension Phrase {
    /// The Korean counting word.
    enum CountUnit: String, Hashable, Sendable, CustomStringConvertible {
        case people = "명"
        case things = "개"

        var description: String { rawValue }
    }
}
