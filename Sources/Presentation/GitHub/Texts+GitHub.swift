extension Texts.Service {
    /// GitHub.
    public static let gitHub: Texts.Service = Texts.Service(
        name: Phrase("gitHub.name", "GitHub", ko: "GitHub"),
        notFound: Phrase(
            "gitHub.notFound",
            "GitHub doesn’t have anything by that name. Check the spelling.",
            ko: "GitHub에 그런 이름이 없습니다. 철자를 확인하십시오."
        )
    )
}
