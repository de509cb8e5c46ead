# shellcheck shell=bash

_rollcall() {
  local typed="${COMP_WORDS[COMP_CWORD]}" line shells=()
  [ "$typed" != "=" ] || typed=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      =file)
        mapfile -t shells < <(compgen -f -- "$typed")
        compopt -o filenames 2>/dev/null
        ;;
      =user) mapfile -t shells < <(compgen -u -- "$typed") ;;
      "$typed"*) [ -z "$line" ] || COMPREPLY+=("$line") ;;
    esac
  done < <(_rollcall_offer "$typed" "${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY+=("${shells[@]}")
}
complete -F _rollcall rollcall
