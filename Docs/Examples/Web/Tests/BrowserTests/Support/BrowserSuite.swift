import Testing

/// The tests in Chromium. One runs at a time, since a browser is ten processes.
@Suite("The site in a browser", .serialized, .timeLimit(.minutes(20)))
enum BrowserSuite {}
