public import BrowseDomain
public import Foundation

extension BrowseError: LocalizedError {
    /// The text of the error's message in English or Korean, without the name of a service.
    ///
    /// It's for code that shows any error, such as an alert. Otherwise, show the message of your container's texts, which
    /// names the service and uses the container's locale and translations:
    /// `container.texts().about(service).message(for: error)`.
    public var errorDescription: String? { description(in: Texts(locale: .current, timeZone: .current)) }

    /// Returns the text of the error's message; an error doesn't know its service.
    func description(in texts: Texts) -> String { texts.about(.anyServer).message(for: self).text }
}

extension StorageFailure: LocalizedError {
    /// The text of the message for `BrowseError.storageFailed`.
    public var errorDescription: String? { BrowseError.storageFailed(self).errorDescription }
}

extension StorageFailure.Reason: LocalizedError {
    /// The text of the message for a failure with this reason.
    public var errorDescription: String? { StorageFailure(reason: self, file: "").errorDescription }
}
