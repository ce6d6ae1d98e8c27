#!/usr/bin/env bash
# Finds calls of the file system in code that doesn't run on a QueueExecutor, and package dependencies; prints each call as
# FILE:LINE: text.
#
# A call that hangs blocks its thread: one of the few that all tasks share, or the main thread.
set -euo pipefail
cd "$(dirname "$0")/.."

# These run all such calls on an executor, or are called by those that do.
executed='Storage/(BlobFolder|BlobGroup|Database|FileLock|StorageFile)|Favorites/FavoriteFile'
executed+='|Session/(FileTokenStore|KeychainTokenStore|RefreshLock|SystemKeychain)'

calls='[^.A-Za-z_](openat|mkdir|rmdir|unlink|unlinkat|rename|renameat|stat|lstat|fstat|access|chmod|flock|fsync|futimens)\('
calls+='|[^.A-Za-z_]open\(.*O_|FileManager|FileHandle|Data\(contentsOf|String\(contentsOf|\.write\(to:|[rR]esourceValues'
calls+='|sqlite3_open|SecItem(Add|Update|Delete|CopyMatching)|StorageFile\(|Database\(|tryLock\(|[lL]ocked\(.*\{'

# Neither the search path nor the standard error is a file on a disk.
found="$(grep -rnE "$calls" --include='*.swift' Sources | grep -vE "^Sources/Data/Core/($executed)\.swift:" \
  | grep -vE '^[^:]+:[0-9]+: *//|FileManager\.(default\.urls|SearchPathDirectory)|FileHandle\.standardError' || true)"
if [ -n "$found" ]; then
  printf 'Run calls of the file system on a QueueExecutor:\n%s\n' "$found" >&2
  exit 1
fi

if grep -n '\.package(' Package.swift >&2; then
  echo "The SDK has no package dependencies." >&2
  exit 1
fi
