package dev.rollcall.load.lookup;

import java.io.PrintStream;

/**
 * {@code LookupLoad --gateway HOST:PORT}: asks a gateway who made calls, at a steady rate. Exits
 * with 0 when every question was answered, 1 when not, 2 when it was called wrongly.
 */
public final class LookupLoad {
  static final int ANSWERED = 0;
  static final int UNANSWERED = 1;
  static final int BAD_INPUT = 2;

  private LookupLoad() {}

  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    LoadOptions options;
    try {
      options = LoadOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("lookup-load: " + e.getMessage());
      err.print(LoadOptions.USAGE);
      return BAD_INPUT;
    }
    try (var load = LookupRun.connect(options)) {
      LoadReport report = load.run();
      out.println(options.json() ? report.json() : report.text());
      return report.complete() ? ANSWERED : UNANSWERED;
    } catch (LoadFailedException e) {
      err.println("lookup-load: " + e.getMessage());
      return UNANSWERED;
    }
  }
}
