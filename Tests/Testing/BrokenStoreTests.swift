import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// Stores with one flaw each violate the rules, and each rule finds at least one flaw.
@Suite(.bounded)
struct BrokenStoreTests {
    private actor Tokens: TokenStore {
        enum Flaw: CaseIterable {
            case isFilled, forgets, keepsFirst, losesExpiry, losesRefreshToken, losesScopes, losesUser, keepsDeleted
            case requiresCredentials, passesNothing, callsNothing, deletesKept, losesParallel
            case locksTwice, locksForever, locksNever
        }

        private let flaw: Flaw
        private var stored: Credentials?
        private var isLocked = false
        private let releases = Monitor(0)

        init(_ flaw: Flaw) {
            self.flaw = flaw
            if flaw == .isFilled { stored = (try? AccessToken("a")).map { Credentials(token: $0) } }
        }

        func load() async throws(BrowseError) -> Credentials? { stored }

        func update(
            _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
        ) async throws(BrowseError) {
            let old = stored
            if flaw == .losesParallel { await Task { self.pause() }.value }
            if flaw == .callsNothing, stored != nil { return }
            switch change(.success(flaw == .passesNothing ? nil : old)) {
            case .keep: if flaw == .deletesKept { stored = nil }
            case .delete:
                if flaw == .requiresCredentials, stored == nil {
                    throw .storageFailed(StorageFailure(reason: .other, file: "test"))
                }
                if flaw != .keepsDeleted { stored = nil }
            case .store(var new):
                switch flaw {
                case .forgets: return
                case .keepsFirst: if stored != nil { return }
                case .losesExpiry: new.expiresAt = nil
                case .losesRefreshToken: new.refreshToken = nil
                case .losesScopes: new.scopes = Array(new.scopes.prefix(1))
                case .losesUser: new.user = nil
                default: break
                }
                stored = new
            }
        }

        private func pause() {}

        func refreshLock() async throws(BrowseError) -> RefreshLock? {
            switch flaw {
            case .locksNever: return nil
            case .locksTwice: return RefreshLock {}
            default:
                if flaw != .locksForever, releases.value > 0 { isLocked = false }
                guard !isLocked else { return nil }
                isLocked = true
                return RefreshLock { [releases] in releases.withLock { $0 += 1 } }
            }
        }
    }

    @Test
    func `Stored credentials`() async {
        await expectViolations(
            of: TokenStoreConformance.rules + TokenStoreConformance.lockRules,
            by: Tokens.Flaw.allCases.map { flaw -> @Sendable () -> any TokenStore in { Tokens(flaw) } }
        )
    }

    private actor Grants: TokenRepository {
        enum Flaw: CaseIterable {
            case isFilled, forgets, returnsOther, keepsFirst, reusesIDs, keepsEnded, requiresGrant, reusesEnded
            case endsRevoked, forgetsUser, changesGrant, identifiesAny
        }

        private let flaw: Flaw
        private var grant: TokenGrant?
        private var count = 0

        init(_ flaw: Flaw) {
            self.flaw = flaw
            if flaw == .isFilled { grant = (try? AccessToken("a")).map { Self.grant(0, .init(token: $0)) } }
        }

        private static func grant(_ number: Int, _ credentials: Credentials) -> TokenGrant {
            TokenGrant(id: number, credentials: credentials)
        }

        func current() async throws(BrowseError) -> TokenGrant? { flaw == .forgets ? nil : grant }

        func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
            if flaw == .keepsFirst, let grant { return grant }
            if flaw != .reusesIDs { count += 1 }
            grant = Self.grant(count, credentials)
            if flaw == .returnsOther { return Self.grant(count + 100, credentials) }
            return Self.grant(count, credentials)
        }

        func identify(_ id: TokenGrant.ID, as user: StoredUser) async {
            guard flaw != .forgetsUser, var grant, flaw == .identifiesAny || grant.id == id else { return }
            grant.credentials.user = user
            self.grant = flaw == .changesGrant ? Self.grant(count + 1, grant.credentials) : grant
        }

        func end() async throws(BrowseError) {
            if flaw == .requiresGrant, grant == nil {
                throw .storageFailed(StorageFailure(reason: .other, file: "test"))
            }
            if flaw == .keepsEnded { return }
            if flaw == .reusesEnded { count = 0 }
            grant = nil
        }

        func revoke(_ credentials: Credentials) async throws(BrowseError) {
            if flaw == .endsRevoked { grant = nil }
        }

        nonisolated var events: AsyncStream<TokenEvent> { AsyncStream { $0.finish() } }
    }

    @Test
    func `Token repositories`() async {
        await expectViolations(
            of: TokenRepositoryConformance.rules,
            by: Grants.Flaw.allCases.map { flaw -> @Sendable () -> any TokenRepository in { Grants(flaw) } },
            // Rules of grants require that there are some.
            atMost: 5
        )
    }
}
