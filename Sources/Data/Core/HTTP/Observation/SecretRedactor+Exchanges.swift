package import BrowseDomain
import Foundation

extension SecretRedactor {
    /// Returns a URL without user, password, and fragment, and with secrets masked.
    func url(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return RedactionScan.mask }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        return parts.string.map(redact) ?? RedactionScan.mask
    }

    /// Returns header fields with credentials and secrets masked.
    func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var result = HTTPHeaders()
        result.declareCredentials(headers.declaredCredentials)
        for (name, value) in headers.fields {
            if headers.isCredential(name) {
                result[name] = RedactionScan.mask
            } else if name == "location" || name == "content-location" {
                result[name] = URL(string: value).map(url) ?? RedactionScan.mask
            } else {
                result[name] = redact(value)
            }
        }
        return result
    }

    /// Returns an error with secrets masked in texts of the server or the system.
    package func error(_ error: BrowseError) -> BrowseError {
        switch error {
        case .cancelled, .storageFailed: error
        case .unreachable(.other(let code, let detail), let info):
            .unreachable(.other(code: code, detail: redact(detail)), self.info(info))
        case .unreachable(let reason, let info): .unreachable(reason, self.info(info))
        case .timedOut(let info): .timedOut(self.info(info))
        case .rateLimited(let limit, let info): .rateLimited(limit, self.info(info))
        case .unauthorized(let info): .unauthorized(self.info(info))
        case .forbidden(let info): .forbidden(self.info(info))
        case .notFound(let info): .notFound(self.info(info))
        case .rejected(let info): .rejected(self.info(info))
        case .serverFailure(let info): .serverFailure(self.info(info))
        case .unusableResponse(.contentType(let type), let info):
            .unusableResponse(.contentType(redact(type, limit: Excerpt.contentTypeLimit)), self.info(info))
        case .unusableResponse(.decoding(let failure), let info):
            .unusableResponse(.decoding(self.failure(failure)), self.info(info))
        case .unusableResponse(let reason, let info): .unusableResponse(reason, self.info(info))
        case .refused(let reason, let info): .refused(reason, self.info(info))
        case .signInFailed(.other(let word)): .signInFailed(.other(redact(word, limit: Excerpt.errorCodeLimit)))
        case .signInFailed: error
        }
    }

    private func info(_ info: BrowseError.RequestInfo) -> BrowseError.RequestInfo {
        var info = info
        info.endpoint = redact(info.endpoint)
        info.requestID = info.requestID.map { redact($0, limit: Excerpt.requestIDLimit) }
        info.serverMessage = info.serverMessage.map { redact($0, limit: Excerpt.serverMessageLimit) }
        return info
    }

    /// Redacts a text without exceeding its limit, since `***` may be longer than a secret.
    private func redact(_ text: String, limit: Int) -> String { Excerpt.cut(redact(text), to: limit) }

    private func failure(_ failure: BrowseError.DecodingFailure) -> BrowseError.DecodingFailure {
        BrowseError.DecodingFailure(
            codingPath: redact(failure.codingPath),
            reason: redact(failure.reason),
            excerpt: redact(failure.excerpt, limit: Excerpt.longest)
        )
    }
}
