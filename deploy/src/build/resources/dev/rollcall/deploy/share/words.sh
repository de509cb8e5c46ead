# shellcheck shell=bash
# Completes the words of rollcall. Made by the build from the command's own options.

# The agent is asked for at most two seconds. Nothing is offered if it does not answer.
_rollcall_jobs() {
  timeout 2 rollcall jobs --json --timeout 1 2>/dev/null | tr '{,' '[\n*]' | sed -n 's/^"job":\([0-9]*\)$/\1/p; s/^"batch_id":"\([0-9]*[^"]*\)"$/\1/p; s/^"name":"\([A-Za-z0-9._-]*\)"$/name-\1/p; $alatest' | sort -u
}
_rollcall_nodes() {
  timeout 2 rollcall nodes --json --timeout 1 2>/dev/null | tr '{' '\n' | sed -n 's/^"node":"\([^"]*\)".*/\1/p' | sort -u
}

_rollcall_lines() { printf '%s\n' "$1" | tr ' ' '\n'; }

# Prints what may come after the words: a line each. The word that is being typed comes first. "=file" and "=user" are the shell's own to offer.
_rollcall_offer() {
  local typed="$1" at="" takes="" option="" position=0
  shift
  while [ $# -gt 0 ]; do
    if [ "$1" = "=" ]; then
      :
    elif [ -n "$takes" ]; then
      takes=""
    else
      case "$1" in
        --?*=*) ;;
        -?*)
          takes=$(_rollcall_value "$at" "$1")
          option=$1
          ;;
        *)
          case " $(_rollcall_commands "$at") " in
            *" $1 "*) at="$at $1" ;;
            *) position=$((position + 1)) ;;
          esac
          ;;
      esac
    fi
    shift
  done
  if [ -n "$takes" ]; then
    _rollcall_offer_value "$(_rollcall_value "$at" "$option")"
    return
  fi
  case "$typed" in
    -*) _rollcall_lines "$(_rollcall_options "$at")" ;;
    *)
      if [ "$position" = 0 ]; then _rollcall_lines "$(_rollcall_commands "$at")"; fi
      _rollcall_offer_value "$(_rollcall_value "$at" "$position")"
      ;;
  esac
}

_rollcall_offer_value() {
  case "$1" in
    job) _rollcall_jobs ;;
    node) _rollcall_nodes ;;
    file | user) echo "=$1" ;;
    words\ *) _rollcall_lines "${1#words }" ;;
  esac
}

