/// Returns how often a test repeats random operations: fewer times in a debug build.
///
/// It's `count` in an optimized build, and a quarter of it in a debug build, where a round takes several times as long. CI runs
/// the tests in both.
public func rounds(_ count: Int) -> Int {
    #if DEBUG
    max(1, count / 4)
    #else
    count
    #endif
}
