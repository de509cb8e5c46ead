package dev.rollcall.jobs.untrusted;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.TerminalMessage;
import dev.rollcall.model.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;

/** Sends messages to the terminals of jobs. A terminal that hangs holds up nobody. Thread-safe. */
public final class TerminalSender {
  /** The processes whose terminals are meant; asked on the thread that writes. */
  @FunctionalInterface
  public interface Processes {
    Collection<Integer> pids() throws IOException;
  }

  private final Proc proc;
  private final UntrustedWork threads = new UntrustedWork("terminals", "users may miss a message");

  /**
   * @param proc where terminals of processes are found
   */
  public TerminalSender(Proc proc) {
    this.proc = proc;
  }

  /**
   * Sends a message, and waits for it at most so long.
   *
   * @return how many terminals have taken it by then
   */
  public int send(Job job, String text, Processes processes, Duration atMost) {
    return threads.within(job, atMost, () -> write(text, processes)).orElse(0);
  }

  /** Sends a message. Returns at once. */
  public void send(Job job, String text, Processes processes) {
    var _ = threads.begin(job, () -> write(text, processes));
  }

  private int write(String text, Processes processes) throws IOException {
    return new TerminalMessage(proc, text).writeTo(processes.pids());
  }
}
