public import BrowseData
public import BrowsePresentation

extension Container {
    /// What carries requests: a `URLSession` with the SDK's own rules.
    public var transport: Dependency<any HTTPTransport> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return URLSessionTransport(
                connectionsPerHost: max(8, configuration.pageConcurrency),
                clock: configuration.clock
            )
        }
    }

    /// What is said to a person.
    public var texts: Dependency<Texts> {
        dependency(.singleton) { container in
            Texts(locale: container.configuration.locale, timeZone: container.configuration.timeZone)
        }
    }
}
