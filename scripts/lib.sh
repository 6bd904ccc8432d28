# shellcheck shell=bash
# Sourced by the shell scripts: messages, and running a long command with a sign of life.
# Each script sets `me` to its name first.
: "${me:?}"

say() { printf '%s: %s\n' "$me" "$*"; }

die() {
  printf '%s: %s\n' "$me" "$*" >&2
  exit 1
}

# run_quietly LOG LABEL COMMAND...: the command's output goes to LOG; a terminal shows seconds and
# the newest line meanwhile. Returns the command's exit status.
run_quietly() {
  local log=$1 label=$2
  shift 2
  say "$label …"
  local began=$SECONDS status=0
  "$@" >"$log" 2>&1 </dev/null &
  local pid=$!
  # Without this an interrupt would leave the command running: the shell makes it ignore SIGINT.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  if [[ -t 2 ]]; then
    while kill -0 "$pid" 2>/dev/null; do
      printf '\r\033[K  %d s  %.90s' $((SECONDS - began)) "$(tail -n 1 "$log" | tr -cd '[:print:]')" >&2
      sleep 1
    done
    printf '\r\033[K' >&2
  fi
  wait "$pid" || status=$?
  trap - INT TERM
  ((status != 0)) || say "  done in $((SECONDS - began)) s"
  return "$status"
}

# The line of a log that most likely names the cause of a failure.
reason_in() {
  local line
  # pip reports a dead network as "no matching version"; the name that did not resolve says more.
  line=$(grep -oE -m 1 '(Temporary failure|Name or service|Connection (refused|reset|timed out)|ENOTFOUND|EAI_AGAIN|No space left)[a-zA-Z ]*' "$1" || true)
  [[ -n $line ]] || line=$(grep -E -m 1 '^(E:|ERROR|error|npm (ERR!|error) [^ ]+ .|fatal:|CMake Error)' "$1" || true)
  [[ -n $line ]] || line=$(tail -n 1 "$1")
  printf '%.300s' "$line"
}
