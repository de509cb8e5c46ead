package dev.rollcall.lab.demo;

/**
 * The terminal that the demo prints to. The launcher passes it, because a JVM cannot tell one
 * stream from the other.
 *
 * @param steps whether standard error can show one line again and again
 * @param colours whether standard output can show colours
 */
record DemoTerminal(boolean steps, boolean colours) {
  private static final String RESET = "\u001b[0m";

  /** Reads the property {@code rollcall.terminal}: the words out and err. */
  static DemoTerminal ofLauncher() {
    String streams = System.getProperty("rollcall.terminal", "");
    String refused = System.getenv().getOrDefault("NO_COLOR", ""); // https://no-color.org
    return new DemoTerminal(streams.contains("err"), streams.contains("out") && refused.isEmpty());
  }

  String green(String text) {
    return colours ? "\u001b[32m" + text + RESET : text;
  }

  String red(String text) {
    return colours ? "\u001b[31m" + text + RESET : text;
  }
}
