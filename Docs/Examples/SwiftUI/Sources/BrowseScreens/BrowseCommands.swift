public import BrowseKit
public import SwiftUI

/// The app's commands in the menu bar of a Mac or iPad: the tabs, and the sidebar.
public struct BrowseCommands: Commands {
    private let texts: Texts
    @FocusedBinding(\.selectedTab) private var selectedTab

    /// Creates the commands.
    ///
    /// - Parameter container: Has the texts.
    public init(container: Container) {
        texts = container.texts()
    }

    /// The commands.
    public var body: some Commands {
        SidebarCommands()
        CommandGroup(before: .sidebar) {
            ForEach(BrowseTab.allCases, id: \.self) { tab in
                Button(texts(tab.title)) { selectedTab = tab }
                    .keyboardShortcut(tab.key)
                    .disabled(selectedTab == nil)
            }
            Divider()
        }
    }
}

extension FocusedValues {
    /// The selected tab of the window in front.
    @Entry var selectedTab: Binding<BrowseTab>?
}
