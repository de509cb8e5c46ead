package dev.rollcall.jobs.program;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program of the site as root, with the given variables and PATH only. */
public final class SiteProgram {
  private static final System.Logger LOG = System.getLogger(SiteProgram.class.getName());
  private static final int MOST_SAID = 4_096;

  /** For the last words of a program that ended. */
  private static final Duration TO_READ = Duration.ofMillis(200);

  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private SiteProgram() {}

  /**
   * Runs it to its end. It is killed, with its children, when its time is over or this thread is
   * interrupted.
   *
   * @return the end of its output, at most 4,096 characters
   * @throws IOException naming it, if it cannot be run, does not end in time or ends with another
   *     status than 0; then with the end of its output
   */
  public static String run(Path program, Map<String, String> variables, Duration most)
      throws IOException {
    var builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", PATH);
    environment.putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      return ended(process, program, most);
    } catch (InterruptedException e) {
      kill(process);
      Thread.currentThread().interrupt();
      throw new IOException(program + ": the agent stops", e);
    }
  }

  private static String ended(Process process, Path program, Duration most)
      throws IOException, InterruptedException {
    var said = new Said(process);
    if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
      kill(process);
      throw new IOException(program + " did not end within " + words(most));
    }
    String text = said.text();
    if (process.exitValue() != 0) {
      String more = text.isEmpty() ? "" : ": " + text;
      throw new IOException(program + " ended with status " + process.exitValue() + more);
    }
    return text;
  }

  private static String words(Duration most) {
    return most.toMillisPart() == 0 ? most.toSeconds() + " s" : most.toMillis() + " ms";
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** The end of what a process says, read while it runs. A child that it leaves may go on. */
  private static final class Said {
    private final StringBuilder text = new StringBuilder();
    private final Thread reader;

    Said(Process process) {
      reader = Thread.ofVirtual().start(() -> read(process));
    }

    private void read(Process process) {
      try (Reader from = process.inputReader(StandardCharsets.UTF_8)) {
        for (int next = from.read(); next >= 0; next = from.read()) {
          add((char) next);
        }
      } catch (IOException ended) {
        LOG.log(DEBUG, "output of a script: {0}", ended.getMessage());
      }
    }

    private synchronized void add(char next) {
      text.append(next);
      if (text.length() > 2 * MOST_SAID) {
        text.delete(0, MOST_SAID);
      }
    }

    String text() throws InterruptedException {
      reader.join(TO_READ);
      synchronized (this) {
        String all = text.toString().strip();
        return all.substring(Math.max(0, all.length() - MOST_SAID));
      }
    }
  }
}
