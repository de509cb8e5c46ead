package dev.rollcall.linux.process;

import static java.lang.System.Logger.Level.DEBUG;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One line on the terminals of processes. A terminal is reached through a descriptor that such a
 * process has open ({@code /proc/PID/fd/N}), never by its name: in another mount namespace {@code
 * /dev/pts/3} is somebody else's terminal. Nothing here waits: a terminal that takes nothing now
 * (stopped by Ctrl-S, its reader gone) is left out.
 */
public final class TerminalMessage {
  private static final System.Logger LOG = System.getLogger(TerminalMessage.class.getName());

  /** A shell has its terminal among the first; more are not looked at. */
  private static final int DESCRIPTORS_LOOKED_AT = 64;

  private static final int LONGEST = 1_000;

  private final Proc proc;
  private final byte[] line;

  /**
   * @param text one line; control characters in it are left out
   */
  public TerminalMessage(Proc proc, String text) {
    this.proc = proc;
    this.line = ("\r\n" + printable(text) + "\r\n").getBytes(UTF_8);
  }

  private static String printable(String text) {
    String clean = text.replaceAll("[\\p{Cntrl}\u0080-\u009f]+", " ").strip();
    return clean.length() > LONGEST ? clean.substring(0, LONGEST) : clean;
  }

  /** A terminal as two stats tell it apart: the file system it is in, and its device number. */
  private record Terminal(long fileSystem, long device) {
    static Terminal behind(Path descriptor) throws IOException {
      return new Terminal(number(descriptor, "unix:dev"), number(descriptor, "unix:rdev"));
    }

    private static long number(Path path, String attribute) throws IOException {
      return ((Number) Files.getAttribute(path, attribute)).longValue();
    }
  }

  /**
   * Writes it once to each terminal that controls one of these processes.
   *
   * @return how many terminals took it
   */
  public int writeTo(Collection<Integer> pids) {
    Set<Terminal> reached = new HashSet<>();
    for (int pid : pids) {
      OptionalLong device = proc.terminal(pid);
      if (device.isPresent()) {
        reach(pid, device.getAsLong(), reached);
      }
    }
    return reached.size();
  }

  private void reach(int pid, long device, Set<Terminal> reached) {
    Optional<ProcessRef> process = proc.ref(pid);
    for (Path descriptor : descriptors(pid)) {
      // Held first: the process may make its descriptor another file's between look and opening,
      // and opening some devices does something.
      try (Descriptor held = Descriptor.hold(descriptor)) {
        Terminal terminal = Terminal.behind(held.own());
        if (terminal.device() != device) {
          continue;
        }
        if (!reached.contains(terminal) && write(held.own(), process)) {
          reached.add(terminal);
        }
        return;
      } catch (IOException gone) {
        LOG.log(DEBUG, "terminal of process {0}: {1}", pid, gone.getMessage());
      }
    }
  }

  private List<Path> descriptors(int pid) {
    List<Path> found = new ArrayList<>();
    Path directory = proc.root().resolve(Integer.toString(pid)).resolve("fd");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (found.size() == DESCRIPTORS_LOOKED_AT) {
          break;
        }
        found.add(entry);
      }
    } catch (IOException ended) {
      return List.of();
    }
    return found;
  }

  /**
   * @param process whose descriptor it was: after the opening it must still be there, so that the
   *     pid meant it and no later process
   */
  private boolean write(Path held, Optional<ProcessRef> process) throws ErrnoException {
    try (Descriptor terminal = Descriptor.openTerminal(held);
        Arena arena = Arena.ofConfined()) {
      if (process.isEmpty() || !proc.runs(process.get())) {
        return false;
      }
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, line);
      long written = Syscall.WRITE.call(terminal.number(), bytes.address(), line.length);
      return written > 0;
    }
  }
}
