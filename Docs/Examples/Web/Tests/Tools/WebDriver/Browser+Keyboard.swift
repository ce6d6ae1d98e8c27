/// A key without a character, with its code point in WebDriver.
///
/// See https://www.w3.org/TR/webdriver2/#keyboard-actions.
public struct Key: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    let value: Character

    /// Creates a key that types a character.
    public init(extendedGraphemeClusterLiteral value: Character) { self.value = value }

    /// Tab.
    public static let tab: Key = "\u{E004}"
    /// Enter.
    public static let enter: Key = "\u{E007}"
    /// Backspace.
    public static let backspace: Key = "\u{E003}"
    /// Shift.
    public static let shift: Key = "\u{E008}"
    /// The space bar.
    public static let space: Key = " "
}

extension Browser {
    /// Presses and releases a key, while other keys are held down.
    public func press(_ key: Key, with held: Key...) async throws(WebDriverError) {
        var actions = held.map { $0.action("keyDown") }
        actions += [key.action("keyDown"), key.action("keyUp")]
        actions += held.reversed().map { $0.action("keyUp") }
        try await run("/actions", ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]])
    }

    /// Types text into the focused element.
    public func type(_ text: String) async throws(WebDriverError) {
        for character in text { try await press(Key(extendedGraphemeClusterLiteral: character)) }
    }
}

extension Key {
    fileprivate func action(_ type: String) -> JSON { ["type": .string(type), "value": .string(String(value))] }
}
