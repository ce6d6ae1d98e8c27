package import BrowsePresentation

// Columns and fields
extension Phrase {
    static let login = Phrase("browse.login", "Login", ko: "아이디")
    static let id = Phrase("browse.id", "ID", ko: "번호")
    static let kind = Phrase("browse.kind", "Kind", ko: "종류")
    static let name = Phrase("browse.name", "Name", ko: "이름")
    static let bio = Phrase("browse.bio", "Bio", ko: "소개")
    static let company = Phrase("browse.company", "Company", ko: "회사")
    static let location = Phrase("browse.location", "Location", ko: "위치")
    static let blog = Phrase("browse.blog", "Website", ko: "웹사이트")
    static let repo = Phrase("browse.repo", "Repository", ko: "저장소")
    static let stars = Phrase("browse.stars", "Stars", ko: "별표")
    static let language = Phrase("browse.language", "Language", ko: "언어")
    static let updated = Phrase("browse.updated", "Updated", ko: "업데이트")
    static let summary = Phrase("browse.summary", "Description", ko: "설명")
    static let character = Phrase("browse.character", "Character", ko: "등장인물")
    static let app = Phrase("browse.app", "App", ko: "앱")
    static let status = Phrase("browse.status", "Status", ko: "상태")
    static let species = Phrase("browse.species", "Species", ko: "종")
    static let type = Phrase("browse.type", "Type", ko: "유형")
    static let gender = Phrase("browse.gender", "Gender", ko: "성별")
    static let origin = Phrase("browse.origin", "Origin", ko: "출신")
    static let lastSeen = Phrase("browse.lastSeen", "Last seen", ko: "마지막 위치")
    static let created = Phrase("browse.created", "Created", ko: "등록일")
    static let episodes = Phrase("browse.episodes", "Episodes", ko: "에피소드")
    static let characters = Phrase("browse.characters", "Characters", ko: "등장인물")
    static let residents = Phrase("browse.residents", "Residents", ko: "주민")
    static let code = Phrase("browse.code", "Code", ko: "코드")
    static let airDate = Phrase("browse.airDate", "First shown", ko: "방영일")
    static let dimension = Phrase("browse.dimension", "Dimension", ko: "차원")
    static let rating = Phrase("browse.rating", "Rating", ko: "평점")
    static let price = Phrase("browse.price", "Price", ko: "가격")
    static let genre = Phrase("browse.genre", "Genre", ko: "장르")
    static let screenshots = Phrase("browse.screenshots", "Screenshots", ko: "스크린샷")
    static let whatsNew = Phrase("browse.whatsNew", "What’s new", ko: "새로운 기능")
    static let publicRepos = Phrase("browse.publicRepos", "Repositories", ko: "저장소")
    static let publicGists = Phrase("browse.publicGists", "Gists", ko: "Gist")
    static let followers = Phrase("browse.followers", "Followers", ko: "팔로워")
    static let following = Phrase("browse.following", "Following", ko: "팔로잉")
    static let webPage = Phrase("browse.webPage", "Page", ko: "페이지")
    static let avatar = Phrase("browse.avatar", "Picture", ko: "사진")
}

// Kinds of accounts
extension Phrase {
    static let user = Phrase("browse.user", "User", ko: "사용자")
    static let organization = Phrase("browse.organization", "Organization", ko: "조직")
    static let bot = Phrase("browse.bot", "Bot", ko: "봇")
    static let mannequin = Phrase("browse.mannequin", "Mannequin", ko: "마네킹")
}

// Below a list
extension Phrase {
    static func all(_ count: Int, _ unit: Counted) -> Phrase {
        Phrase("browse.all", "\(count) in all", ko: "모두 \(count)\(unit)")
    }
    static func loaded(_ count: Int, _ unit: Counted) -> Phrase {
        Phrase("browse.loaded", "\(count) loaded, and there are more", ko: "\(count)\(unit) 불러옴, 더 있음")
    }
    static func loadedUseAll(_ count: Int, _ unit: Counted) -> Phrase {
        Phrase(
            "browse.loadedUseAll",
            "\(count) loaded, more available: --all",
            ko: "\(count)\(unit) 불러옴, 더 보기: --all"
        )
    }
    static func matching(_ count: Int, of all: Int, _ unit: Counted) -> Phrase {
        Phrase(
            "browse.matching",
            "\(count) of \(all) loaded match",
            ko: "불러온 \(all)\(unit) 중 \(count)\(unit) 일치"
        )
    }
    static func matchingUseAll(_ count: Int, of all: Int, _ unit: Counted) -> Phrase {
        Phrase(
            "browse.matchingUseAll",
            "\(count) of \(all) loaded match, search more: --all",
            ko: "불러온 \(all)\(unit) 중 \(count)\(unit) 일치, 더 찾기: --all"
        )
    }
}

// While and after loading
extension Phrase {
    static func loading(_ count: Int, _ unit: Counted) -> Phrase {
        Phrase("browse.loading", "\(count) loaded…", ko: "\(count)\(unit) 불러옴…")
    }
    static func stopped(_ count: Int, _ unit: Counted) -> Phrase {
        Phrase("browse.stopped", "Stopped with \(count) loaded.", ko: "중단했습니다. \(count)\(unit)까지 불러왔습니다.")
    }
    static let stoppedEarly = Phrase(
        "browse.stoppedEarly",
        "Stopped before anything was loaded.",
        ko: "아무것도 불러오기 전에 중단했습니다."
    )
    static func skipped(_ count: Int) -> Phrase {
        Phrase(
            "browse.skipped",
            plural: count,
            one: "1 row can’t be read and was left out.",
            "\(count) rows can’t be read and were left out.",
            ko: "읽을 수 없는 \(count)개 행을 뺐습니다."
        )
    }
}

// What helps
extension Phrase {
    static let useToken = Phrase(
        "browse.useToken",
        "browse login, or --token-env names the variable that holds a token",
        ko: "browse login으로 로그인하거나 --token-env로 토큰이 든 환경 변수의 이름을 지정하십시오"
    )
    static let tokenRaisesLimit = Phrase(
        "browse.tokenRaisesLimit",
        "GitHub allows more to those who sign in: browse login, or --token-env",
        ko: "로그인하면 더 많이 요청할 수 있습니다: browse login 또는 --token-env"
    )
    static let onlyFirstPage = Phrase(
        "browse.onlyFirstPage",
        "only the first page was searched: --all",
        ko: "첫 페이지에서만 찾았습니다: --all"
    )
}

// What is wrong
extension Phrase {
    static let tokenMissing = Phrase(
        "browse.tokenMissing",
        "The environment variable named by --token-env is not set, or empty.",
        ko: "--token-env로 지정한 환경 변수가 없거나 비어 있습니다."
    )
    static let tokenMalformed = Phrase(
        "browse.tokenMalformed",
        "The environment variable named by --token-env does not hold a token.",
        ko: "--token-env로 지정한 환경 변수의 값은 토큰이 아닙니다."
    )
    static let tokenUnprotected = Phrase(
        "browse.tokenUnprotected",
        "A token is sent over https only, except to this computer itself.",
        ko: "토큰은 이 컴퓨터가 아니면 https로만 보냅니다."
    )
    static let loginEmpty = Phrase("browse.loginEmpty", "A login can’t be empty.", ko: "아이디는 비워 둘 수 없습니다.")
    static let searchEmpty = Phrase("browse.searchEmpty", "There is nothing to search for.", ko: "검색어가 없습니다.")
    static func outputFailed(_ reason: String) -> Phrase {
        Phrase("browse.outputFailed", "The output can’t be written: \(reason)", ko: "출력할 수 없습니다: \(reason)")
    }
}

// What was seen before
extension Phrase {
    static let now = Phrase("browse.now", "just now", ko: "방금")
    static func ago(_ length: String) -> Phrase {
        Phrase("browse.ago", "\(length) ago", ko: "\(length) 전")
    }
    static func ahead(_ length: String) -> Phrase {
        Phrase("browse.ahead", "in \(length)", ko: "\(length) 후")
    }
    static let keptNowhere = Phrase(
        "browse.keptNowhere",
        "the bundled data keeps what was seen only with --storage",
        ko: "내장 데이터로 본 내용은 --storage로 폴더를 지정해야 보관됩니다"
    )
}

// What GitHub still takes
extension Phrase {
    static let budget = Phrase("browse.budget", "Budget", ko: "한도")
    static let left = Phrase("browse.left", "Left", ko: "남은 요청")
    static func leftOf(_ count: Int, _ all: Int) -> Phrase {
        Phrase("browse.leftOf", "\(count) of \(all)", ko: "\(all) 중 \(count)")
    }
    static let resets = Phrase("browse.resets", "Resets", ko: "초기화 시각")
    static let closedUntil = Phrase("browse.closedUntil", "Closed until", ko: "멈춤")
}

// Favorites
extension Phrase {
    static func added(_ name: String) -> Phrase {
        Phrase("browse.added", "\(name) is a favorite now.", ko: "즐겨찾기에 추가했습니다: \(name)")
    }
    static func alreadyThere(_ name: String) -> Phrase {
        Phrase("browse.alreadyThere", "\(name) is already a favorite.", ko: "이미 즐겨찾기에 있습니다: \(name)")
    }
    static func removed(_ name: String) -> Phrase {
        Phrase("browse.removed", "\(name) is no longer a favorite.", ko: "즐겨찾기에서 삭제했습니다: \(name)")
    }
    static func notKept(_ name: String) -> Phrase {
        Phrase("browse.notKept", "\(name) isn’t a favorite.", ko: "즐겨찾기에 없습니다: \(name)")
    }
    static let forgottenSoon = Phrase(
        "browse.forgottenSoon",
        "It is forgotten when this run ends: --storage names a folder to keep favorites in.",
        ko: "이번 실행이 끝나면 사라집니다. --storage로 즐겨찾기를 보관할 폴더를 지정하십시오."
    )
    static let characterNumber = Phrase(
        "browse.characterNumber",
        "A character is named by its number.",
        ko: "등장인물은 번호로 지정합니다."
    )
    static let appReference = Phrase(
        "browse.appReference",
        "An app is named by its number, a link to it, or its bundle identifier.",
        ko: "앱은 번호, 링크 또는 번들 ID로 지정합니다."
    )
}

// Signing in
extension Phrase {
    static let waitingForCode = Phrase(
        "browse.waitingForCode",
        "Waiting until the code was typed… Ctrl-C stops.",
        ko: "코드가 입력되기를 기다리는 중… Ctrl-C로 중단합니다."
    )
    static func signedIn(_ login: String) -> Phrase {
        Phrase("browse.signedIn", "Signed in as \(login).", ko: "로그인했습니다: \(login)")
    }
    static let signedOut = Phrase("browse.signedOut", "Signed out.", ko: "로그아웃했습니다.")
    static let nobodySignedIn = Phrase(
        "browse.nobodySignedIn",
        "Nobody was signed in.",
        ko: "로그인되어 있지 않았습니다."
    )
    static let sessionForgottenSoon = Phrase(
        "browse.sessionForgottenSoon",
        "It ends with this run: --storage names a folder to keep the sign-in in.",
        ko: "이번 실행이 끝나면 로그아웃됩니다. --storage로 로그인을 보관할 폴더를 지정하십시오."
    )
    static let signInStopped = Phrase(
        "browse.signInStopped",
        "Stopped before anybody was signed in.",
        ko: "로그인하기 전에 중단했습니다."
    )
}

// Stars
extension Phrase {
    static func starred(_ name: String) -> Phrase {
        Phrase("browse.starred", "\(name) has your star now.", ko: "별표를 주었습니다: \(name)")
    }
    static func unstarred(_ name: String) -> Phrase {
        Phrase("browse.unstarred", "\(name) has your star no more.", ko: "별표를 취소했습니다: \(name)")
    }
    static func alreadyStarred(_ name: String) -> Phrase {
        Phrase("browse.alreadyStarred", "\(name) has your star already.", ko: "이미 별표를 주었습니다: \(name)")
    }
    static func notStarred(_ name: String) -> Phrase {
        Phrase("browse.notStarred", "\(name) does not have your star.", ko: "별표를 주지 않은 저장소입니다: \(name)")
    }
    static let notRepo = Phrase(
        "browse.notRepo",
        "A repository is written as OWNER/NAME.",
        ko: "저장소는 소유자/이름으로 적습니다."
    )
    static let starForgottenSoon = Phrase(
        "browse.starForgottenSoon",
        "The bundled data forgets it when this run ends.",
        ko: "내장 데이터는 이번 실행이 끝나면 별표를 잊습니다."
    )
}

extension Phrase {
    /// What is counted; Korean counts people with another word than things.
    package enum Counted: String, Hashable, Sendable, CustomStringConvertible {
        case people = "명"
        case things = "개"

        package var description: String { rawValue }
    }
}
