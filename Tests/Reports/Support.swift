import BrowseData
import BrowseKit
import BrowseMocks
import Foundation

extension Container {
    /// A container on a server, without retries.
    @MainActor
    static func reports(
        _ server: ScriptedServer,
        locale: String = "en_US",
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Container {
        var configuration = Configuration().with {
            $0.userAgent = "Reports"
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        configuration.retries = .never
        configuration.cacheFolder = .temporaryDirectory.appending(path: "reports-\(UUID())")
        change(&configuration)
        return .production(on: server.transport(), configuration: configuration)
    }
}

extension ScriptedServer.Response {
    /// Apps named Tea with the number 7, as the App Store sends them; by default, none.
    static func apps(_ properties: String...) -> Self {
        let rows = properties.map { properties in
            #"{"wrapperType":"software","kind":"software","trackId":7,"trackName":"Tea""#
                + (properties.isEmpty ? "" : ",") + properties + "}"
        }
        return .json(#"{"resultCount":\#(rows.count),"results":[\#(rows.joined(separator: ","))]}"#)
    }
}

extension HTTPHeaders {
    /// The field by which a response is GitHub's own.
    static var gitHub: HTTPHeaders { ["X-GitHub-Request-Id": "A:1"] }
}
