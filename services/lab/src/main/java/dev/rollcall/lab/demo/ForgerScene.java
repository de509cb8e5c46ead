package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * Users who make a network namespace of their own, in which they are both nodes, and call there
 * from every port that a real call can come from. One of them is alice herself, from her newer job:
 * if her forgeries counted, they would name a job that is hers.
 */
final class ForgerScene {
  private static final Duration DEADLINE = Patience.ofSeconds(20);
  private static final String FIRST = "40000";
  private static final String LAST = "40063";
  private static final int SESSIONS = 3;

  /** Not below /tmp: jobs have one of their own. */
  private static final String SCRIPT = "/run/forger.pl";

  private final Stage stage;
  private final Path script;

  private ForgerScene(Stage stage) {
    this.stage = stage;
    this.script = stage.node1().file(SCRIPT);
  }

  static Outcome play(Stage stage) {
    return new ForgerScene(stage).play();
  }

  private Outcome play() {
    install();
    try (var hers = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
        var his = stage.begin(1, User.CAROL, stage.node1())) {
      // So few ports that each one alice's ssh can get is forged again and again.
      String before = ports(FIRST + " " + LAST);
      InJob alice = forge(hers.newest(), User.ALICE);
      InJob carol = forge(his.newest(), User.CAROL);
      try {
        await(User.ALICE, alice);
        await(User.CAROL, carol);
        Outcome outcome = sessions(hers.oldest());
        return alice.isAlive() && carol.isAlive()
            ? outcome
            : new Outcome(false, "forgers at work all the time", "one ended", outcome.millis());
      } finally {
        alice.kill();
        carol.kill();
        ports(before);
      }
    }
  }

  private Outcome sessions(long job) {
    Visit[] visits =
        Stream.generate(() -> stage.fromJob(job, "node2")).limit(SESSIONS).toArray(Visit[]::new);
    return Outcome.places(String.join(", ", Collections.nCopies(SESSIONS, "job " + job)), visits);
  }

  private InJob forge(long job, User user) {
    return stage.startInJob(
        stage.node1(),
        job,
        user,
        "nice",
        "-n",
        "19",
        "unshare",
        "-Urn",
        "perl",
        SCRIPT,
        NodeAddress.NODE1.v4(),
        NodeAddress.NODE2.v4(),
        FIRST,
        LAST,
        mark(user));
  }

  private static String mark(User user) {
    return "/home/" + user.login() + "/forging";
  }

  private void await(User user, InJob forger) {
    Path mark = stage.node1().file(mark(user));
    if (!Eventually.holds(DEADLINE, () -> Files.exists(mark) || !forger.isAlive())
        || !forger.isAlive()) {
      forger.kill();
      throw new RigException(
          user.login() + " cannot forge: " + forger.await(DEADLINE).err().strip());
    }
    try {
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      throw new RigException("cannot remove " + mark, e);
    }
  }

  /** Sets the range of node1's ephemeral ports and returns what it was. */
  private String ports(String range) {
    return stage
        .node1()
        .shell(
            User.ROOT,
            "f=/proc/sys/net/ipv4/ip_local_port_range; cat $f; echo '" + range + "' > $f")
        .outOrThrow("setting node1's ports")
        .strip();
  }

  private void install() {
    try (InputStream resource = ForgerScene.class.getResourceAsStream("forger.pl")) {
      if (resource == null) {
        throw new RigException("resource forger.pl is missing");
      }
      Files.write(script, resource.readAllBytes());
    } catch (IOException e) {
      throw new RigException("cannot write " + script, e);
    }
  }
}
