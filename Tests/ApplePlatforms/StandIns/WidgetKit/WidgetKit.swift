// Declarations of Apple's WidgetKit, from developer.apple.com/documentation/widgetkit.

public import Foundation
public import SwiftUI

public protocol TimelineEntry {
    var date: Date { get }
}

public struct TimelineReloadPolicy: Equatable, Sendable {
    public static let never: TimelineReloadPolicy = { standIn() }()
}

public struct Timeline<EntryType: TimelineEntry> {
    public init(entries: [EntryType], policy: TimelineReloadPolicy) { standIn() }
}

public struct TimelineProviderContext {}

public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

public enum WidgetFamily: Int, Sendable { case systemSmall, systemMedium }

@MainActor @preconcurrency
public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    public typealias Body = Never
    public init<Provider: TimelineProvider>(
        kind: String,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) { standIn() }
}

extension WidgetConfiguration {
    nonisolated public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration {
        let none: Never = standIn()
        return none
    }
}

public final class WidgetCenter: Sendable {
    public static let shared: WidgetCenter = { standIn() }()
    public func reloadAllTimelines() { standIn() }
}

extension ContainerBackgroundPlacement {
    public static var widget: ContainerBackgroundPlacement { standIn() }
}

extension View {
    nonisolated public func widgetURL(_ url: URL?) -> some View { EmptyView?.none }
}

nonisolated func standIn() -> Never { fatalError() }
