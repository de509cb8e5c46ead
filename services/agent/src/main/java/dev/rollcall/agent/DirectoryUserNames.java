package dev.rollcall.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds the names that directory services such as sssd have for uids, by getent(1). No caller
 * waits: another thread asks, and a later call gets the name. Names are only for people; no
 * decision depends on them. Thread-safe.
 */
final class DirectoryUserNames {
  static final int MOST_KNOWN = 4_096;
  private static final int MOST_WAITING = 256;
  private static final int LONGEST_LINE = 4_096;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long NAME_HOLDS = Duration.ofHours(1).toNanos();
  private static final long NONE_HOLDS = Duration.ofMinutes(10).toNanos();

  /**
   * An answer of the directory.
   *
   * @param name empty if the uid has none there, or if the directory did not answer
   */
  private record Known(String name, long untilNanos) {}

  private final List<String> command;
  private final Duration patience;
  private final LongSupplier nanos;
  private final Executor asking;
  private final Set<Integer> waiting = new HashSet<>();
  private final Map<Integer, Known> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  DirectoryUserNames() {
    this(List.of("getent", "passwd"), PATIENCE, System::nanoTime, oneThread());
  }

  /**
   * @param command prints the line of passwd(5) of the uid that its last argument names
   * @param patience after which the command is killed
   * @param asking runs the lookups
   */
  DirectoryUserNames(List<String> command, Duration patience, LongSupplier nanos, Executor asking) {
    this.command = List.copyOf(command);
    this.patience = patience;
    this.nanos = nanos;
    this.asking = asking;
  }

  /** The thread ends when there is nothing to ask, so that an agent at rest does not have it. */
  private static Executor oneThread() {
    return new ThreadPoolExecutor(
        0,
        1,
        10,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        Thread.ofPlatform().daemon().name("rollcall-names").factory());
  }

  /** Empty if the uid has no name, or none yet. */
  String of(int uid) {
    Known found;
    boolean ask;
    synchronized (this) {
      found = known.getOrDefault(uid, new Known("", nanos.getAsLong()));
      ask =
          found.untilNanos - nanos.getAsLong() <= 0
              && waiting.size() < MOST_WAITING
              && waiting.add(uid);
    }
    if (ask) {
      asking.execute(() -> lookUp(uid));
    }
    return found.name;
  }

  private void lookUp(int uid) {
    String name = ask(Integer.toUnsignedString(uid));
    synchronized (this) {
      known.remove(uid); // so that it is the youngest
      known.put(
          uid, new Known(name, nanos.getAsLong() + (name.isEmpty() ? NONE_HOLDS : NAME_HOLDS)));
      waiting.remove(uid);
    }
  }

  private String ask(String uid) {
    var words = new ArrayList<>(command);
    words.add(uid);
    try {
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try {
        return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)
            ? nameIn(process.getInputStream().readNBytes(LONGEST_LINE), uid)
            : "";
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException unavailable) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** A user can be named like a number, so the line's uid has to be the wanted one. */
  private static String nameIn(byte[] line, String uid) {
    String[] fields = new String(line, StandardCharsets.UTF_8).strip().split(":", -1);
    boolean fits =
        fields.length == 7
            && fields[2].equals(uid)
            && fields[0].chars().noneMatch(Character::isISOControl);
    return fits ? fields[0] : "";
  }
}
