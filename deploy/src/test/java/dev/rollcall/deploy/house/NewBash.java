package dev.rollcall.deploy.house;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Lists features of bash that are newer than 4.4, which RHEL 8 has (bash's CHANGES and NEWS).
 *
 * @param since the first version that has it
 * @param what its name
 * @param pattern finds it in a line of a script
 */
record NewBash(String since, String what, Pattern pattern) {
  static final List<NewBash> ALL =
      List.of(
          of(
              "5.0",
              "EPOCHSECONDS, EPOCHREALTIME or BASH_ARGV0",
              "\\bEPOCH(SECONDS|REALTIME)\\b|\\bBASH_ARGV0\\b"),
          of("5.0", "wait -f", "\\bwait\\s+(-[np]+\\s+)*-n?f"),
          of(
              "5.0",
              "shopt of localvar_inherit, localvar_unset or assoc_expand_once",
              "\\b(localvar_(inherit|unset)|assoc_expand_once)\\b"),
          of("5.0", "local -I or declare -I", "\\b(local|declare|typeset)\\s+-[a-zA-Z]*I"),
          of("5.1", "SRANDOM", "\\bSRANDOM\\b"),
          of("5.1", "wait -p", "\\bwait\\s+(-[nf]+\\s+)*-[nf]*p"),
          of("5.1", "${name@U}, @u, @L, @K or @k", "\\$\\{[^}@]*(\\[@\\])?@[UuLKk]\\}"),
          of(
              "5.2",
              "varredir_close or patsub_replacement",
              "\\b(varredir_close|patsub_replacement)\\b"),
          of("5.3", "${ command; } or ${| command; }", "\\$\\{[ |]"),
          of("5.3", "GLOBSORT or BASH_TRAPSIG", "\\b(GLOBSORT|BASH_TRAPSIG)\\b"));

  private static NewBash of(String since, String what, String pattern) {
    return new NewBash(since, what, Pattern.compile(pattern));
  }

  /** Where a script has one, as LINE: what it is. */
  static List<String> in(String script) {
    return script
        .lines()
        .filter(line -> !line.strip().startsWith("#"))
        .flatMap(line ->
            ALL.stream()
                .filter(one -> one.pattern().matcher(line).find())
                .map(one -> line.strip() + ": " + one.what() + " is of bash " + one.since()))
        .toList();
  }
}
