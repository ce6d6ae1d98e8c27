public import BrowsePresentation

// swift-format-ignore
extension Phrase {
    /// The button that stars a repository.
    public static let star = Phrase("star.add", "Star", ko: "별표")
    /// The button that removes a star.
    public static let unstar = Phrase("star.remove", "Unstar", ko: "별표 해제")
    fileprivate static let starUnconfirmedTitle = Phrase("star.unconfirmed.title", "Star Not Confirmed", ko: "별표를 확인하지 못함")
    fileprivate static let starUnconfirmed = Phrase("star.unconfirmed",
        "GitHub didn’t respond, so the change may not be saved. Try again to check.",
        ko: "GitHub에서 응답이 없어 변경 사항이 저장되지 않았을 수 있습니다. 다시 시도해 확인하십시오.")
    fileprivate static let starWaitsTitle = Phrase("star.waits.title", "Sign In Required", ko: "로그인 필요")
    fileprivate static let starWaits = Phrase("star.waits", "Sign in to GitHub to save the star.",
        ko: "별표를 저장하려면 GitHub에 로그인하십시오.")
}

extension Texts {
    /// The message for a star that waits for a sign-in.
    public var starWaits: Message {
        message(.unauthorized, .starWaits, titled: .starWaitsTitle, action: .signIn)
    }

    /// The message for a star whose new state is unknown, because GitHub didn't respond.
    public var starUnconfirmed: Message {
        message(.offline, .starUnconfirmed, titled: .starUnconfirmedTitle, action: .retry)
    }
}
