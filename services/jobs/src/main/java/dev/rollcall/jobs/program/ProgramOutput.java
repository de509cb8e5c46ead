package dev.rollcall.jobs.program;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.Pipe;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * The end of what a program says, read while it runs. A process that it leaves may keep the output
 * open, and write: what it says is dropped, for so many of them.
 */
final class ProgramOutput implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ProgramOutput.class.getName());
  private static final int MOST_SAID = 4_096;

  /** The longest character of UTF-8. */
  private static final int MOST_BYTES = 4 * MOST_SAID;

  /** As much as a pipe takes. */
  private static final int MOST_READS = 8;

  /** Each has a thread. */
  static final int MOST_LEFT = 64;

  private static final Semaphore LEFT = new Semaphore(MOST_LEFT);

  private final Object program;
  private final Pipe pipe;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private boolean ended;

  /**
   * @param program for the log
   */
  ProgramOutput(Object program) throws IOException {
    this.program = program;
    this.pipe = Pipe.open();
  }

  /** Where the program writes. */
  File file() {
    return pipe.toWriteTo().toFile();
  }

  /** The program has it open. */
  void begun() {
    pipe.closeWriting();
  }

  /**
   * Reads what is there now, and not all of what is said without end.
   *
   * @return whether that was the last, since nobody has it open any more
   */
  boolean drain() throws IOException {
    for (int read = 0; read < MOST_READS && !ended && pipe.isReadable(); read++) {
      byte[] more = pipe.read();
      ended = more.length == 0;
      said.writeBytes(more);
      if (said.size() > 2 * MOST_BYTES) {
        byte[] all = said.toByteArray();
        said.reset();
        said.writeBytes(Arrays.copyOfRange(all, all.length - MOST_BYTES, all.length));
      }
    }
    return ended;
  }

  /** The end of what was read. */
  String text() {
    String all = said.toString(StandardCharsets.UTF_8).strip();
    return all.substring(Math.max(0, all.length() - MOST_SAID));
  }

  private void drop() {
    try (pipe) {
      while (pipe.read().length > 0) {}
    } catch (IOException e) {
      LOG.log(DEBUG, "output of {0}: {1}", program, e.getMessage());
    } finally {
      LEFT.release();
    }
  }

  /** Leaves it to those who have it open. */
  @Override
  public void close() {
    pipe.closeWriting();
    if (ended) {
      pipe.close();
    } else if (LEFT.tryAcquire()) {
      Thread.ofPlatform().daemon().name("rollcall-output").start(this::drop);
    } else {
      LOG.log(
          WARNING,
          "{0} left a process that has its output open, as {1} others have: it is closed",
          program,
          Integer.toString(MOST_LEFT));
      pipe.close();
    }
  }
}
