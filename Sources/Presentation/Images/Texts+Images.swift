import BrowseDomain

extension Texts {
    /// What to tell a person of a picture that did not come. Who failed is not always the service that the texts are about.
    func pictureMessage(for error: BrowseError) -> Message {
        switch error {
        case .unauthorized, .forbidden, .notFound, .rejected, .unusableReply, .refused:
            message(.notFound, .noPicture, titled: .noPictureTitle, action: .retry)
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .storageFailed, .signInFailed:
            message(for: error)
        }
    }
}
