# shellcheck shell=bash
# Sourced by scripts/setup: what was fetched is fetched again when what the script asks for changes.

# fetch_pinned DESTINATION PIN IS_RIGHT FETCH: runs FETCH DESTINATION unless DESTINATION came from
# PIN, a line of text with everything that decides its content. The pin is kept in DESTINATION.pin,
# written last, so that an interrupted fetch is repeated. What is there without a pin counts if
# IS_RIGHT DESTINATION says that it is what FETCH would bring.
fetch_pinned() {
  local destination=$1 pin=$2 is_right=$3 fetch=$4 file=$1.pin
  if [[ -e $destination ]]; then
    if [[ -e $file ]]; then
      [[ $(<"$file") != "$pin" ]] || return 0
    elif "$is_right" "$destination"; then
      write_pin "$file" "$pin"
      return
    fi
  fi
  # Without its pin first: an interruption must not leave the new content under the old pin.
  rm -f "$file"
  "$fetch" "$destination"
  write_pin "$file" "$pin"
}

write_pin() {
  printf '%s\n' "$2" >"$1.new"
  mv "$1.new" "$1"
}
