package dev.rollcall.load.login;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.cluster.ClusterException;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.User;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The program that stands where sshd does; its source says what it is told. */
record Probe(Path program) {
  private static final Duration COMPILED_WITHIN = Duration.ofSeconds(60);

  /** Compiles it into a directory that every user may look into. */
  static Probe compile(Path directory) {
    Path source = directory.resolve("login_probe.c");
    Path program = directory.resolve("login_probe");
    try (InputStream text = Probe.class.getResourceAsStream("login_probe.c")) {
      if (text == null) {
        throw new BenchFailedException("the source of the login probe is missing");
      }
      Files.copy(text, source);
      Running.run(
              COMPILED_WITHIN,
              List.of(
                  "gcc",
                  "-std=gnu11",
                  "-O2",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-o",
                  program.toString(),
                  source.toString(),
                  "-lpam"))
          .outOrThrow("gcc of the login probe");
      return new Probe(program);
    } catch (IOException | ClusterException e) {
      throw new BenchFailedException("cannot compile the login probe: " + e.getMessage(), e);
    }
  }

  String[] serve(int... ports) {
    var argv = new ArrayList<>(List.of(program.toString(), "serve"));
    for (int port : ports) {
      argv.add(Integer.toString(port));
    }
    return argv.toArray(String[]::new);
  }

  String[] crowd(int processes) {
    return new String[] {program.toString(), "crowd", Integer.toString(processes)};
  }

  String[] call(User user, int rounds, int atOnce, Duration busyWithKeys, List<Target> targets) {
    var argv = new ArrayList<>(List.of(program.toString(), "call", user.login()));
    argv.add(Integer.toString(rounds));
    argv.add(Integer.toString(atOnce));
    argv.add(Long.toString(busyWithKeys.toMillis()));
    targets.forEach(target -> argv.add(target.text()));
    return argv.toArray(String[]::new);
  }
}
