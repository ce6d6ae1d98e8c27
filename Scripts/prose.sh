#!/usr/bin/env bash
# Checks the writing style in sources and documentation; prints each violation as FILE:LINE: text.
#   Scripts/prose.sh            checks the sources, scripts, and documentation that git tracks or would add
#   Scripts/prose.sh FILE...    checks these files
set -euo pipefail
# Bytes, on every awk; the length of a sentence doesn't count the continuation bytes of UTF-8.
export LC_ALL=C

files=()
if [ $# -gt 0 ]; then
  files=("$@")
else
  cd "$(dirname "$0")/.."
  while IFS= read -r file; do
    [ -f "$file" ] && files+=("$file")
  done < <(git ls-files --cached --others --exclude-standard -- '*.swift' '*.md' '*.sh' '*.h' '*.yml' Makefile .ci \
    ':!Scripts/prose.sh' ':!*/Fixtures/*' | sort -u)
fi

# Names that exist already in files and tables of users, or in other interfaces.
allowed='favourites?_[a-z_]+|"[a-z_/.-]*favourites?[a-z_/.-]*"'
british='favourit|colour|behaviour|licence|centre|grey|honour|neighbour|catalogue|dialogue'
british+='|labell(ed|ing)|modell(ed|ing)|travell(ed|ing|er)|signall(ed|ing)|artefact|analys(e[ds]?|ing)([^a-z]|$)|defence|offence'
british+='|(author|capital|categor|character|custom|emphas|final|general|initial|local|maxim|memor|minim|normal|optim|organ|penal|prior|random|real|recogn|serial|special|standard|summar|synchron|util|visual)is(e[ds]?|ing|ation)([^a-z]|$)'

status=0
report() { # TITLE, violations on standard input
  local found
  found="$(cat)"
  [ -z "$found" ] && return
  printf '%s\n%s\n' "$1" "$found" >&2
  status=1
}

report 'Write "anyone" or name the role instead of "whoever"; "again" instead of "anew":' < <(
  grep -anHE '[Ww]hoever|(^|[^A-Za-z])[Aa]new([^a-z]|$)|[a-z]Anew([^a-z]|$)' "${files[@]}" || true)

# In code, names follow Swift's `isCancelled`, so "canceled" is checked in prose only: comments, test names, Markdown.
report 'Use American spelling:' < <(
  awk -v allowed="$allowed" -v british="$british" '{
    text = $0
    gsub(allowed, "", text)
    prose = text
    if (FILENAME ~ /\.swift$/ && text !~ /func `|@(Test|Suite)\(/) {
      prose = match(text, /\/\//) ? substr(text, RSTART) : ""
    } else {
      sub(/func `/, "", prose)
    }
    gsub(/`[^`]*`/, "", prose)
    if (tolower(text) ~ british || prose ~ /(^|[^.A-Za-z])[Cc]ancell(ed|ing)/) printf "%s:%d: %s\n", FILENAME, FNR, $0
  }' "${files[@]}")

# Code may be wider. A line of an example in a comment, indented like code, may be, too.
report 'Wrap comments at 100 columns:' < <(
  for file in "${files[@]}"; do case "$file" in Sources/*.swift | Mocks/*.swift | Testing/*.swift) printf '%s\0' "$file" ;; esac; done |
    xargs -0 -r awk '
  FNR == 1 { isCode = 0 }
  /^ *\/\/\/? ?```/ { isCode = !isCode; next }
  /^ *\/\// && !isCode {
    text = $0
    gsub(/[\200-\277]/, "", text)
    if (length(text) > 100) printf "%s:%d: %s (%d)\n", FILENAME, FNR, $0, length(text)
  }')

swift=()
for file in "${files[@]}"; do case "$file" in *.swift) swift+=("$file") ;; esac; done
report 'Shorten the first sentence of the doc comment to under 100 characters:' < <(
  [ ${#swift[@]} -eq 0 ] || awk '
  function finish() {
    if (abstract == "") return
    # A sentence ends at a period before a space and a capital letter or a code mark, or with the paragraph.
    if (match(abstract, /[.!?] +["`(A-Z]/)) abstract = substr(abstract, 1, RSTART)
    gsub(/[`\200-\277]/, "", abstract)
    if (length(abstract) >= 100) printf "%s:%d: %s (%d)\n", name, first, abstract, length(abstract)
    abstract = ""
  }
  FNR == 1 { finish(); open = 0 }
  /^ *\/\/\/([^\/]|$)/ {
    line = $0
    sub(/^ *\/\/\/ ?/, "", line)
    if (!open) { open = 1; reading = 1; first = FNR; name = FILENAME }
    if (line ~ /^ *$/ || line ~ /^ *- /) reading = 0
    if (reading) abstract = abstract (abstract == "" ? "" : " ") line
    next
  }
  { finish(); open = 0 }
  END { finish() }' "${swift[@]}")

exit "$status"
