package dev.rollcall.load.container;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Measures the steps of making a container, each from its announcement to the next one. */
final class StepTimes implements Consumer<String> {
  private final Map<String, List<Long>> took = new LinkedHashMap<>();
  private String step = "";
  private long since;

  @Override
  public void accept(String next) {
    long now = System.nanoTime();
    end(now);
    step = general(next);
    since = System.nanoTime();
  }

  /** The container is made. */
  void end() {
    end(System.nanoTime());
    step = "";
  }

  private void end(long now) {
    if (!step.isEmpty()) {
      took.computeIfAbsent(step, _ -> new ArrayList<>()).add(now - since);
    }
  }

  /** A step's name, without the job's number and directories. */
  private static String general(String name) {
    return name.replaceAll("/\\S*/([^/ ]+)", ".../$1").replaceAll("\\d+", "N");
  }

  Map<String, List<Long>> all() {
    return took;
  }
}
