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

    @Test("Behind trusted proxies, only the address that the outermost one added counts")
    func forwarded() {
        let (client, proxies) = (ClientAddress(peer: "192.0.2.7"), ["127.0.0.1", "10.0.0.0/8"] as NetworkList)
        for fields in [
            ["1.1.1.1, 192.0.2.7"], ["9.9.9.9", "1.2.3.4,192.0.2.7"], ["192.0.2.7:4711"], ["192.0.2.7, 10.9.8.7"],
            ["1.1.1.1", "192.0.2.7:1", "10.0.0.1:80"],
        ] {
            #expect(ClientAddress(peer: "127.0.0.1", forwarded: fields, proxies: proxies) == client, "\(fields)")
        }
        let v6 = ClientAddress(peer: "127.0.0.1", forwarded: ["[2001:db8::1]:80"], proxies: proxies)
        #expect(v6 == ClientAddress(peer: "2001:db8::2"))
        // A client without a proxy can send anything.
        #expect(ClientAddress(peer: "192.0.2.7", forwarded: ["1.1.1.1"], proxies: proxies) == client)
        #expect(ClientAddress(peer: "192.0.2.7", forwarded: []) == client)
        #expect(ClientAddress(peer: "127.0.0.1", forwarded: ["x"], proxies: proxies) == ClientAddress(peer: nil))
    }

    @Test("Networks contain addresses by their first bits")
    func networks() throws {
        let networks = try #require(NetworkList(["192.0.2.0/25", "2001:db8::/33", "198.51.100.7"]))
        for address in ["192.0.2.0", "192.0.2.127", "::ffff:192.0.2.1", "2001:db8:7fff::1", "198.51.100.7"] {
            #expect(networks.contains(address), "\(address)")
        }
        for address in ["192.0.2.128", "192.0.3.0", "2001:db8:8000::1", "198.51.100.6", "", "x", "192.0.2"] {
            #expect(!networks.contains(address), "\(address)")
        }
        #expect(try #require(NetworkList(["0.0.0.0/0"])).contains("8.8.8.8"))
        for text in ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0/8", "10.0.0.0/"] {
            #expect(NetworkList([text]) == nil, "\(text)")
        }
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
