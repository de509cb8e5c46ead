package dev.rollcall.load.move;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures a move back to back, after rests, and after rests with the kernel prepared as the agent
 * prepares it when a call was announced. As root: {@code MoveCost DIRECTORY OWN_PROCS [REST_SECONDS
 * ...]}.
 */
public final class MoveCost {
  private static final int BACK_TO_BACK = 1_000;
  private static final int AFTER_REST = 10;
  private static final int WARM_UP = 2_000;
  private static final int PREPARED_MS = 50;
  private static final int BETWEEN_MS = 4;
  private static final double MICRO = 1_000.0;

  private MoveCost() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length < 2) {
      System.err.println("usage: MoveCost DIRECTORY OWN_PROCS [REST_SECONDS ...]");
      System.exit(64);
    }
    List<Integer> rests = new ArrayList<>();
    for (int at = 2; at < arguments.length; at++) {
      rests.add(Integer.parseUnsignedInt(arguments[at]));
    }
    measure(
        Path.of(arguments[0]),
        Path.of(arguments[1]),
        rests.isEmpty() ? List.of(1) : rests,
        System.out);
  }

  static void measure(Path directory, Path ownProcs, List<Integer> rests, PrintStream out)
      throws IOException, InterruptedException {
    if (!Files.isWritable(ownProcs)) {
      throw new IOException(ownProcs + " cannot be written: as root?");
    }
    try (var cgroups = new TwoCgroups(directory, ownProcs)) {
      for (int each = 0; each < WARM_UP; each++) {
        cgroups.move();
        cgroups.prepare();
      }
      List<Long> together = new ArrayList<>();
      for (int each = 0; each < BACK_TO_BACK; each++) {
        together.add(cgroups.move());
      }
      double base = print(out, "back to back", together, 0);
      for (int rest : rests) {
        print(out, "after " + rest + " s", rested(cgroups, rest, false), base);
        print(out, "after " + rest + " s, prepared", rested(cgroups, rest, true), base);
      }
    }
  }

  private static List<Long> rested(TwoCgroups cgroups, int rest, boolean prepared)
      throws IOException, InterruptedException {
    List<Long> took = new ArrayList<>();
    for (int each = 0; each < (rest > 10 ? 3 : AFTER_REST); each++) {
      Thread.sleep(rest * 1_000L);
      if (prepared) {
        for (int at = 0; at < PREPARED_MS; at += BETWEEN_MS) {
          cgroups.prepare();
          Thread.sleep(BETWEEN_MS);
        }
      }
      took.add(cgroups.move());
    }
    return took;
  }

  /** Microseconds: median and greatest; and the median as a multiple of the base's. */
  private static double print(PrintStream out, String what, List<Long> nanos, double base) {
    List<Long> sorted = nanos.stream().sorted().toList();
    double median = sorted.get(sorted.size() / 2) / MICRO;
    double greatest = sorted.getLast() / MICRO;
    out.println(
        String.format(
            Locale.ROOT,
            "%-24s n %4d  median %9.1f us  greatest %9.1f us%s",
            what,
            sorted.size(),
            median,
            greatest,
            base == 0 ? "" : String.format(Locale.ROOT, "  %7.1f times", median / base)));
    return median;
  }
}
