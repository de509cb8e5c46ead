package dev.rollcall.linux.calls;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the process that holds a socket, by the links in {@code /proc/PID/fd}. */
final class SocketHolder {
  private final Proc proc;

  SocketHolder(Proc proc) {
    this.proc = proc;
  }

  /** The longest running of the candidates that hold it: children inherit, so it was the first. */
  Optional<ProcessRef> of(long inode, Collection<ProcessRef> candidates) {
    return candidates.stream()
        .sorted(Comparator.comparingLong(ProcessRef::startTime))
        // Read before it is checked: so what was read was this process's and not a later one's.
        .filter(candidate -> holds(candidate, inode) && proc.runs(candidate))
        .findFirst();
  }

  private boolean holds(ProcessRef candidate, long inode) {
    String wanted = "socket:[" + inode + "]";
    Path directory = proc.root().resolve(Integer.toString(candidate.pid())).resolve("fd");
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
      for (Path descriptor : descriptors) {
        if (target(descriptor).equals(wanted)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      return false; // the process has ended
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
