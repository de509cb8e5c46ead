package dev.rollcall.load.container;

import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The same thing done by Rollcall and by commands, by turns, and a process that does nothing. */
final class AlternatingRuns {
  private static final double MILLI = 1_000_000;

  private final List<Long> ours = new ArrayList<>();
  private final List<Long> commands = new ArrayList<>();
  private final List<Long> nothing = new ArrayList<>();

  /** One of the things that are measured. */
  @FunctionalInterface
  interface Act {
    void run() throws IOException;
  }

  /** Who is first changes, as what is done first may find caches cold. */
  void take(int turn, Act ourAct, Act commandsAct) throws IOException {
    if (turn % 2 == 0) {
      ours.add(time(ourAct));
      commands.add(time(commandsAct));
    } else {
      commands.add(time(commandsAct));
      ours.add(time(ourAct));
    }
    nothing.add(time(() -> Commands.run("true")));
  }

  private static long time(Act act) throws IOException {
    long start = System.nanoTime();
    act.run();
    return System.nanoTime() - start;
  }

  /** The commands are the peer, and the process that does nothing is the floor of any script. */
  BenchCase told(String name) {
    return BenchCase.of(name, "ms", millis(ours))
        .withPeer(millis(commands))
        .withFloor(millis(nothing))
        .withFact("first", ours.getFirst() / MILLI);
  }

  static Figure millis(List<Long> nanos) {
    return Figure.ofSamples(nanos.stream().mapToDouble(each -> each / MILLI).toArray());
  }
}
