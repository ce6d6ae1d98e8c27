import BrowseGitHubData
import Foundation
import Synchronization

@testable import BrowseData

/// A model of a device's data protection keychain, in memory.
///
/// While it's locked, as before the first unlock, no item can be read, added, or changed. Reading an existing item returns
/// `interactionNotAllowed`, or `itemNotFound` like some releases.
final class KeychainModel: Keychain {
    enum Call {
        case read, add, update, delete
    }

    struct State {
        var items: [KeychainItem: Data] = [:]
        var isLocked = false
        var hidesItemsWhileLocked = false
        var isEntitled = true
        /// The additional access groups that the process can use.
        var accessGroups: Set<String> = []
        /// The status with which all calls fail.
        var failure: KeychainStatus?
        /// Runs before each call, to simulate another process or the user.
        var interference: (@Sendable (Call, inout State) -> Void)?
    }

    let state = Mutex(State())

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    var items: [KeychainItem: Data] { state.withLock { $0.items } }

    func read(_ item: KeychainItem) -> (status: KeychainStatus, data: Data?) {
        call(.read, item, failing: (.missingEntitlement, nil)) { state in
            if let failure = state.failure { return (failure, nil) }
            guard let data = state.items.first(where: { item.matches($0.key) })?.value else {
                return (.itemNotFound, nil)
            }
            guard state.isLocked else { return (.success, data) }
            return (state.hidesItemsWhileLocked ? .itemNotFound : .interactionNotAllowed, nil)
        }
    }

    func add(_ item: KeychainItem, _ data: Data) -> KeychainStatus {
        call(.add, item, failing: .missingEntitlement) { state in
            if let failure = state.failure { return failure }
            guard !state.isLocked else { return .interactionNotAllowed }
            guard state.items[item] == nil else { return .duplicateItem }
            state.items[item] = data
            return .success
        }
    }

    func update(_ item: KeychainItem, _ data: Data) -> KeychainStatus {
        call(.update, item, failing: .missingEntitlement) { state in
            if let failure = state.failure { return failure }
            guard let found = state.items.keys.first(where: item.matches) else { return .itemNotFound }
            guard !state.isLocked else { return state.hidesItemsWhileLocked ? .itemNotFound : .interactionNotAllowed }
            state.items[found] = data
            return .success
        }
    }

    func delete(_ item: KeychainItem) -> KeychainStatus {
        call(.delete, item, failing: .missingEntitlement) { state in
            if let failure = state.failure { return failure }
            let found = state.items.keys.filter(item.matches)
            for item in found { state.items[item] = nil }
            return found.isEmpty ? .itemNotFound : .success
        }
    }

    private func call<Answer: Sendable>(
        _ call: Call,
        _ item: KeychainItem,
        failing refusal: Answer,
        _ body: (inout State) -> Answer
    ) -> Answer {
        state.withLock { state in
            state.interference?(call, &state)
            guard state.isEntitled, item.accessGroup.map(state.accessGroups.contains) ?? true else { return refusal }
            return body(&state)
        }
    }
}

extension KeychainItem {
    fileprivate func matches(_ item: KeychainItem) -> Bool {
        service == item.service && (account == nil || account == item.account)
            && (accessGroup == nil || accessGroup == item.accessGroup)
    }
}
