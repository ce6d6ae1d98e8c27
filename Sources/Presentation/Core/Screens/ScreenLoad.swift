import BrowseDomain

/// The load of a screen, such as that of a list's first page.
///
/// Call it to start the load and wait for its end.
public struct ScreenLoad: Sendable {
    let loads: [CoalescedLoad]

    /// Creates a load of a screen's own work, which several callers can share.
    ///
    /// - Parameter work: Runs once, away from the main actor. Its task is canceled when all callers
    ///   have been, unless ``keep()`` was called.
    public init(_ work: @escaping @Sendable () async -> Void) {
        self.init([CoalescedLoad(work)])
    }

    /// Creates a load of several.
    init(_ loads: [CoalescedLoad?]) { self.loads = loads.compactMap(\.self) }

    /// Starts the load if it hasn't started, and waits until it has ended or the caller is
    /// canceled.
    @MainActor
    public func callAsFunction() async { await join()() }

    /// Starts the load for a caller; returns the work in which it waits.
    ///
    /// It joins all parts at once, so that another caller, such as a row that disappears, can't
    /// cancel a part for which this one waits later.
    func join() -> CoalescedLoad.Work {
        let callers = loads.map { $0.join() }
        return { [loads] in
            for (load, caller) in zip(loads, callers) { await load.wait(for: caller) }
        }
    }

    /// Starts the load, which continues without callers until its screen starts over or is
    /// released.
    public func keep() {
        for load in loads { load.keep() }
    }
}
