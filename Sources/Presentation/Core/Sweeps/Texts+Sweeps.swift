public import BrowseDomain
import Foundation

// swift-format-ignore
extension Phrase {
    static func sweepCount(_ progress: SweepProgress) -> Phrase {
        let count = progress.rowCount
        guard !progress.isComplete, let total = progress.totalCount, total > count else {
            return Phrase("sweep.count", plural: count, one: "1 row", "\(count) rows", ko: "행 \(count)개")
        }
        return Phrase("sweep.countOf", "\(count) of about \(total) rows", ko: "행 약 \(total)개 중 \(count)개")
    }
    static func sweepPace(_ rows: Int, until end: Phrase) -> Phrase {
        Phrase("sweep.pace", "\(rows) per second, \(end)", ko: "초당 \(rows)개, \(end)")
    }
    static func sweepEnd(_ minutes: Int) -> Phrase {
        Phrase("sweep.end", plural: minutes, one: "about a minute left", "about \(minutes) minutes left", ko: "약 \(minutes)분 남음")
    }

    fileprivate static let sweepTitle = Phrase("sweep.title", "Export Not Resumed", ko: "내보내기를 계속할 수 없음")
    fileprivate static func otherSweep(_ list: String) -> Phrase {
        Phrase("sweep.other", "This file has the export of another list or account: \(list). Choose another file.",
            ko: "다른 목록 또는 계정의 내보내기 파일입니다: \(list). 다른 파일을 선택하십시오.")
    }
    fileprivate static func foreignFile(_ name: String) -> Phrase {
        Phrase("sweep.foreign", "“\(name)” isn’t an export, or it was changed since. Choose another file.",
            ko: "내보내기 파일이 아니거나 이후에 변경된 파일입니다: \(name). 다른 파일을 선택하십시오.")
    }
    fileprivate static func inUse(_ name: String) -> Phrase {
        Phrase("sweep.inUse", "Another export is writing “\(name)”. Try again when it has ended.",
            ko: "다른 내보내기에서 이 파일을 쓰고 있습니다: \(name). 끝난 후 다시 시도하십시오.")
    }
    fileprivate static let cursorRefused = Phrase("sweep.refused",
        "The server no longer accepts the position of this export. Start again; exported rows aren’t repeated.",
        ko: "서버가 이 내보내기의 위치를 더 이상 허용하지 않습니다. 처음부터 다시 시작하십시오. 이미 내보낸 행은 반복되지 않습니다.")
}

extension Texts {
    /// Returns the message for the error of a sweep, with the action that helps.
    public func message(for error: SweepError) -> Message {
        switch error {
        case .failed(let error): message(for: error)
        case .otherSweep(let list, let account):
            message(.storage, .otherSweep(account.map { "\(list), \($0)" } ?? list), titled: .sweepTitle)
        case .foreignFile(let name): message(.storage, .foreignFile(name), titled: .sweepTitle)
        case .inUse(let name): message(.storage, .inUse(name), titled: .sweepTitle)
        case .cursorRefused: message(.rejected, .cursorRefused, titled: .sweepTitle)
        }
    }

    /// Returns the pace and the remaining time of a running sweep, or the end of a wait.
    ///
    /// - Returns: `nil` if they aren't known.
    public func detail(of progress: SweepProgress) -> String? {
        if let end = progress.waitsUntil { return self(.waitingTitle(until: end)) }
        guard let end = progress.expectedEnd, progress.rowsPerSecond.isFinite else { return nil }
        func count(_ value: Double) -> Int { Int(clamping: Int64(min(max(0, value), 1e9))) }
        let minutes = (end.timeIntervalSince(formats.now()) / 60).rounded(.up)
        let left = Phrase.sweepEnd(max(1, count(minutes)))
        return self(.sweepPace(count(progress.rowsPerSecond.rounded()), until: left))
    }
}
