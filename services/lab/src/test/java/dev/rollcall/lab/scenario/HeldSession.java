package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.InJob;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A session from a job on node1 to node2 that stays until it is closed. */
public record HeldSession(InJob ssh, ClusterNode at, long pid, Connection connection)
    implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** Alice's. */
  static HeldSession open(Stage stage, long job) {
    return open(stage, User.ALICE, job);
  }

  public static HeldSession open(Stage stage, User user, long job) {
    String file = "/home/" + user.login() + "/held-session";
    Path told = stage.node1().file(file);
    InJob ssh =
        stage.startInJob(
            stage.node1(),
            job,
            user,
            "ssh",
            "node2",
            "echo $$ $SSH_CONNECTION > %1$s.new; mv %1$s.new %1$s; exec sleep 600".formatted(file));
    Eventually.await(DEADLINE, () -> Files.exists(told), () -> "no session: " + ssh.isAlive());
    try {
      List<String> words = List.of(Files.readString(told).strip().split(" ", -1));
      Files.delete(told);
      return new HeldSession(
          ssh,
          stage.node2(),
          Long.parseLong(words.get(0)),
          new Connection(
              Protocol.TCP,
              Endpoint.parse(words.get(1) + ":" + words.get(2)),
              Endpoint.parse(words.get(3) + ":" + words.get(4))));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + told, e);
    }
  }

  public boolean sessionIsAlive() {
    return ProcessStart.isAlive(pid);
  }

  /** "job 7", or the cgroup that is no job's. */
  public String place() {
    return Storm.place(at.cgroupOf(pid));
  }

  @Override
  public void close() {
    ssh.kill();
  }
}
