import BrowseDomain

extension Phrase {
    fileprivate static let noPictureTitle = Phrase("image.failed.title", "No Image", ko: "이미지 없음")
    fileprivate static let noPicture = Phrase("image.failed", "The image can’t be shown.", ko: "이미지를 표시할 수 없습니다.")
}

extension Texts {
    /// The message for an image that couldn't be loaded, which often comes from another server than the service's.
    func pictureMessage(for error: BrowseError) -> Message {
        switch error {
        case .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused:
            message(.notFound, .noPicture, titled: .noPictureTitle, action: .retry)
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .storageFailed, .signInFailed:
            message(for: error)
        }
    }
}
