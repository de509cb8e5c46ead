package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A program of an attacker's on a node, until it is closed. It says what it has reached. */
public record Attack(Running program) implements AutoCloseable {
  public static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int MOST_TRIES = 20;
  private static final Pattern BUSY = Pattern.compile("try again|timed out during banner exchange");

  /** Where users of different jobs can meet: jobs have a /tmp of their own. */
  public static final String MEETING = "/run/meeting";

  /** Starts a script of this package as a step of a job. */
  public static Attack inJob(
      Stage stage, ClusterNode node, long job, User user, String script, String... arguments) {
    return through(stage.agents().beginStep(node, job), node, user, script, arguments);
  }

  /** Starts a script outside every job. */
  public static Attack outside(ClusterNode node, User user, String script, String... arguments) {
    return through(StepSocketFile.of(node.leaf("exec")), node, user, script, arguments);
  }

  public static Attack through(
      StepSocketFile step, ClusterNode node, User user, String script, String... arguments) {
    return new Attack(node.startIn(step, user, words(node, script, arguments)));
  }

  /** Starts a script as root of a user and a network namespace of the user's own. */
  public static Attack inOwnNetwork(
      Stage stage, ClusterNode node, long job, User user, String script, String... arguments) {
    var words = new ArrayList<>(List.of("nice", "-n", "19", "unshare", "-Urn"));
    words.addAll(List.of(words(node, script, arguments)));
    return new Attack(
        node.startIn(stage.agents().beginStep(node, job), user, words.toArray(String[]::new)));
  }

  /**
   * ssh from a step of a job. A login that the login socket has no time for, or that a flooded sshd
   * does not greet, tries again as a user would.
   */
  public static Result sshInJob(
      Stage stage, ClusterNode node, long job, User user, String... words) {
    var argv = new ArrayList<>(List.of("ssh", "-o", "StrictHostKeyChecking=no"));
    argv.addAll(List.of(words));
    Result result;
    int tries = 0;
    do {
      result =
          node.startIn(stage.agents().beginStep(node, job), user, argv.toArray(String[]::new))
              .await(DEADLINE);
      tries++;
    } while (tries < MOST_TRIES && !result.ok() && BUSY.matcher(result.err()).find());
    return result;
  }

  private static String[] words(ClusterNode node, String script, String... arguments) {
    var words = new ArrayList<>(List.of("python3", install(node, script)));
    words.addAll(List.of(arguments));
    return words.toArray(String[]::new);
  }

  /**
   * Copies a script to where every user of the node can read it.
   *
   * @param script relative to this package: {@code scan.py}, {@code memory/partial.py}
   */
  public static String install(ClusterNode node, String script) {
    try (InputStream resource = Attack.class.getResourceAsStream(script)) {
      Path meeting = Files.createDirectories(node.file(MEETING));
      Files.setPosixFilePermissions(meeting, PosixFilePermissions.fromString("rwxrwxrwx"));
      String file = "/run/" + Path.of(script).getFileName();
      Files.write(node.file(file), resource.readAllBytes());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has said a line with this. */
  public Attack says(String text) {
    program.awaitLine(text, DEADLINE);
    return this;
  }

  /** The rest of the first line that begins with this word. */
  public String told(String word) {
    return program
        .outSoFar()
        .lines()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no '" + word + "' in " + program.outSoFar()));
  }

  /** An attack that is over by itself would prove nothing. */
  public void isAtWork() {
    assertTrue(program.isAlive(), () -> "the attack is over: " + program.await(DEADLINE));
  }

  public Result end() {
    return program.await(DEADLINE);
  }

  public void kill() {
    program.kill();
  }

  @Override
  public void close() {
    kill();
  }
}
