import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// Returns a sweep with the clock of the configuration.
    ///
    /// The sink is the storage, such as `SweepFile.jsonLines(at:)` of BrowseData.
    public func sweep<Row>(_ source: SweepSource<Row>, into sink: any SweepSink<Row>) -> Sweep<Row> {
        Sweep(source, into: sink, now: configuration.now, clock: configuration.clock)
    }

    /// Returns the screen of a sweep.
    @MainActor
    public func sweepViewModel(_ sweep: Sweep<some Sendable>) -> SweepViewModel {
        SweepViewModel(sweep, texts: texts())
    }
}
