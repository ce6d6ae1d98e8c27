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
    /// The parts of both kinds of sign-in.
    private struct Record: Codable {
        // Not as a date, whose format depends on the encoder.
        var startedAt: TimeInterval
        var page: String
        var redirect, state, verifier: String?
        var userCode, deviceCode: String?
        var lifetime, interval: TimeInterval?

        /// The sign-in; `nil` if a part is missing, or can't be part of one.
        var step: Step? {
            let page = WebAddress(rawValue: page)
            guard let url = page.url, [startedAt, lifetime ?? 0, interval ?? 0].allSatisfy({ $0.isFinite && $0 >= 0 })
            else { return nil }
            if let deviceCode {
                guard let code = try? Secret(deviceCode), let userCode, let lifetime, let interval else { return nil }
                return .device(
                    DeviceCode(
                        userCode: userCode,
                        page: page,
                        lifetime: .clampedSeconds(lifetime),
                        interval: .clampedSeconds(interval),
                        deviceCode: code
                    )
                )
            }
            guard let redirect = redirect.flatMap(URL.init(string:)), redirect.scheme != nil,
                let state = state.flatMap({ try? Secret($0) }), let verifier = verifier.flatMap({ try? Secret($0) })
            else { return nil }
            return .web(WebSignIn(page: url, redirect: redirect, state: state.text, verifier: verifier))
        }
    }

    /// Encodes the value with its secrets, in plain text.
    public func encode(to encoder: any Encoder) throws {
        var record = Record(startedAt: startedAt.timeIntervalSince1970, page: "")
        switch step {
        case .web(let signIn):
            record.page = signIn.page.absoluteString
            record.redirect = signIn.redirect.absoluteString
            record.state = signIn.state
            record.verifier = signIn.verifier.text
        case .device(let code):
            record.page = code.page.rawValue
            record.userCode = code.userCode
            record.lifetime = code.lifetime / .seconds(1)
            record.interval = code.interval / .seconds(1)
            record.deviceCode = code.deviceCode.text
        }
        try record.encode(to: encoder)
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` if a part is missing, or can't be part of a sign-in.
    public init(from decoder: any Decoder) throws {
        let record = try Record(from: decoder)
        guard let step = record.step else {
            let path = decoder.codingPath
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "Not a pending sign-in."))
        }
        self.init(step, startedAt: Date(timeIntervalSince1970: record.startedAt))
    }
}
