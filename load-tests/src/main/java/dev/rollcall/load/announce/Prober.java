package dev.rollcall.load.announce;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.CProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The program that makes calls and takes them: prober.c, compiled on this machine. */
record Prober(Path program) {
  /**
   * One call.
   *
   * @param beganNanos of CLOCK_MONOTONIC, as System.nanoTime() has it on Linux
   */
  record Call(int port, long beganNanos, long tookNanos) {}

  static Prober compiledIn(Path directory) {
    try {
      // A job's user runs it, too.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new BenchFailedException("cannot open " + directory + ": " + e.getMessage(), e);
    }
    return new Prober(CProgram.compile(Prober.class, "prober", directory));
  }

  String[] call(String address, int port, int count, int pauseMicros) {
    return new String[] {
      program.toString(),
      "call",
      address,
      Integer.toString(port),
      Integer.toString(count),
      Integer.toString(pauseMicros)
    };
  }

  String[] take(String address, int... ports) {
    var words = new ArrayList<>(List.of(program.toString(), "take", address));
    for (int port : ports) {
      words.add(Integer.toString(port));
    }
    return words.toArray(String[]::new);
  }

  /** What {@code call} printed. */
  static List<Call> calls(String printed) {
    return printed
        .lines()
        .map(line -> line.split(" ", -1))
        .map(words ->
            new Call(
                Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])))
        .toList();
  }
}
