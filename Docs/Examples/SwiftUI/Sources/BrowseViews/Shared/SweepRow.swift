import BrowseKit
import SwiftUI

/// A row that runs a sweep, with its progress and a button that stops or resumes it.
///
/// The screen stops the sweep when it disappears; a row also disappears when the list scrolls.
struct SweepRow: View {
    let model: SweepViewModel
    @Environment(\.texts) private var texts

    var body: some View {
        HStack {
            VStack(alignment: .leading) {
                Text(title)
                if let fraction = model.state.progress?.fraction { ProgressView(value: fraction) }
                if let detail { Text(detail).font(.caption).foregroundStyle(.secondary) }
            }
            Spacer()
            if model.state.isRunning {
                Button(texts(.cancel)) { model.stop() }
            } else if model.state.progress?.isComplete != true {
                Button(texts(.export)) { Task { await model.run() } }
            }
        }
    }

    private var title: String { model.state.title.isEmpty ? texts(.export) : model.state.title }

    private var detail: String? { model.state.failure?.text ?? model.state.detail }
}
