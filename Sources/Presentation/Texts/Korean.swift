extension Phrase {
    func korean(_ formats: Formats) -> String {
        switch self {
        case .followersTitle(let login): "\(login)의 팔로워"
        case .followingTitle(let login): "\(login)의 팔로잉"
        case .publicReposTitle(let login): "\(login)의 저장소"
        case .ownReposTitle: "내 저장소"
        case .starredReposTitle: "내 별표"
        case .favoritesTitle: "즐겨찾기"

        case .usernameEmpty: "사용자 이름을 입력하세요."
        case .usernameCharacter(let character): "‘\(character.visible)’ 문자는 쓸 수 없습니다. 영문자, 숫자, 하이픈만 쓸 수 있습니다."
        case .usernameTooLong(let excess): "\(formats.number(excess))자 초과했습니다. 사용자 이름은 39자까지입니다."
        case .usernameHyphenAtEdge: "사용자 이름은 하이픈으로 시작하거나 끝날 수 없습니다."
        case .usernameDoubleHyphen: "하이픈을 연달아 쓸 수 없습니다."

        case .noFollowersTitle: "팔로워 없음"
        case .noFollowers(let login): "아직 \(login) 님을 팔로우하는 사람이 없습니다."
        case .noFollowingTitle: "팔로잉 없음"
        case .noFollowing(let login): "\(login) 님은 아직 아무도 팔로우하지 않습니다."
        case .noReposTitle: "저장소 없음"
        case .noPublicRepos(let login): "\(login) 님은 아직 공개 저장소가 없습니다."
        case .noOwnRepos: "아직 저장소가 없습니다."
        case .noStarredRepos: "아직 별표를 준 저장소가 없습니다."
        case .noFavoritesTitle: "즐겨찾기 없음"
        case .noFavorites: "즐겨찾기에 추가한 항목이 여기에 보관됩니다."
        case .noMatchesTitle: "결과 없음"
        case .noMatches: "이 글자가 들어간 이름이 없습니다."

        case .searchTooLong(let excess): "\(formats.number(excess))자 초과했습니다. 검색어는 256자까지입니다."
        case .searchTooManyOperators: "AND, OR, NOT은 다섯 개까지 쓸 수 있습니다."
        case .noResultsTitle: "결과 없음"
        case .noResults(let text): "‘\(text)’에 대한 결과가 없습니다."
        case .resultCount(let count): "결과 \(formats.number(count))개"
        case .firstResults(let limit, let count):
            "결과 \(formats.number(count))개 중 처음 \(formats.number(limit))개까지 볼 수 있습니다"
        case .incompleteResults(let count): "\(count) (시간이 부족해 일부가 빠졌을 수 있습니다)"

        case .noName: "이름 없음"
        case .noBio: "소개 없음"
        case .noCompany: "회사 없음"
        case .noLocation: "위치 없음"
        case .noBlog: "웹사이트 없음"
        case .count(let count): formats.number(count)
        case .memberSince(let date): "\(formats.month(date)) 가입"

        case .appReferenceEmpty: "앱의 번호나 번들 ID를 입력하거나 링크를 붙여넣으세요."
        case .appReferenceInvisible(let scalar): "보이지 않는 문자(\(scalar.code))가 있습니다. 지우거나 다시 입력하세요."
        case .appLinkForeign(""): "App Store 링크가 아닙니다."
        case .appLinkForeign(let host): "‘\(host)’ 주소는 App Store가 아닙니다. App Store 링크는 https://apps.apple.com/ 으로 시작합니다."
        case .appLinkWithoutID: "앱으로 가는 링크가 아닙니다. 앱 링크는 id와 번호로 끝납니다."
        case .appReferenceCharacter(let character): "‘\(character.visible)’ 문자는 앱 번호나 번들 ID에 쓸 수 없습니다."
        case .appNumberOutOfRange: "이런 번호의 앱은 없습니다."
        case .bundleIDIncomplete: "번들 ID는 com.example.app처럼 점으로 나눈 단어입니다."
        case .bundleIDTooLong(let excess): "\(formats.number(excess))자 초과했습니다. 번들 ID는 255자까지입니다."
        case .appReferenceName: "번호, 번들 ID, 링크가 아닙니다. 이름이라면 검색하세요."

        case .ratingCount(let count): "\(formats.compact(count))개의 평가"
        case .noRating: "평가가 충분하지 않음"
        case .notStated: "정보 없음"
        case .free: "무료"
        case .languages(let first, 0): first
        case .languages(let first, let more): "\(first) 외 \(formats.number(more))개"
        case .version(let version): "버전 \(version)"
        case .minimumOS(let version): "\(version) 이상"
        case .screenshotsTitle: "미리 보기"
        case .descriptionTitle: "설명"
        case .whatsNewTitle: "새로운 기능"
        case .informationTitle: "정보"
        case .infoTitle(.provider): "제공자"
        case .infoTitle(.size): "크기"
        case .infoTitle(.languages): "언어"
        case .infoTitle(.age): "연령 등급"
        case .infoTitle(.price): "가격"
        case .infoTitle(.version): "버전"
        case .infoTitle(.minimumOS): "시스템"
        case .infoTitle(.releaseDate): "출시일"
        case .unfold: "더 보기"
        case .fold: "간략히 보기"
        case .screenshotPosition(let number, let count): "\(formats.number(count))개 중 \(formats.number(number))번째"

        case .notFoundTitle: "찾을 수 없음"
        case .notFound(.gitHub): "GitHub에 그런 이름이 없습니다. 철자를 확인하세요."
        case .notFound(.appStore): "이 국가의 App Store에 그런 앱이 없습니다."
        case .offlineTitle: "연결되지 않음"
        case .offline: "인터넷 연결을 확인하고 다시 시도하세요."
        case .serverUnreachable: "서버에 연결할 수 없습니다. 잠시 후 다시 시도하세요."
        case .connectionLost: "연결이 끊어졌습니다. 다시 시도하세요."
        case .notSecure: "서버와 보안 연결을 맺을 수 없습니다."
        case .timedOutTitle: "시간 초과"
        case .timedOut: "서버가 제때 응답하지 않았습니다. 다시 시도하세요."
        case .rateLimitedTitle: "요청이 너무 많음"
        case .rateLimited(let date, _): "\(formats.time(date))까지 기다려야 합니다."
        case .unauthorizedTitle: "로그인"
        case .unauthorized(let service): "\(service.korean)에서 로그인을 확인하지 못했습니다. 다시 로그인하세요."
        case .forbiddenTitle: "접근할 수 없음"
        case .forbidden(let service): "\(service.korean)에서 허용하지 않는 작업입니다."
        case .rejectedTitle: "처리할 수 없음"
        case .rejected(let service): "\(service.korean)에서 이 요청을 처리할 수 없습니다."
        case .serverFailureTitle: "서버 문제"
        case .serverFailure: "서버에 문제가 있습니다. 잠시 후 다시 시도하세요."
        case .unusableReply: "서버의 응답을 읽을 수 없습니다. 잠시 후 다시 시도하세요."
        case .unsafeTitle: "안전을 위해 중단함"
        case .unsafe: "서버가 안전하지 않은 주소로 안내했습니다."
        case .storageTitle: "저장 문제"
        case .storageNotWritable: "앱이 폴더에 저장할 수 없습니다."
        case .storageFull: "저장 공간이 가득 찼습니다. 공간을 비우고 다시 시도하세요."
        case .storageNewerVersion: "더 새로운 버전의 앱에서 저장한 즐겨찾기입니다. 앱을 업데이트하세요."
        case .storageDamaged: "즐겨찾기 파일이 손상되어 읽을 수 없습니다."
        case .storageRecoveredTitle: "즐겨찾기를 복구했습니다"
        case .storageRecovered(let count, let file):
            "파일이 손상되어 \(formats.number(count))개를 복구했습니다. 이전 파일은 \(file)(으)로 보관했습니다."
        case .storageBusy: "지금은 즐겨찾기를 열 수 없습니다. 잠시 후 다시 시도하세요."

        case .retry: "다시 시도"
        case .retryLater(let date): "\(formats.time(date))에 다시 시도"
        case .changeInput: "다르게 입력"
        case .clearFilter: "필터 지우기"
        case .signIn: "로그인"
        }
    }
}

extension Texts.Service {
    /// The name.
    fileprivate var korean: String {
        switch self {
        case .gitHub: "GitHub"
        case .appStore: "App Store"
        }
    }
}
