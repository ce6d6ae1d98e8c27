// Declarations of Apple's Security module, from developer.apple.com/documentation/security/keychain-services.
//
// `CFString` and similar types are aliases of Foundation's classes here.

public import Foundation

public typealias OSStatus = Int32

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    fatalError()
}
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    fatalError()
}
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { fatalError() }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { fatalError() }
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    fatalError()
}

public var errSecSuccess: OSStatus { 0 }
public var errSecUnimplemented: OSStatus { -4 }
public var errSecIO: OSStatus { -36 }
public var errSecParam: OSStatus { -50 }
public var errSecAllocate: OSStatus { -108 }
public var errSecUserCanceled: OSStatus { -128 }
public var errSecNotAvailable: OSStatus { -25291 }
public var errSecReadOnly: OSStatus { -25292 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecDecode: OSStatus { -26275 }
public var errSecInteractionRequired: OSStatus { -25315 }
public var errSecMissingEntitlement: OSStatus { -34018 }

// Global constants of C, imported as `let`.
public nonisolated(unsafe) let kSecClass: CFString = .init()
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = .init()
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = .init()
public nonisolated(unsafe) let kSecAttrService: CFString = .init()
public nonisolated(unsafe) let kSecAttrServer: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccount: CFString = .init()
public nonisolated(unsafe) let kSecAttrLabel: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccessible: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = .init()
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = .init()
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = .init()
public nonisolated(unsafe) let kSecMatchLimit: CFString = .init()
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = .init()
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = .init()
public nonisolated(unsafe) let kSecReturnAttributes: CFString = .init()
public nonisolated(unsafe) let kSecReturnData: CFString = .init()
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = .init()
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = .init()
public nonisolated(unsafe) let kSecValueData: CFString = .init()
