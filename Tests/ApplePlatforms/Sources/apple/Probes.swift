import Foundation

/// Examples that the checks must report, so that no check passes because it's broken.
extension Check {
    /// Compiles examples that must fail.
    func probeCompilation() async throws {
        try await expect("'inout sending' parameter", from: "SendabilityProbe")
        try await expect("has no member 'st_mtim'", from: "FileStatusProbe")
        for text in Self.viewErrors { try await expect(text, from: "ViewProbe") }
    }

    /// What is wrong with the views of ViewProbe.
    private static let viewErrors = [
        "requires that 'Route' conform to 'View'",
        "expected argument type 'Binding<String>'",
        "'state' is a get-only property",
        "call to main actor-isolated instance method 'dismissNotice()'",
    ]

    private func expect(_ text: String, from probe: String) async throws {
        do {
            _ = try await builder.build(probe, for: .macOS)
        } catch let failure as Failure {
            guard failure.text.contains(text) else { throw failure }
            return
        }
        throw Failure("\(probe) compiles, and must not: \(text)")
    }

    /// Compiles a symbol that is too new, and conversions that trap.
    func probeSymbols(_ availability: Availability) async throws {
        let symbols = try await builder.build("AvailabilityProbe", for: .macOS)
        guard try tooNew(in: symbols, availability).contains(where: { $0.contains("Observations") }) else {
            throw Failure("AvailabilityProbe uses Observations, which was not reported.")
        }
        let conversions = try await builder.build("ConversionProbe", for: .macOS)
        let places = try self.conversions.places(in: conversions)
        guard places.map({ $0.suffix(2) }) == [":4", ":5", ":6"] else {
            throw Failure("ConversionProbe traps in lines 4 to 6; reported was \(places).")
        }
    }
}
