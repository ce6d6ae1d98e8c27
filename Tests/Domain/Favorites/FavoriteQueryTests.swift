import BrowseDomain
import Testing
import TestLimits

@Suite(.bounded) struct `An order of kinds` {
    private static func kinds(_ names: String...) -> [Favorite.Kind] { names.map(Favorite.Kind.init(rawValue:)) }

    @Test func `lists each kind once, and other kinds last by their bytes`() {
        let order = FavoriteQuery.KindOrder(Self.kinds("b", "a", "b"))
        #expect(order.kinds == Self.kinds("b", "a"))
        #expect(order == FavoriteQuery.KindOrder(Self.kinds("b", "a")))
        let sorted = Self.kinds("가", "a", "é", "Z", "b", "").sorted(by: order.precedes)
        #expect(sorted == Self.kinds("b", "a", "", "Z", "é", "가"))
    }

    @Test func `distinguishes canonically equivalent kinds, as storage does`() {
        let (composed, decomposed) = (Self.kinds("é")[0], Self.kinds("e\u{301}")[0])
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        let order: FavoriteQuery.KindOrder = [composed, decomposed]
        #expect(order.kinds.count == 2 && order.precedes(composed, decomposed))
    }
}
