
_rollcall() {
  local typed="${words[CURRENT]}" line
  local -a offered
  offered=(${(f)"$(_rollcall_offer "$typed" "${(@)words[2,CURRENT-1]}")"})
  for line in $offered; do
    case "$line" in
      "=file") _files ;;
      "=user") _users ;;
      *) compadd -- "$line" ;;
    esac
  done
}

# As a file of fpath it is called at once; sourced, it is only defined.
if [ "$funcstack[1]" = "_rollcall" ]; then
  _rollcall "$@"
else
  compdef _rollcall rollcall
fi
