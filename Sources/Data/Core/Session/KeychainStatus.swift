/// A result code of Keychain Services; the values are from `SecBase.h`.
struct KeychainStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    static let success = KeychainStatus(rawValue: 0)
    static let notAvailable = KeychainStatus(rawValue: -25291)
    static let readOnly = KeychainStatus(rawValue: -25292)
    static let duplicateItem = KeychainStatus(rawValue: -25299)
    static let itemNotFound = KeychainStatus(rawValue: -25300)
    static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    static let decode = KeychainStatus(rawValue: -26275)
    static let missingEntitlement = KeychainStatus(rawValue: -34018)
}
