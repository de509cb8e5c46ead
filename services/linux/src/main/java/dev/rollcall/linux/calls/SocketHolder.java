package dev.rollcall.linux.calls;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Finds the processes that hold sockets, by the links in {@code /proc/PID/fd}. A user can have
 * thousands of processes with half a million descriptors each, so a search has bounds.
 */
record SocketHolder(Proc proc, int mostDescriptors, LongSupplier nanoTime) {
  /** Read in some 5 us each. */
  static final int MOST_DESCRIPTORS = 65_536;

  /** Half of the second for which a question within the agent waits. */
  static final Duration MOST_TIME = Duration.ofMillis(500);

  /**
   * The result of a search.
   *
   * @param byInode the process of each socket that was found
   * @param ended the bound, for people, that ended the search before it found all sockets
   */
  record Holders(Map<Long, ProcessRef> byInode, Optional<String> ended) {}

  /** Of each socket the longest running candidate: children inherit, so it was the first. */
  Holders of(List<Long> inodes, Collection<ProcessRef> candidates) {
    var search = new Search(inodes);
    List<ProcessRef> oldestFirst =
        candidates.stream().sorted(Comparator.comparingLong(ProcessRef::startTime)).toList();
    for (ProcessRef candidate : oldestFirst) {
      if (search.isOver()) {
        break;
      }
      search.read(candidate);
    }
    return new Holders(search.found, search.ended());
  }

  /** One search for some sockets. */
  private final class Search {
    private final Map<String, Long> wanted = new HashMap<>(); // inodes by the link's text
    private final Map<Long, ProcessRef> found = new HashMap<>();
    private final long began = nanoTime.getAsLong();
    private int descriptors;
    private Optional<String> bound = Optional.empty();

    Search(List<Long> inodes) {
      inodes.forEach(inode -> wanted.put("socket:[" + inode + "]", inode));
    }

    boolean isOver() {
      if (descriptors >= mostDescriptors) {
        bound = Optional.of(mostDescriptors + " descriptors");
      } else if (nanoTime.getAsLong() - began > MOST_TIME.toNanos()) {
        bound = Optional.of(MOST_TIME.toMillis() + " ms");
      }
      return wanted.isEmpty() || bound.isPresent();
    }

    Optional<String> ended() {
      return wanted.isEmpty() ? Optional.empty() : bound;
    }

    void read(ProcessRef candidate) {
      Set<String> held = held(candidate);
      // Read before it is checked: so what was read was this process's and not a later one's.
      if (!held.isEmpty() && proc.runs(candidate)) {
        held.forEach(link -> found.put(wanted.remove(link), candidate));
      }
    }

    private Set<String> held(ProcessRef candidate) {
      Set<String> held = new HashSet<>();
      Path directory = proc.root().resolve(Integer.toString(candidate.pid())).resolve("fd");
      try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
        for (Path descriptor : all) {
          if (isOver() || held.size() == wanted.size()) {
            break;
          }
          descriptors++;
          String link = target(descriptor);
          if (wanted.containsKey(link)) {
            held.add(link);
          }
        }
      } catch (IOException | DirectoryIteratorException ended) {
        return held;
      }
      return held;
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
