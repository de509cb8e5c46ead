package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A job that is open on this node until this is closed. */
record NodeJob(SystemdNode node, long id, User owner) implements AutoCloseable {
  /** Comes as the owner, does something, and goes. */
  Result visit(String command) {
    return node.ssh(owner, command).await(SystemdNode.PATIENCE);
  }

  /** Comes as the owner and stays; the session has begun when this returns. */
  Running stay(String command) {
    // Not below /tmp: jobs have one of their own.
    String mark = "/home/%s/scene-%d-%d".formatted(owner.login(), id, System.nanoTime());
    Running session = node.ssh(owner, "touch " + mark + "; " + command);
    Eventually.await(
        SystemdNode.PATIENCE,
        () -> Files.exists(Path.of(mark)) || !session.isAlive(),
        () -> "the session of job " + id + " does not begin");
    if (!Files.exists(Path.of(mark))) {
      throw new RigException(
          "no session of job %d: %s".formatted(id, session.await(SystemdNode.PATIENCE).err()));
    }
    return session;
  }

  /** The job's own cgroup, on v1 that of the freezer. */
  Path directory() {
    List<Path> all = node.directories("job_" + id);
    List<Path> freezers =
        all.stream().filter(path -> path.startsWith("/sys/fs/cgroup/freezer")).toList();
    List<Path> found = freezers.isEmpty() ? all : freezers;
    if (found.size() != 1) {
      throw new RigException("job %d has the cgroups %s".formatted(id, found));
    }
    return found.getFirst();
  }

  /** A file of the job's own cgroup. */
  String read(String file) {
    try {
      return Files.readString(directory().resolve(file)).strip();
    } catch (IOException e) {
      throw new RigException("cannot read " + file + " of job " + id, e);
    }
  }

  /** A number of a flat keyed file of the job's own cgroup. */
  long number(String file, String key) {
    return keyed(read(file), key);
  }

  /**
   * The largest such number in the job's cgroup and all below: kernels differ in where they count
   * an event.
   */
  long most(String file, String key) {
    return SystemdNode.below(directory(), file).stream()
        .mapToLong(path -> keyed(content(path), key))
        .max()
        .orElse(0);
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private static long keyed(String text, String key) {
    return text.lines()
        .filter(line -> line.startsWith(key + " "))
        .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  /** The pids in the job's cgroup and all below. */
  List<Long> processes() {
    return SystemdNode.below(directory(), "cgroup.procs").stream()
        .flatMap(path -> Arrays.stream(content(path).split("\\s+", -1)))
        .filter(pid -> !pid.isBlank())
        .map(Long::valueOf)
        .toList();
  }

  /** The first process in the job with this command line; 0 if there is none. */
  long pidOf(String command) {
    List<Long> inside = processes();
    return node.pidsOf(command).stream().filter(inside::contains).findFirst().orElse(0L);
  }

  /** At once: no process gets a grace. */
  EndResponse end() {
    return end(Duration.ZERO);
  }

  EndResponse end(Duration grace) {
    return node.end(id, grace);
  }

  @Override
  public void close() {
    var _ = end();
  }
}
