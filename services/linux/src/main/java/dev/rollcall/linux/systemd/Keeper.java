package dev.rollcall.linux.systemd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The process that keeps the scope: a scope ends with its last process. It is {@code sleep
 * infinity}, a child of nobody, which costs about 100 kB and never wakes; it outlives the agent,
 * and the kernel takes it last when memory is short.
 */
final class Keeper {
  /** Tells a keeper from any other sleep, in its environment. */
  private static final String MARK = "ROLLCALL_KEEPER";

  private static final int SIGKILL = 9;
  private static final Duration START = Duration.ofSeconds(60);

  /**
   * Says its own pid and becomes the keeper in the background, so that it is no child of the agent.
   * Lowering the score needs CAP_SYS_RESOURCE, or a unit that has lowered it: proc(5).
   */
  private static final String SCRIPT =
      """
      cd /
      echo -999 2>/dev/null >/proc/self/oom_score_adj
      setsid sleep infinity </dev/null >/dev/null 2>&1 &
      echo $!
      """;

  private Keeper() {}

  /** Starts one, in the cgroup of this process; it has become what it is to be. */
  static ProcessRef start(Proc proc, String scope) throws IOException {
    int pid = spawn(scope);
    // During an execve(2) the kernel shows no environment, and a keeper would not be taken for one.
    BoundedWait patience = BoundedWait.of(START);
    while (!(sleeps(proc, pid) && is(proc, pid, scope))) {
      if (!patience.pause()) {
        throw new IOException("process " + pid + " does not become the keeper of " + scope);
      }
    }
    return proc.ref(pid)
        .orElseThrow(() -> new IOException("the keeper of " + scope + " ended at once"));
  }

  private static boolean sleeps(Proc proc, int pid) throws IOException {
    Path process = proc.root().resolve(Integer.toString(pid));
    try {
      return Files.readString(process.resolve("cmdline"), ISO_8859_1).startsWith("sleep\0");
    } catch (NoSuchFileException e) {
      throw new IOException("process " + pid + ", to be the keeper, ended at once", e);
    }
  }

  private static int spawn(String scope) throws IOException {
    var builder =
        new ProcessBuilder("/bin/sh", "-c", SCRIPT).redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear();
    environment.put("PATH", path);
    environment.put(MARK, scope);
    Process shell = builder.start();
    try (var said = shell.inputReader(US_ASCII)) {
      shell.getOutputStream().close();
      String pid = said.readLine();
      if (pid == null || !pid.matches("[0-9]{1,9}")) {
        throw new IOException("the keeper of " + scope + " did not start: /bin/sh said " + pid);
      }
      if (!shell.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("the shell that starts the keeper of " + scope + " does not end");
      }
      return Integer.parseInt(pid);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting the keeper of " + scope, e);
    } finally {
      shell.destroyForcibly();
    }
  }

  /** The keepers among the processes right in this directory. */
  static List<ProcessRef> in(Proc proc, CgroupDirectory directory, String scope)
      throws IOException {
    return directory.pids().stream()
        .filter(pid -> is(proc, pid, scope))
        .map(proc::ref)
        .flatMap(Optional::stream)
        .filter(proc::runs)
        .toList();
  }

  /** Whether this process is a keeper of the scope, or is about to become it. */
  static boolean is(Proc proc, int pid, String scope) {
    Path environment = proc.root().resolve(Integer.toString(pid)).resolve("environ");
    try {
      return Arrays.asList(Files.readString(environment, ISO_8859_1).split("\0", -1))
          .contains(MARK + "=" + scope);
    } catch (IOException ended) {
      return false;
    }
  }

  /** Ends the keeper, and never a later process with its pid. */
  static void end(Proc proc, ProcessRef keeper) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, keeper);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        process.signal(SIGKILL);
      }
    }
  }
}
