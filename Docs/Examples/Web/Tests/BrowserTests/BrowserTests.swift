import Testing

@Suite("In Chromium")
struct BrowserTests {}
