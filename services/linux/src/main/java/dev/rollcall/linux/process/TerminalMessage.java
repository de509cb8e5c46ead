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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes one line to the terminals of processes. It touches no file of theirs: a file that a
 * process has open may be on a file system that never answers. The number of the terminal is in
 * {@code /proc/PID/stat}, and the terminal is opened below this process's own {@code /dev/pts}. In
 * another devpts the same number is another terminal; so it gets the line only if its owner is the
 * process's real user. A terminal that takes nothing now (stopped by Ctrl-S, its reader gone) is
 * left out.
 */
public final class TerminalMessage {
  private static final System.Logger LOG = System.getLogger(TerminalMessage.class.getName());

  /** The major number of all Unix98 terminals; the minor one is the name in devpts, pty(7). */
  private static final long PTS_MAJOR = 136;

  private static final int LONGEST = 1_000;

  private final Proc proc;
  private final Path devpts;
  private final byte[] line;

  /**
   * @param text one line; control characters in it are left out
   */
  public TerminalMessage(Proc proc, String text) {
    this(proc, Path.of("/dev/pts"), text);
  }

  /**
   * @param devpts a mounted devpts
   */
  TerminalMessage(Proc proc, Path devpts, String text) {
    this.proc = proc;
    this.devpts = devpts;
    this.line = ("\r\n" + printable(text) + "\r\n").getBytes(UTF_8);
  }

  private static String printable(String text) {
    String clean = text.replaceAll("[\\p{Cntrl}\u0080-\u009f]+", " ").strip();
    return clean.length() > LONGEST ? clean.substring(0, LONGEST) : clean;
  }

  /**
   * Writes it once to each terminal that controls one of these processes.
   *
   * @return how many terminals took it
   */
  public int writeTo(Collection<Integer> pids) {
    Set<Long> tried = new HashSet<>();
    int took = 0;
    for (int pid : pids) {
      OptionalLong device = proc.terminal(pid);
      if (device.isPresent() && !tried.contains(device.getAsLong())) {
        Optional<Path> terminal = named(device.getAsLong()).filter(path -> isOf(pid, path));
        if (terminal.isPresent()) {
          tried.add(device.getAsLong());
          took += reached(pid, device.getAsLong(), terminal.get()) ? 1 : 0;
        }
      }
    }
    return took;
  }

  private Optional<Path> named(long device) {
    long major = (device >> 8) & 0xfff;
    long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
    return major == PTS_MAJOR
        ? Optional.of(devpts.resolve(Long.toString(minor)))
        : Optional.empty();
  }

  private boolean isOf(int pid, Path terminal) {
    try {
      int owner = (Integer) Files.getAttribute(terminal, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      return proc.status(pid).filter(status -> status.realUid() == owner).isPresent();
    } catch (IOException none) {
      return false;
    }
  }

  /** What is open keeps its number: if all is as it was after the opening, it is the one meant. */
  private boolean reached(int pid, long device, Path path) {
    Optional<ProcessRef> process = proc.ref(pid);
    try (Descriptor terminal = Descriptor.openTerminal(path)) {
      Object opened = Files.getAttribute(terminal.own(), "unix:rdev");
      boolean same =
          opened.equals(device)
              && isOf(pid, path)
              && process.filter(proc::runs).isPresent()
              && proc.terminal(pid).equals(OptionalLong.of(device));
      return same && write(terminal);
    } catch (IOException gone) {
      LOG.log(DEBUG, "terminal of process {0}: {1}", pid, gone.getMessage());
      return false;
    }
  }

  private boolean write(Descriptor terminal) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, line);
      return Syscall.WRITE.call(terminal.number(), bytes.address(), line.length) > 0;
    }
  }
}
