import BrowseKit

// The strings that only this site has; the SDK's view models supply all others.
// swift-format-ignore
extension Phrase {
    static let siteTitle = Phrase("web.title", "BrowseKit", ko: "BrowseKit")
    static let skip = Phrase("web.skip", "Skip to content", ko: "본문으로 건너뛰기")
    static let navigation = Phrase("web.navigation", "Main", ko: "기본 메뉴")
    static let languages = Phrase("web.languages", "Language", ko: "언어")

    static let appearance = Phrase("web.appearance", "Appearance", ko: "화면 모드")
    static let system = Phrase("web.appearance.system", "System", ko: "시스템")
    static let light = Phrase("web.appearance.light", "Light", ko: "라이트")
    static let dark = Phrase("web.appearance.dark", "Dark", ko: "다크")
    static func rowCount(_ count: Int) -> Phrase {
        Phrase("web.rows", plural: count, one: "\(count) item", "\(count) items", ko: "\(count)개")
    }
    static func rowLimit(_ count: Int) -> Phrase {
        Phrase("web.rows.limit", "A page shows at most \(count) items. There are more.",
            ko: "한 페이지에 최대 \(count)개까지 표시됩니다. 항목이 더 있습니다.")
    }
    static let startTitle = Phrase("web.start.title", "One SDK.\nAny front end.", ko: "하나의 SDK,\n모든 프런트엔드")
    static let startText = Phrase("web.start.text",
        "BrowseKit is a Swift SDK for browsing GitHub, Rick and Morty, and the App Store. This site, a terminal, a desktop window, and an app for iPhone share its view models.",
        ko: "BrowseKit은 GitHub, 릭 앤 모티, App Store를 둘러보기 위한 Swift SDK입니다. 이 사이트와 터미널, 데스크톱 창, iPhone 앱이 같은 뷰 모델을 사용합니다.")
    static let tryThis = Phrase("web.start.try", "Things to Try", ko: "사용해 보기")
    static let tryGitHub = Phrase("web.start.github", "Search accounts and repositories, sign in, and star what you like.",
        ko: "계정과 저장소를 검색하고, 로그인하여 마음에 드는 저장소에 별표를 표시하십시오.")
    static let tryRickAndMorty = Phrase("web.start.rickAndMorty", "Meet the characters, and follow them through episodes and places.",
        ko: "등장인물을 만나고 에피소드와 장소를 따라가 보십시오.")
    static let tryAppStore = Phrase("web.start.appStore", "Look an app up by its name, its number, or a link to the store.",
        ko: "이름, 번호, 스토어 링크로 앱을 찾아보십시오.")
    static let cast = Phrase("web.start.cast", "Live: Characters", ko: "실시간: 등장인물")
    static let code = Phrase("web.start.code", "The characters below, in Swift", ko: "Swift로 작성한 아래 등장인물 목록")
    static let readme = Phrase("web.start.readme", "Read Me", ko: "소개 문서")
    static let documentation = Phrase("web.start.documentation", "Documentation", ko: "설명서")
    static let settings = Phrase("web.settings", "Settings", ko: "설정")
    static let busy = Phrase("web.busy", "Loading…", ko: "불러오는 중…")
    static let yours = Phrase("web.navigation.yours", "Yours", ko: "내 정보")
    static let gitHub = Phrase("web.navigation.github", "GitHub", ko: "GitHub")
    static let rickAndMorty = Phrase("web.navigation.rickAndMorty", "Rick and Morty", ko: "릭 앤 모티")
    static let appStore = Phrase("web.navigation.appStore", "App Store", ko: "App Store")

    static let examples = Phrase("web.examples", "For example:", ko: "예:")
    static func notStarred(_ reason: String) -> Phrase {
        Phrase("web.notStarred", "You’re signed in, but the star isn’t set. \(reason)", ko: "로그인했지만 별표를 표시하지 못했습니다. \(reason)")
    }
    static let starred = Phrase("web.starred", "You’re signed in, and the star is set.", ko: "로그인했으며 별표를 표시했습니다.")

    static func removed(_ name: String) -> Phrase {
        Phrase("web.removed", "\(name) was removed from favorites.", ko: "즐겨찾기에서 제거했습니다: \(name)")
    }
    static let undo = Phrase("web.undo", "Undo", ko: "실행 취소")
    static let dismiss = Phrase("web.dismiss", "Dismiss", ko: "닫기")
    static let notFoundTitle = Phrase("web.notFound.title", "Page Not Found", ko: "페이지를 찾을 수 없음")
    static let notFound = Phrase("web.notFound", "There’s no page at this address.", ko: "이 주소에 페이지가 없습니다.")
    static let errorTitle = Phrase("web.error.title", "Request Not Accepted", ko: "요청을 처리할 수 없음")
    static let error = Phrase("web.error", "Go back, reload the page, and try again.", ko: "이전 페이지로 돌아가 새로 고친 후 다시 시도하십시오.")
    static let needsCookies = Phrase("web.error.cookies", "This site needs cookies. Allow them, reload the page, and try again.",
        ko: "이 사이트에는 쿠키가 필요합니다. 쿠키를 허용하고 페이지를 새로 고친 후 다시 시도하십시오.")

    static let home = Phrase("web.home", "Back to the Start", ko: "처음으로")
    static let back = Phrase("web.back", "Back", ko: "돌아가기")
    static let unreachable = Phrase("web.unreachable", "The site can’t be reached, or didn’t accept this. Try again.",
        ko: "사이트에 연결할 수 없거나 요청이 처리되지 않았습니다. 다시 시도하십시오.")
    static let serviceUnreachable = Phrase("web.unreachable.service", "This site can’t reach the service. Try again in a moment.",
        ko: "이 사이트에서 서비스에 연결할 수 없습니다. 잠시 후 다시 시도하십시오.")
    static let noRoom = Phrase("web.noRoom", "There’s no room for more. Remove some favorites, and try again.",
        ko: "더 저장할 공간이 없습니다. 즐겨찾기를 일부 제거한 후 다시 시도하십시오.")
    static let unusableStorage = Phrase("web.unusableStorage", "This site can’t use its storage right now. Try again later.",
        ko: "지금은 이 사이트에서 저장 공간을 사용할 수 없습니다. 나중에 다시 시도하십시오.")
    static func limitedFor(_ minutes: Int) -> Phrase {
        Phrase("web.limited", plural: minutes,
            one: "The limit of requests is used up for about a minute.",
            "The limit of requests is used up for about \(minutes) minutes.",
            ko: "약 \(minutes)분 동안 요청 한도를 모두 사용했습니다.")
    }
    static let repeats = Phrase("web.limited.repeats", "The page tries again by itself in", ko: "페이지가 자동으로 다시 시도할 때까지 남은 시간:")
    static let tryNow = Phrase("web.limited.now", "Try Now", ko: "지금 시도")

    static func favorite(_ name: String) -> Phrase {
        Phrase("web.favorite", "Favorite: \(name)", ko: "즐겨찾기: \(name)")
    }
    static func star(_ name: String) -> Phrase {
        Phrase("web.star", "Star: \(name)", ko: "별표: \(name)")
    }
    static func rating(_ average: String) -> Phrase {
        Phrase("web.rating", "\(average) out of 5", ko: "5점 만점에 \(average)점")
    }

    static func forks(_ count: Int) -> Phrase {
        Phrase("web.forks", plural: count, one: "\(count) fork", "\(compact: count) forks", ko: "포크 \(compact: count)개")
    }
    static func updated(_ day: String) -> Phrase {
        Phrase("web.updated", "Updated \(day)", ko: "\(day) 업데이트")
    }
    static let isFork = Phrase("web.isFork", "Fork", ko: "포크됨")
    static let isArchived = Phrase("web.isArchived", "Archived", ko: "보관됨")
    static let isPrivate = Phrase("web.isPrivate", "Private", ko: "비공개")

    static let onGitHub = Phrase("web.onGitHub", "Open on GitHub", ko: "GitHub에서 열기")

    static let signInToStar = Phrase("web.signIn.star", "Sign in to star this repository. The star is set afterward.",
        ko: "저장소에 별표를 표시하려면 로그인하십시오. 로그인하면 별표가 표시됩니다.")
    static let signInText = Phrase("web.signIn.text", "With your GitHub account, you can star repositories and see your own. Favorites work without it.",
        ko: "GitHub 계정으로 로그인하면 저장소에 별표를 표시하고 내 저장소를 볼 수 있습니다. 즐겨찾기는 로그인하지 않아도 사용할 수 있습니다.")
    static let signInByBrowser = Phrase("web.signIn.browser", "Sign In with GitHub", ko: "GitHub로 로그인")
    static let signInByCode = Phrase("web.signIn.code", "Sign In with a Code", ko: "코드로 로그인")
    static let signingIn = Phrase("web.signIn.waiting", "Signing in…", ko: "로그인하는 중…")
    static let waitingForCode = Phrase("web.signIn.code.waiting", "This page continues when you have entered the code.",
        ko: "코드를 입력하면 이 페이지에서 계속됩니다.")
    static let openPage = Phrase("web.signIn.open", "Open GitHub", ko: "GitHub 열기")
    static func signedIn(_ login: GitHub.Login) -> Phrase {
        Phrase("web.signIn.done", "You’re signed in as \(login).", ko: "\(login) 계정으로 로그인되어 있습니다.")
    }
    static let notSignedOut = Phrase("web.notSignedOut",
        "You’re signed out, but this site couldn’t delete your sign-in yet. If you’re signed in again later, sign out again.",
        ko: "로그아웃했지만 이 사이트에서 로그인 정보를 아직 삭제하지 못했습니다. 나중에 다시 로그인되어 있으면 다시 로그아웃하십시오.")
    static let ownRepos = Phrase("web.account.repos", "Your Repositories", ko: "내 저장소")
    static let ownStars = Phrase("web.account.stars", "Your Stars", ko: "내 별표")
    static let publicProfile = Phrase("web.account.profile", "Public Profile", ko: "공개 프로필")

    static let authorizeTitle = Phrase("web.authorize.title", "Choose an Account", ko: "계정 선택")
    static let authorize = Phrase("web.authorize", "This page stands in for GitHub. Nothing leaves this computer.",
        ko: "GitHub를 대신하는 페이지입니다. 이 컴퓨터 밖으로 전송되는 정보는 없습니다.")
    static let deny = Phrase("web.authorize.deny", "Deny Access", ko: "접근 거부")

    static let inStore = Phrase("web.apps.store", "Open in the App Store", ko: "App Store에서 열기")
    static func screenshot(_ number: Int) -> Phrase {
        Phrase("web.apps.screenshot", "Screenshot \(number)", ko: "스크린샷 \(number)")
    }
    static let next = Phrase("web.next", "Next", ko: "다음")
    static let previous = Phrase("web.previous", "Previous", ko: "이전")
    static let backToApp = Phrase("web.apps.back", "Back to the App", ko: "앱으로 돌아가기")
}
