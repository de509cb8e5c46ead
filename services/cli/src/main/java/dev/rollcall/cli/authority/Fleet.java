package dev.rollcall.cli.authority;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.settings.Hostlist;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Works for many holders in parallel, shows the progress on standard error once a second, and
 * prints the result. A failure of one holder does not stop the others. A file that cannot be read
 * or written does: the same would happen to all.
 */
final class Fleet {
  /** Most wait for a name server or a disk. */
  private static final int AT_ONCE = 32;

  /** What is done for the holder of a name; returns whether a certificate was issued. */
  interface Work {
    boolean of(String name) throws IOException, dev.rollcall.authority.AuthorityException;
  }

  private final List<String> names;
  private final Work work;
  private final Set<String> issued = new ConcurrentSkipListSet<>();
  private final Set<String> kept = new ConcurrentSkipListSet<>();
  private final Map<String, String> failed = new ConcurrentSkipListMap<>();
  private final Set<String> left; // nothing was tried for them
  private volatile boolean stopped;

  private Fleet(List<String> names, Work work) {
    this.names = names;
    this.left = new ConcurrentSkipListSet<>(names);
    this.work = work;
  }

  /** Works for all names, and returns the exit status. */
  static int run(Printing printing, Collection<String> names, Work work) {
    var fleet = new Fleet(List.copyOf(names), work);
    fleet.workAll(printing);
    return fleet.print(printing);
  }

  private void workAll(Printing printing) {
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      names.forEach(name -> threads.execute(() -> one(name)));
      threads.shutdown();
      while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        printing.note((names.size() - left.size()) + " of " + names.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
    }
  }

  private void one(String name) {
    if (stopped) {
      return;
    }
    try {
      (CaDirectory.named(() -> work.of(name)) ? issued : kept).add(name);
    } catch (CommandFailure e) {
      failed.put(name, e.line());
      if (e.getCause() instanceof IOException) {
        stopped = true;
      }
    } catch (RuntimeException e) {
      failed.put(name, e.toString());
    }
    left.remove(name);
  }

  private int print(Printing printing) {
    failed.forEach((name, why) -> printing.note(name + ": " + why));
    if (!left.isEmpty()) {
      printing.note(
          "stopped before %s: repair the cause, and run the command again"
              .formatted(Hostlist.fold(left)));
    }
    printing.print(
        String.join(
            System.lineSeparator(),
            "issued: " + text(issued),
            "left as they are: " + text(kept),
            "failed: " + text(failed.keySet())),
        new JsonFields()
            .with("issued", List.copyOf(issued))
            .with("kept", List.copyOf(kept))
            .with("failed", List.copyOf(failed.keySet()))
            .with("not_tried", List.copyOf(left)));
    return (failed.isEmpty() && left.isEmpty() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  private static String text(Collection<String> names) {
    return names.isEmpty() ? "none" : names.size() + ", " + Hostlist.fold(names);
  }
}
