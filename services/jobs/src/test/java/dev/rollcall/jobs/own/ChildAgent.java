package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Native jobs in a JVM of their own, which can be killed. Reads {@code <verb> <job> [<number>]}
 * from standard input, four at a time, and prints each with its result when it has one.
 */
final class ChildAgent {
  private final NativeJobs jobs;
  private final Path state;

  private ChildAgent(NativeJobs jobs, Path state) {
    this.jobs = jobs;
    this.state = state;
  }

  public static void main(String[] arguments) throws IOException {
    Path state = Path.of(arguments[2]);
    Optional<Path> root = Optional.of(Path.of(arguments[1]));
    var tree = new TreeConfig(root, Choice.valueOf(arguments[0]), Path.of("/proc"));
    NativeJobsConfig config = Rig.config(tree, state, Rig.BOOT, NativeJobsConfig.Site.OPEN);
    try (NativeJobs jobs = NativeJobs.open(config);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ChildAgent agent = new ChildAgent(jobs, state);
      say("ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String command = line;
        pool.execute(() -> say(command + " = " + agent.result(command.split(" ", -1))));
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private Object result(String[] words) {
    try {
      JobId job = new JobId(Long.parseLong(words[1]));
      return switch (words[0]) {
        case "begin" -> {
          int uid = Integer.parseInt(words[2]);
          yield jobs.begin(new JobSpec(job, uid, uid, Instant.EPOCH));
        }
        case "adopt" -> {
          Optional<Pidfd> process = Pidfd.open(Rig.PROC, Integer.parseInt(words[2]));
          int uid = Integer.parseInt(words[3]);
          yield process.isEmpty() ? "no process" : jobs.adopt(process.get(), job, uid);
        }
        case "end" -> jobs.end(job, Rig.LONG);
        case "memory" ->
            jobs.limit(job, Optional.empty(), LimitsTest.memory(Long.parseLong(words[2])));
        case "step" -> jobs.beginStep(job, Optional.empty());
        case "fill" -> fill();
        case "readonly" -> readOnly();
        default -> throw new IllegalArgumentException(words[0]);
      };
    } catch (IOException | InterruptedException e) {
      return e;
    }
  }

  /** Makes the mounts of all cgroup hierarchies read-only, for whoever shares the namespace. */
  private static int readOnly() throws IOException, InterruptedException {
    String script =
        "for m in $(grep -E ' - cgroup2? ' /proc/self/mountinfo | cut -d' ' -f5); do"
            + " mount --bind $m $m && mount -o remount,bind,ro $m || exit 1; done";
    return new ProcessBuilder("sh", "-c", script)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Leaves no byte free on the file system of the state directory. */
  private String fill() throws IOException {
    try (var out = Files.newOutputStream(state.resolve("filler"))) {
      while (true) {
        out.write(0);
      }
    } catch (IOException full) {
      return String.valueOf(full.getMessage());
    }
  }
}
