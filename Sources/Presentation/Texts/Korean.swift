extension Phrase {
    func korean(_ formats: Formats) -> String {
        switch self {
        case .followersTitle(let login): "\(login)의 팔로워"
        case .followingTitle(let login): "\(login)의 팔로잉"

        case .usernameEmpty: "사용자 이름을 입력하세요."
        case .usernameCharacter(let character): "‘\(character.visible)’ 문자는 쓸 수 없습니다. 영문자, 숫자, 하이픈만 쓸 수 있습니다."
        case .usernameTooLong(let excess): "\(formats.number(excess))자 초과했습니다. 사용자 이름은 39자까지입니다."
        case .usernameHyphenAtEdge: "사용자 이름은 하이픈으로 시작하거나 끝날 수 없습니다."
        case .usernameDoubleHyphen: "하이픈을 연달아 쓸 수 없습니다."

        case .noFollowersTitle: "팔로워 없음"
        case .noFollowers(let login): "아직 \(login) 님을 팔로우하는 사람이 없습니다."
        case .noFollowingTitle: "팔로잉 없음"
        case .noFollowing(let login): "\(login) 님은 아직 아무도 팔로우하지 않습니다."
        case .noMatchesTitle: "결과 없음"
        case .noMatches: "불러온 이름 중에 이 글자가 들어간 것이 없습니다."

        case .noName: "이름 없음"
        case .noBio: "소개 없음"
        case .noCompany: "회사 없음"
        case .noLocation: "위치 없음"
        case .noBlog: "웹사이트 없음"
        case .count(let count): formats.number(count)
        case .memberSince(let date): "\(formats.month(date)) 가입"

        case .notFoundTitle: "찾을 수 없음"
        case .notFound: "GitHub에 그런 이름의 사용자가 없습니다. 철자를 확인하세요."
        case .offlineTitle: "연결되지 않음"
        case .offline: "인터넷 연결을 확인하고 다시 시도하세요."
        case .serverUnreachable: "서버에 연결할 수 없습니다. 잠시 후 다시 시도하세요."
        case .connectionLost: "연결이 끊어졌습니다. 다시 시도하세요."
        case .notSecure: "서버와 보안 연결을 맺을 수 없습니다."
        case .timedOutTitle: "시간 초과"
        case .timedOut: "서버가 제때 응답하지 않았습니다. 다시 시도하세요."
        case .rateLimitedTitle: "요청이 너무 많음"
        case .rateLimited(let date): "\(formats.time(date))까지 기다려야 합니다."
        case .unauthorizedTitle: "로그인"
        case .unauthorized: "GitHub에서 로그인을 확인하지 못했습니다. 다시 로그인하세요."
        case .forbiddenTitle: "접근할 수 없음"
        case .forbidden: "GitHub에서 허용하지 않는 작업입니다."
        case .rejectedTitle: "처리할 수 없음"
        case .rejected: "GitHub에서 이 요청을 처리할 수 없습니다."
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
        case .storageBusy: "지금은 즐겨찾기를 열 수 없습니다. 잠시 후 다시 시도하세요."

        case .retry: "다시 시도"
        case .retryLater(let date): "\(formats.time(date))에 다시 시도"
        case .changeInput: "다른 이름 찾기"
        case .clearFilter: "필터 지우기"
        case .signIn: "로그인"
        }
    }
}
