public import BrowseDomain

/// An observer of requests.
///
/// Events contain no secrets; see ``HTTPEvent``. All events of an exchange have arrived when its
/// request returns, unless the request was canceled.
///
/// An observer that writes slowly would delay requests. Use a `Broadcast` as the observer, and read
/// its stream in a task of your own: `.bufferingNewest(1_000)` drops the oldest events when they
/// arrive faster than the task reads them.
public protocol HTTPObserver: Sendable {
    /// Receives an event; called from any task, and must return promptly.
    func observe(_ event: HTTPEvent)
}

extension Broadcast: HTTPObserver where Value == HTTPEvent {
    /// Sends an event to all streams.
    public func observe(_ event: HTTPEvent) { send(event) }
}
