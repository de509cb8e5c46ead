package dev.rollcall.lab.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Tells how each scene went, as it ends: a line for people, or one JSON array at the end. */
final class Playbill {
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final List<String> rows = new ArrayList<>();
  private boolean allHold = true;

  Playbill(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /**
   * Notes a scene.
   *
   * @param logs what helps to understand, if it differs
   */
  void note(String name, String what, Outcome outcome, Supplier<String> logs) {
    allHold &= outcome.ok();
    rows.add(
        "{\"scene\":\"%s\",\"ok\":%s,\"ms\":%d}".formatted(name, outcome.ok(), outcome.millis()));
    if (!json) {
      say(out, line(name, what, outcome));
    }
    if (!outcome.ok()) {
      say(err, name + " differs: " + outcome + "\n" + logs.get());
    }
  }

  /** Prints the array, if there is to be one; whether every scene held. */
  boolean close() {
    if (json) {
      say(out, "[" + String.join(",\n ", rows) + "]");
    }
    return allHold;
  }

  static String line(String name, String what, Outcome outcome) {
    return "%-7s %-42s %5d ms  %s | expected: %s | seen: %s"
        .formatted(
            outcome.ok() ? "ok" : "DIFFERS",
            name,
            outcome.millis(),
            what,
            outcome.expected(),
            outcome.seen());
  }

  static void say(PrintWriter to, String text) {
    to.println(text);
    to.flush();
  }
}
