public import BrowseDomain

/// An error of a WebDriver command.
public enum WebDriverError: Error, Hashable, Sendable {
    /// A program isn't installed; `command` installs it.
    case missing(program: String, command: String)
    /// The driver ended before it listened for commands, with its output.
    case driverEnded(output: String)
    /// The driver couldn't be reached, or the task was canceled.
    case unreachable(BrowseError)
    /// The driver rejected a command, with an error code of the specification, such as `no such element`.
    ///
    /// Source: https://www.w3.org/TR/webdriver2/#errors
    case rejected(command: String, code: String, message: String)
    /// The response to a command couldn't be decoded.
    case unexpectedResponse(command: String, body: String)
    /// A condition didn't hold in time; `page` describes what the page showed instead.
    case timedOut(waitingFor: String, page: String)
}

extension WebDriverError: CustomStringConvertible {
    /// The error in words.
    public var description: String {
        switch self {
        case .missing(let program, let command): "\(program) is missing. Install it: \(command)"
        case .driverEnded(let output): "chromedriver ended: \(output)"
        case .unreachable(let error): "chromedriver doesn't respond: \(error)"
        case .rejected(let command, let code, let message): "\(command): \(code): \(message)"
        case .unexpectedResponse(let command, let body): "\(command): unexpected response: \(body)"
        case .timedOut(let condition, let page): "timed out waiting for \(condition)\n\(page)"
        }
    }

    /// Whether the error means that the page doesn't have an element, or has replaced it.
    var isMissingElement: Bool {
        guard case .rejected(_, let code, let message) = self else { return false }
        return ["no such element", "stale element reference"].contains(code)
            || message.contains("does not belong to the document")
    }

    /// Whether the error means that an element is missing, or that the document is being replaced.
    var isTransient: Bool {
        guard case .rejected(_, _, let message) = self, !isMissingElement else { return isMissingElement }
        // Chromedriver reports a document that is being replaced by Chromium's message only.
        return ["aborted by navigation", "no such execution context", "Cannot find context", "target navigated"]
            .contains { message.contains($0) }
    }

    /// Whether the error means that another element is where the click would be.
    var isIntercepted: Bool {
        guard case .rejected(_, let code, _) = self else { return false }
        return code == "element click intercepted"
    }
}
