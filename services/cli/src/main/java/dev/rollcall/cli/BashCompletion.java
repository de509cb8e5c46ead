package dev.rollcall.cli;

import picocli.AutoComplete;
import picocli.CommandLine;

/** What a shell reads to complete the command's words. */
final class BashCompletion {
  private BashCompletion() {}

  /** Without the line that would make a program of it: it is read, not run. */
  static String of(CommandLine tree) {
    return AutoComplete.bash("rollcall", tree).replaceFirst("\\A#![^\n]*\n", "");
  }
}
