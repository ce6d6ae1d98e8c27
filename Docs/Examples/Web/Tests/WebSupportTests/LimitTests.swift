import BrowseMocks
import Testing
import WebSupport

@Suite("Limits")
struct LimitTests {
    let clock = TestClock()

    @Test("A client has a burst, then the steady rate, and learns how long to wait")
    func burst() async {
        let buckets = TokenBuckets<String>(RequestRate(burst: 3, perSecond: 2), clock: clock)
        for _ in 0..<3 { #expect(buckets.take("a") == nil) }
        #expect(buckets.take("a") == .milliseconds(500))
        #expect(buckets.take("b") == nil)
        await clock.advance(by: .milliseconds(499))
        #expect(buckets.take("a") != nil)
        await clock.advance(by: .milliseconds(1))
        #expect(buckets.take("a") == nil)
        #expect(buckets.take("a") == .milliseconds(500))
    }

    @Test("A bucket never has more than its capacity, however long nothing happens")
    func capacity() async {
        let buckets = TokenBuckets<String>(RequestRate(burst: 2, perSecond: 10), clock: clock)
        _ = buckets.take("a")
        await clock.advance(by: .seconds(1_000_000))
        #expect(buckets.take("a") == nil)
        #expect(buckets.take("a") == nil)
        #expect(buckets.take("a") != nil)
    }

    @Test("Over any period, a client gets at most its capacity and the refill", arguments: 0..<20)
    func model(_ seed: UInt64) async {
        var random = Numbers(seed: seed)
        let (capacity, rate) = (Int.random(in: 1...5, using: &random), Double(Int.random(in: 1...8, using: &random)))
        let buckets = TokenBuckets<Int>(RequestRate(burst: capacity, perSecond: rate), clock: clock)
        var (taken, seconds) = ([0, 0], 0.0)
        for _ in 0..<300 {
            let key = Int.random(in: 0...1, using: &random)
            if buckets.take(key) == nil { taken[key] += 1 }
            #expect(Double(taken[key]) <= Double(capacity) + seconds * rate + 0.000_001)
            guard Bool.random(using: &random) else { continue }
            let step = Double(Int.random(in: 0...64, using: &random)) / 64
            await clock.advance(by: .seconds(step))
            seconds += step
        }
        // A client that waits as told always succeeds.
        if let wait = buckets.take(0) {
            await clock.advance(by: wait)
            #expect(buckets.take(0) == nil)
        }
    }

    @Test("An attacker with many addresses fills no memory, and resets no limit")
    func manyKeys() async {
        let buckets = TokenBuckets<Int>(RequestRate(burst: 1, perSecond: 1), keyLimit: 10, clock: clock)
        for key in 0..<10 { #expect(buckets.take(key) == nil) }
        #expect(buckets.take(10) == nil)
        for key in 11..<1000 { #expect(buckets.take(key) != nil) }
        #expect(buckets.count == 10)
        #expect(buckets.take(0) != nil)
        await clock.advance(by: .seconds(1))
        #expect(buckets.take(2000) == nil)
        #expect(buckets.count == 1)
    }

    @Test("Addresses of one customer are one client")
    func addresses() {
        let same = [
            ("2001:db8::1", "2001:db8:0:0:ffff::2"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("fe80::1%eth0", "fe80::2%eth1"),
        ]
        for (left, right) in same { #expect(ClientAddress(peer: left) == ClientAddress(peer: right)) }
        let different = [
            ("2001:db8::1", "2001:db8:0:1::1"), ("192.0.2.1", "192.0.2.2"), ("::1", "0.0.0.0"), ("192.0.2.1", nil),
        ]
        for (left, right) in different { #expect(ClientAddress(peer: left) != ClientAddress(peer: right)) }
    }

    @Test("Behind a proxy, only the address that the proxy added counts")
    func forwarded() {
        let client = ClientAddress(peer: "192.0.2.7")
        #expect(ClientAddress(peer: "127.0.0.1", forwarded: ["1.1.1.1, 192.0.2.7"]) == client)
        #expect(ClientAddress(peer: "127.0.0.1", forwarded: ["9.9.9.9", "1.2.3.4,192.0.2.7"]) == client)
        #expect(ClientAddress(peer: "192.0.2.7", forwarded: []) == client)
        #expect(ClientAddress(peer: "127.0.0.1", forwarded: ["x"]) == ClientAddress(peer: nil))
    }
}

/// A generator whose numbers depend on its seed only (SplitMix64).
struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
