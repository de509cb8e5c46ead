package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a site's scripts, as root, with the variables that Slurm gives them and no others of ours.
 *
 * @param node the variable SLURMD_NODENAME
 */
record SiteScripts(String node) {
  private static final System.Logger LOG = System.getLogger(SiteScripts.class.getName());
  private static final int MOST_SAID = 4_096;

  /** For the last words of a script that ended. */
  private static final Duration TO_READ = Duration.ofMillis(200);

  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /**
   * Runs one to its end.
   *
   * @param home the variable SLURM_JOB_MOUNTPOINT_SRC
   * @param namespace the variable SLURM_NS, once there is one
   * @throws IOException naming it, if it cannot be run, does not end in time or ends with another
   *     status than 0; then with what it said last
   */
  void run(SiteScript script, OwnerJob owner, Path home, Optional<Path> namespace)
      throws IOException {
    var builder = new ProcessBuilder(script.path().toString()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.put("PATH", PATH);
    environment.put("SLURM_JOB_ID", owner.job().toString());
    environment.put("SLURM_JOB_UID", Integer.toUnsignedString(owner.uid()));
    environment.put("SLURM_JOB_GID", Integer.toUnsignedString(owner.gid()));
    environment.put("SLURM_JOB_USER", owner.user());
    environment.put("SLURMD_NODENAME", node);
    environment.put("SLURM_JOB_MOUNTPOINT_SRC", home.toString());
    namespace.ifPresent(file -> environment.put("SLURM_NS", file.toString()));
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      String text = ended(process, script);
      if (!text.isEmpty()) {
        LOG.log(INFO, "{0} for job {1}: {2}", script.path(), owner.job(), text);
      }
    } catch (InterruptedException e) {
      kill(process);
      Thread.currentThread().interrupt();
      throw new IOException(script.path() + ": the agent stops", e);
    }
  }

  private static String ended(Process process, SiteScript script)
      throws IOException, InterruptedException {
    var said = new Said(process);
    if (!process.waitFor(script.patience().toMillis(), TimeUnit.MILLISECONDS)) {
      kill(process);
      throw new IOException(script.path() + " did not end within " + words(script.patience()));
    }
    String text = said.text();
    if (process.exitValue() != 0) {
      String more = text.isEmpty() ? "" : ": " + text;
      throw new IOException(script.path() + " ended with status " + process.exitValue() + more);
    }
    return text;
  }

  private static String words(Duration patience) {
    return patience.toMillisPart() == 0 ? patience.toSeconds() + " s" : patience.toMillis() + " ms";
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
        LOG.log(DEBUG, "what a script says: {0}", ended.getMessage());
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
