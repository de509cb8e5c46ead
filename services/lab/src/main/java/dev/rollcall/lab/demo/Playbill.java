package dev.rollcall.lab.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Plays scenes and prints each result as it ends: lines for people, or one JSON array at the end.
 */
final class Playbill {
  private static final int COLUMNS = 112;
  private static final String INDENT = " ".repeat(8);

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final DemoTerminal terminal;
  private final StepLine steps;
  private final int scenes;
  private final List<String> rows = new ArrayList<>();
  private boolean allHold = true;

  /**
   * @param scenes how many there will be
   */
  Playbill(
      PrintWriter out,
      PrintWriter err,
      boolean json,
      DemoTerminal terminal,
      StepLine steps,
      int scenes) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.terminal = terminal;
    this.steps = steps;
    this.scenes = scenes;
  }

  /**
   * Plays a scene and prints its result.
   *
   * @param logs what helps to understand, if it differs
   */
  void play(String name, String what, Supplier<Outcome> scene, Supplier<String> logs) {
    String number = (rows.size() + 1) + "/" + scenes;
    if (terminal.steps()) {
      steps.show("playing scene %s, %s".formatted(number, name));
    }
    Outcome outcome = scene.get();
    steps.clear();
    allHold &= outcome.ok();
    rows.add(
        "{\"scene\":\"%s\",\"ok\":%s,\"ms\":%d}".formatted(name, outcome.ok(), outcome.millis()));
    if (!json) {
      say(out, text(number, name, what, outcome, terminal));
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

  /** The first line begins with ok or DIFFERS and the name, which scripts may look for. */
  static String text(
      String number, String name, String what, Outcome outcome, DemoTerminal terminal) {
    String state =
        outcome.ok() ? terminal.green("ok") + " ".repeat(6) : terminal.red("DIFFERS") + " ";
    var lines = new ArrayList<String>();
    lines.add("%s%s (%s, %d ms)".formatted(state, name, number, outcome.millis()));
    fold(what, lines);
    if (outcome.seen().equals(outcome.expected())) {
      fold("seen as expected: " + outcome.seen(), lines);
    } else {
      fold("expected: " + outcome.expected(), lines);
      fold("seen: " + outcome.seen(), lines);
    }
    return String.join("\n", lines);
  }

  /** At blanks; a word that is longer than a line stays whole. */
  private static void fold(String text, List<String> lines) {
    String rest = text;
    int end = rest.lastIndexOf(' ', COLUMNS);
    while (rest.length() > COLUMNS && end > 2) {
      lines.add(INDENT + rest.substring(0, end));
      rest = "  " + rest.substring(end + 1);
      end = rest.lastIndexOf(' ', COLUMNS);
    }
    lines.add(INDENT + rest);
  }

  static void say(PrintWriter to, String text) {
    to.println(text);
    to.flush();
  }
}
