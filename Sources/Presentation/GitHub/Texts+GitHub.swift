public import BrowsePresentation

// swift-format-ignore
extension Texts.Service {
    /// GitHub.
    public static let gitHub: Texts.Service = Texts.Service(
        name: Phrase("gitHub.name", "GitHub", ko: "GitHub"),
        notFound: Phrase("gitHub.notFound", "GitHub doesn’t have anything with this name. Check the spelling.",
            ko: "GitHub에 그런 이름이 없습니다. 철자를 확인하십시오."))
    /// GitHub's lists of followers, which some organizations don't show.
    static let gitHubFollowers: Texts.Service = Texts.Service(
        name: gitHub.name,
        notFound: Phrase("gitHub.followers.notFound",
            "GitHub doesn’t have an account with this name, or doesn’t show this list. Check the spelling.",
            ko: "GitHub에 그런 이름의 계정이 없거나 이 목록이 공개되지 않았습니다. 철자를 확인하십시오."))
    /// GitHub's searches.
    static let gitHubSearch: Texts.Service = Texts.Service(
        name: gitHub.name,
        notFound: gitHub.notFound,
        rejected: Phrase("gitHub.search.rejected",
            "GitHub can’t run this search. Check its qualifiers, such as “language:swift”.",
            ko: "GitHub에서 실행할 수 없는 검색입니다. ‘language:swift’와 같은 한정자를 확인하십시오."))
}
