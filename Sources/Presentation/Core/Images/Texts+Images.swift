import BrowseDomain

extension Phrase {
    fileprivate static let noImageTitle = Phrase("image.failed.title", "No Image", ko: "이미지 없음")
    fileprivate static let noImage = Phrase("image.failed", "The image can’t be loaded.", ko: "이미지를 불러올 수 없습니다.")
}

extension Texts {
    /// The message for an image that doesn't exist, or can't be decoded.
    var noImage: Message { message(.notFound, .noImage, titled: .noImageTitle, action: .retry) }

    /// Returns the message for an image that couldn't be loaded.
    func pictureMessage(for error: BrowseError) -> Message {
        switch error {
        case .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused:
            var message = noImage
            message.error = error
            return message
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .storageFailed, .signInFailed:
            return message(for: error)
        }
    }
}
