package dev.rollcall.testkit.systemd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A container in which systemd is process 1, with journald and D-Bus, the machine's own files under
 * an overlay, and a pure cgroup v2. Ready in a second. It needs root, and systemd and dbus
 * installed; it ends with this process at the latest, and leaves nothing.
 */
public final class SystemdContainer implements AutoCloseable {
  private static final Duration TO_BOOT = Duration.ofSeconds(90);
  private static final Duration TO_END = Duration.ofSeconds(30);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Process script;
  private final Path work;
  private final Path cgroup;
  private final long init;

  private SystemdContainer(Process script, Path work, Path cgroup, long init) {
    this.script = script;
    this.work = work;
    this.cgroup = cgroup;
    this.init = init;
  }

  /**
   * Starts one and waits until it has booted.
   *
   * @param same directories that have to be the same inside, should they be mounts of their own
   */
  public static SystemdContainer start(List<Path> same) {
    String name =
        "rollcall-systemd-%d-%d".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
    try {
      Path work = Files.createTempDirectory(name);
      Path cgroup = cgroup2().resolve(name);
      Path file = work.resolve("container.sh");
      try (InputStream text = SystemdContainer.class.getResourceAsStream("container.sh")) {
        Files.write(file, java.util.Objects.requireNonNull(text).readAllBytes());
      }
      List<String> command =
          new ArrayList<>(List.of("sh", file.toString(), work.toString(), cgroup.toString()));
      same.forEach(path -> command.add(path.toString()));
      Process script =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new SystemdContainer(script, work, cgroup, ready(script));
    } catch (IOException e) {
      throw new RigException("cannot start a container with systemd", e);
    }
  }

  private static Path cgroup2() throws IOException {
    return Files.readAllLines(Path.of("/proc/mounts")).stream()
        .map(line -> line.split(" ", -1))
        .filter(mount -> mount[2].equals("cgroup2"))
        .map(mount -> Path.of(mount[1]))
        .findFirst()
        .orElseThrow(() -> new RigException("cgroup2 is not mounted"));
  }

  private static long ready(Process script) {
    var line = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            line.complete(String.valueOf(script.inputReader(UTF_8).readLine()));
          } catch (IOException e) {
            line.completeExceptionally(e);
          }
        });
    try {
      String said = line.get(TO_BOOT.toSeconds(), TimeUnit.SECONDS);
      if (said.startsWith("ready ")) {
        return Long.parseLong(said.substring("ready ".length()));
      }
      throw new RigException("the container with systemd does not come up");
    } catch (ExecutionException | TimeoutException e) {
      end(script);
      throw new RigException("the container with systemd does not come up", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(script);
      throw new RigException("interrupted while systemd comes up", e);
    }
  }

  /** Runs a command inside, to its end, as root and in no unit: its cgroup is {@code /guest}. */
  public Result run(Duration deadline, String... command) {
    return start(command).await(deadline);
  }

  /** Starts a command inside. */
  public Running start(String... command) {
    List<String> argv =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "echo $$ >\"$1\" && shift && exec \"$@\"",
                "sh",
                cgroup().resolve("guest/cgroup.procs").toString(),
                "nsenter",
                "--target",
                Long.toString(init),
                "--all",
                "--"));
    argv.addAll(List.of(command));
    return Running.start(argv);
  }

  /** The process whose namespaces these are, as this machine numbers it. */
  public long init() {
    return init;
  }

  /** A file or directory of the container, as this machine sees it. */
  public Path file(String path) {
    return Path.of("/proc/" + init + "/root" + path);
  }

  /** Where the container's root cgroup is on this machine. */
  public Path cgroup() {
    return cgroup.resolve("node");
  }

  @Override
  public void close() {
    end(script);
    if (Files.exists(cgroup) || Files.exists(work)) {
      throw new RigException("left of the container: " + cgroup + ", " + work);
    }
  }

  /** The end of its input is its order to end. */
  private static void end(Process script) {
    try {
      script.getOutputStream().close();
      if (!script.waitFor(TO_END.toSeconds(), TimeUnit.SECONDS)) {
        throw new RigException("the container with systemd does not end");
      }
    } catch (IOException e) {
      throw new RigException("the container with systemd cannot be told to end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RigException("interrupted while the container with systemd ends", e);
    }
  }
}
