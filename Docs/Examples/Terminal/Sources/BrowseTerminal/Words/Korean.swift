extension Phrase {
    func korean(_ number: (Int) -> String) -> String {
        switch self {
        case .login: "아이디"
        case .id: "번호"
        case .kind: "종류"
        case .name: "이름"
        case .bio: "소개"
        case .company: "회사"
        case .location: "위치"
        case .blog: "웹사이트"
        case .repo: "저장소"
        case .stars: "별표"
        case .language: "언어"
        case .updated: "업데이트"
        case .summary: "설명"
        case .publicRepos: "저장소"
        case .publicGists: "Gist"
        case .followers: "팔로워"
        case .following: "팔로잉"
        case .webPage: "페이지"
        case .avatar: "사진"

        case .character: "등장인물"
        case .app: "앱"
        case .status: "상태"
        case .species: "종"
        case .type: "유형"
        case .gender: "성별"
        case .origin: "출신"
        case .lastSeen: "마지막 위치"
        case .created: "등록일"
        case .episodes: "에피소드"
        case .characters: "등장인물"
        case .residents: "주민"
        case .code: "코드"
        case .airDate: "방영일"
        case .dimension: "차원"
        case .rating: "평점"
        case .price: "가격"
        case .genre: "장르"
        case .screenshots: "스크린샷"
        case .whatsNew: "새로운 기능"
        case .characterNumber: "등장인물은 번호로 지정합니다."
        case .appReference: "앱은 번호, 링크 또는 번들 ID로 지정합니다."

        case .user: "사용자"
        case .organization: "조직"
        case .bot: "봇"
        case .mannequin: "마네킹"

        case .all(let count, let unit): "모두 \(number(count))\(unit.word)"
        case .loaded(let count, let unit): "\(number(count))\(unit.word) 불러옴, 더 있음"
        case .loadedUseAll(let count, let unit): "\(number(count))\(unit.word) 불러옴, 더 보기: --all"
        case .matching(let count, let all, let unit): "불러온 \(number(all))\(unit.word) 중 \(number(count))\(unit.word) 일치"
        case .matchingUseAll(let count, let all, let unit):
            "불러온 \(number(all))\(unit.word) 중 \(number(count))\(unit.word) 일치, 더 찾기: --all"

        case .loading(let count, let unit): "\(number(count))\(unit.word) 불러옴…"
        case .stopped(let count, let unit): "중단했습니다. \(number(count))\(unit.word)까지 불러왔습니다."
        case .stoppedEarly: "아무것도 불러오기 전에 중단했습니다."
        case .skipped(let count): "읽을 수 없는 \(number(count))개 행을 뺐습니다."

        case .useToken: "browse login으로 로그인하거나 --token-env로 토큰이 든 환경 변수의 이름을 지정하십시오"
        case .tokenRaisesLimit: "로그인하면 더 많이 요청할 수 있습니다: browse login 또는 --token-env"
        case .onlyFirstPage: "첫 페이지에서만 찾았습니다: --all"

        case .tokenMissing: "--token-env로 지정한 환경 변수가 없거나 비어 있습니다."
        case .tokenMalformed: "--token-env로 지정한 환경 변수의 값은 토큰이 아닙니다."
        case .tokenUnprotected: "토큰은 이 컴퓨터가 아니면 https로만 보냅니다."
        case .loginEmpty: "아이디는 비워 둘 수 없습니다."
        case .searchEmpty: "검색어가 없습니다."
        case .outputFailed(let reason): "출력할 수 없습니다: \(reason)"

        case .now: "방금"
        case .ago(let length): "\(length) 전"
        case .ahead(let length): "\(length) 후"
        case .keptNowhere: "내장 데이터로 본 내용은 --storage로 폴더를 지정해야 보관됩니다"

        case .budget: "한도"
        case .left: "남은 요청"
        case .leftOf(let count, let all): "\(number(all)) 중 \(number(count))"
        case .countsAnew: "다시 세는 때"
        case .closedUntil: "멈춤"

        case .added(let name): "즐겨찾기에 추가했습니다: \(name)"
        case .alreadyThere(let name): "이미 즐겨찾기에 있습니다: \(name)"
        case .removed(let name): "즐겨찾기에서 삭제했습니다: \(name)"
        case .notKept(let name): "즐겨찾기에 없습니다: \(name)"
        case .forgottenSoon: "이번 실행이 끝나면 사라집니다. --storage로 즐겨찾기를 보관할 폴더를 지정하십시오."

        case .waitingForCode: "코드가 입력되기를 기다리는 중… Ctrl-C로 중단합니다."
        case .signedIn(let login): "로그인했습니다: \(login)"
        case .signedOut: "로그아웃했습니다."
        case .nobodySignedIn: "로그인되어 있지 않았습니다."
        case .sessionForgottenSoon: "이번 실행이 끝나면 로그아웃됩니다. --storage로 로그인을 보관할 폴더를 지정하십시오."
        case .signInStopped: "로그인하기 전에 중단했습니다."
        case .starred(let name): "별표를 주었습니다: \(name)"
        case .unstarred(let name): "별표를 취소했습니다: \(name)"
        case .alreadyStarred(let name): "이미 별표를 주었습니다: \(name)"
        case .notStarred(let name): "별표를 주지 않은 저장소입니다: \(name)"
        case .starForgottenSoon: "내장 데이터는 이번 실행이 끝나면 별표를 잊습니다."
        case .notRepo: "저장소는 소유자/이름으로 적습니다."
        }
    }
}

extension Phrase.Counted {
    fileprivate var word: String {
        switch self {
        case .people: "명"
        case .things: "개"
        }
    }
}
