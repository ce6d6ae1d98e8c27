public import BrowsePresentation

// swift-format-ignore
extension Phrase {
    fileprivate static let starUnconfirmedTitle = Phrase("star.unconfirmed.title", "Star Not Confirmed", ko: "별표를 확인하지 못함")
    fileprivate static let starUnconfirmed = Phrase("star.unconfirmed",
        "GitHub didn’t respond, so the change may not be saved. Try again to check.",
        ko: "GitHub에서 응답이 없어 변경 사항이 저장되지 않았을 수 있습니다. 다시 시도해 확인하십시오.")
}

extension Texts {
    /// The message for a star whose new state is unknown, because GitHub didn't respond.
    public var starUnconfirmed: Message {
        message(.offline, .starUnconfirmed, titled: .starUnconfirmedTitle, action: .retry)
    }
}
