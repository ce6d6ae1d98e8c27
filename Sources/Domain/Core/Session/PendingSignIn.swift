public import Foundation

/// A sign-in in progress, which another process can finish, or this app after the system ended it.
///
/// It expires after ten minutes, or earlier with its device code. With one ``SessionManager``, a
/// sign-in in a browser can be finished once, and a device code can be polled again only after its
/// polling was canceled; otherwise, a copy fails with `.signInFailed(.alreadyUsed)`. If several
/// processes share a store of sign-ins, it must return and delete a value in one step, as `GETDEL`
/// of Redis and `DELETE … RETURNING` of SQL do. On a server, store it under the cookie of the
/// browser that began, and not under the `state` of a callback: otherwise, people could finish
/// their own sign-in in another person's browser.
///
/// It prints as `***`, but its encoding contains secrets, with which others could finish the
/// sign-in. Store it in the Keychain, or encrypt it with a key that only your servers have. The
/// encryption must detect changes, as `AES.GCM` of CryptoKit does, because the encoding also
/// contains the time of the start, from which it expires.
public struct PendingSignIn: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case web(WebSignIn)
        case device(DeviceCode)
    }

    package let step: Step
    /// The time at which the sign-in began, in whole seconds.
    package let startedAt: Date
    /// The time since the start by a clock that can't be set; `nil` for a copy of another process.
    private let elapsed: (@Sendable () -> Duration)?

    package init(_ step: Step, startedAt: Date, elapsed: (@Sendable () -> Duration)? = nil) {
        self.step = step
        self.elapsed = elapsed
        // A fraction could lose its last bit in the encoding, so that a stored copy would differ.
        self.startedAt = Date(timeIntervalSince1970: startedAt.timeIntervalSince1970.rounded(.down))
    }

    /// The time from which the sign-in can't be resumed.
    ///
    /// It's ten minutes after the start, or the end of the device code's lifetime, if that's
    /// earlier.
    public var expiresAt: Date { startedAt.addingTimeInterval(lifetime / .seconds(1)) }

    private var lifetime: Duration {
        if case .device(let code) = step { min(.seconds(600), code.lifetime) } else { .seconds(600) }
    }

    /// The verifier or the device code, which identifies the sign-in even if a copy was edited.
    var secret: Secret {
        switch step {
        case .web(let signIn): signIn.verifier
        case .device(let code): code.deviceCode
        }
    }

    /// Whether it can be finished; one from the future was tampered with.
    ///
    /// The clocks of two machines can differ by a minute. In its own process, setting the clock
    /// makes no difference.
    package func isValid(at now: Date) -> Bool {
        age(at: now) < lifetime && (elapsed != nil || startedAt <= now.addingTimeInterval(60))
    }

    /// The time since the start.
    package func age(at now: Date) -> Duration {
        elapsed?() ?? .clampedSeconds(max(0, now.timeIntervalSince(startedAt)))
    }
}

extension PendingSignIn {
    /// Returns whether two values are copies of one sign-in.
    public static func == (one: PendingSignIn, other: PendingSignIn) -> Bool {
        one.step == other.step && one.startedAt == other.startedAt
    }

    /// Hashes the step.
    public func hash(into hasher: inout Hasher) { hasher.combine(step) }
}

extension PendingSignIn: CustomStringConvertible, CustomReflectable {
    /// Always `***`.
    public var description: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PendingSignIn: Codable {
    private enum CodingKeys: CodingKey {
        case startedAt, page, redirect, state, verifier, userCode, lifetime, interval, deviceCode
    }

    /// Encodes the value with its secrets, in plain text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Not as a date, whose format depends on the encoder.
        try container.encode(startedAt.timeIntervalSince1970, forKey: .startedAt)
        switch step {
        case .web(let signIn):
            try container.encode(signIn.page.absoluteString, forKey: .page)
            try container.encode(signIn.redirect.absoluteString, forKey: .redirect)
            try container.encode(signIn.state, forKey: .state)
            try container.encode(signIn.verifier.text, forKey: .verifier)
        case .device(let code):
            try container.encode(code.page.rawValue, forKey: .page)
            try container.encode(code.userCode, forKey: .userCode)
            try container.encode(code.lifetime / .seconds(1), forKey: .lifetime)
            try container.encode(code.interval / .seconds(1), forKey: .interval)
            try container.encode(code.deviceCode.text, forKey: .deviceCode)
        }
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` if a part is missing, or can't be part of a sign-in.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Encoded: Decodable, Value>(_ key: CodingKeys, _ convert: (Encoded) -> Value?) throws -> Value {
            guard let value = convert(try container.decode(Encoded.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "Invalid value.")
            }
            return value
        }
        func secret(_ key: CodingKeys) throws -> Secret { try read(key) { (text: String) in try? Secret(text) } }
        func number(_ key: CodingKeys) throws -> Double {
            try read(key) { (number: Double) in number.isFinite && number >= 0 ? number : nil }
        }
        startedAt = Date(timeIntervalSince1970: try number(.startedAt))
        elapsed = nil
        let page = WebAddress(rawValue: try container.decode(String.self, forKey: .page))
        let pageURL = try read(.page) { (text: String) in WebAddress(rawValue: text).url }
        if container.contains(.deviceCode) {
            step = .device(
                DeviceCode(
                    userCode: try container.decode(String.self, forKey: .userCode),
                    page: page,
                    lifetime: .clampedSeconds(try number(.lifetime)),
                    interval: .clampedSeconds(try number(.interval)),
                    deviceCode: try secret(.deviceCode)
                )
            )
        } else {
            step = .web(
                WebSignIn(
                    page: pageURL,
                    redirect: try read(.redirect) { URL(string: $0).flatMap { $0.scheme == nil ? nil : $0 } },
                    state: try secret(.state).text,
                    verifier: try secret(.verifier)
                )
            )
        }
    }
}
