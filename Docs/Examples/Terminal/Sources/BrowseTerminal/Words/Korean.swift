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
        case .publicRepos: "저장소"
        case .publicGists: "Gist"
        case .followers: "팔로워"
        case .following: "팔로잉"
        case .webPage: "페이지"
        case .avatar: "사진"

        case .user: "사용자"
        case .organization: "조직"
        case .bot: "봇"
        case .mannequin: "마네킹"

        case .all(let count): "모두 \(number(count))명"
        case .loaded(let count): "\(number(count))명 불러옴, 더 있음"
        case .loadedUseAll(let count): "\(number(count))명 불러옴, 더 보기: --all"
        case .matching(let count, let all): "불러온 \(number(all))명 중 \(number(count))명 일치"
        case .matchingUseAll(let count, let all): "불러온 \(number(all))명 중 \(number(count))명 일치, 더 찾기: --all"

        case .loading(let count): "\(number(count))명 불러옴…"
        case .stopped(let count): "중단했습니다. \(number(count))명까지 불러왔습니다."
        case .stoppedEarly: "아무것도 불러오기 전에 중단했습니다."
        case .skipped(let count): "읽을 수 없는 \(number(count))개 행을 뺐습니다."

        case .useToken: "--token-env로 토큰이 든 환경 변수의 이름을 지정하세요"
        case .tokenRaisesLimit: "토큰이 있으면 더 많이 요청할 수 있습니다: --token-env"
        case .onlyFirstPage: "첫 페이지에서만 찾았습니다: --all"

        case .tokenMissing: "--token-env로 지정한 환경 변수가 없거나 비어 있습니다."
        case .tokenMalformed: "--token-env로 지정한 환경 변수의 값은 토큰이 아닙니다."
        case .tokenUnprotected: "토큰은 이 컴퓨터가 아니면 https로만 보냅니다."
        case .loginEmpty: "아이디는 비워 둘 수 없습니다."
        case .outputFailed(let reason): "출력할 수 없습니다: \(reason)"
        }
    }
}
