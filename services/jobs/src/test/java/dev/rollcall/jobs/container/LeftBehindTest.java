package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static dev.rollcall.jobs.container.ContainerRig.said;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.Removals.Stuck;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.testkit.process.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a job's user, or root, leaves in its /tmp when it ends. */
@Tag("root")
class LeftBehindTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final Gate gate = new Gate();

  /** A container's life with this clock and this gate. */
  private final class Life implements AutoCloseable {
    final ContainerRig rig = new ContainerRig();
    final Removals removals = Removals.open("node1", now::get, gate);
    final JobContainers containers = rig.open(removals);
    final Path precious = Files.createDirectory(rig.top.resolve("precious"));
    final Path gone = rig.base.resolve(".rollcall-node1/gone-42-1");

    Life() throws IOException {
      Files.writeString(precious.resolve("file"), "precious");
      containers.create(job(42), ALICE, ALICE);
    }

    /** Ends job 42 while nothing is removed, and begins the next one, which has to be empty. */
    void endAndNext() throws IOException {
      gate.shut();
      containers.delete(job(42), ALICE, ALICE);
      containers.create(job(42), BOB, BOB);
      assertTrue(Files.isDirectory(gone.resolve("_tmp")));
      assertEquals("", rig.inside(42, BOB, "ls -A /tmp; touch /tmp/bobs"));
      gate.open();
    }

    void later() {
      now.updateAndGet(it -> it.plus(RemovalQueue.AGAIN));
      removals.wake();
    }

    void await(List<Stuck> stuck) {
      Eventually.await(
          PATIENCE,
          () -> containers.removing().waiting() == 0 && containers.removing().stuck().equals(stuck),
          () -> containers.removing().toString());
    }

    Stuck stuckWith(String name, String reason) {
      return new Stuck(gone, List.of(new Left("_tmp/" + name, reason)), 1);
    }

    /** The next job is whole, and when it ends nothing is left but what was outside. */
    void nothingIsLeft() throws IOException {
      assertEquals("bobs", rig.inside(42, BOB, "ls -A /tmp"));
      containers.delete(job(42), BOB, BOB);
      rig.awaitEmptyBase();
      assertEquals("precious", Files.readString(precious.resolve("file")));
    }

    @Override
    public void close() throws IOException {
      gate.open();
      rig.close();
    }
  }

  /** Mode, owner and times of what links lead to. */
  private static String outside(Path precious) throws IOException {
    return said(
        "stat",
        "-c",
        "%n %a %u %g %Y %Z %h",
        "/etc",
        "/etc/passwd",
        precious + "",
        precious + "/file");
  }

  @Test
  void linksLeadNowhere() throws IOException {
    try (Life life = new Life()) {
      String before = outside(life.precious);
      life.rig.inside(
          42,
          ALICE,
          "cd /tmp; ln -s /etc etc; ln -s /etc/passwd passwd; ln -s %s precious; mkdir a; ln -s ../.. a/up"
              .formatted(life.precious));
      life.endAndNext();
      life.await(List.of());
      assertEquals(before, outside(life.precious));
      life.nothingIsLeft();
    }
  }

  @Test
  void namesAreAnyBytes() throws IOException {
    try (Life life = new Life()) {
      life.rig.inside(
          42,
          ALICE,
          """
          cd /tmp
          name=$(printf 'a\\nb\\033[31m%0247d' 0)
          mkdir "$name" && touch "$name/$name" "$(printf '\\377\\n%0253d' 0)" -- -rf '*' ' '
          test "$(ls -A | tr '\\n' x | wc -c)" -ge 510
          """);
      life.endAndNext();
      life.await(List.of());
      assertFalse(Files.exists(life.gone));
      life.nothingIsLeft();
    }
  }

  @Test
  void aTreeIsDeeperThanAPathIsLong() throws IOException {
    try (Life life = new Life()) {
      life.rig.inside(
          42,
          ALICE,
          "perl -e 'chdir \"/tmp\"; for (1..1000) { mkdir \"directory-$_\"; chdir \"directory-$_\""
              + " or die }'");
      life.endAndNext();
      life.await(List.of());
      assertFalse(Files.exists(life.gone));
      life.nothingIsLeft();
    }
  }

  @Test
  void aFileIsImmutable() throws IOException {
    try (Life life = new Life()) {
      life.rig.inside(42, ALICE, "cd /tmp; touch a kept z");
      said("chattr", "+i", life.rig.base.resolve("42/_tmp/kept").toString());
      try {
        life.endAndNext();
        life.await(List.of(life.stuckWith("kept", "EPERM (Operation not permitted)")));
        assertFalse(Files.exists(life.gone.resolve("_tmp/z")));
      } finally {
        said("find", life.rig.base.toString(), "-name", "kept", "-exec", "chattr", "-i", "{}", ";");
      }
      life.later();
      life.await(List.of());
      life.nothingIsLeft();
    }
  }

  @Test
  void rootMountedSomethingInsideFromOutside() throws IOException {
    try (Life life = new Life()) {
      life.rig.inside(42, ALICE, "mkdir /tmp/planted; touch /tmp/a");
      Path planted = life.rig.base.resolve("42/_tmp/planted");
      said("mount", "--bind", life.precious.toString(), planted.toString());
      Path moved = life.gone.resolve("_tmp/planted");
      try {
        life.endAndNext();
        life.await(List.of(life.stuckWith("planted", "something is mounted there")));
        assertEquals("precious", Files.readString(moved.resolve("file")));
        assertFalse(Files.exists(life.gone.resolve("_tmp/a")));
      } finally {
        said("umount", (Files.exists(moved) ? moved : planted).toString());
      }
      life.later();
      life.await(List.of());
      life.nothingIsLeft();
    }
  }

  /** In a copy of the job's namespace, which keeps its mounts when the job's own is dropped. */
  @Test
  void aProcessStaysThereInANamespaceOfItsOwn() throws IOException {
    try (Life life = new Life()) {
      Process shell =
          new ProcessBuilder(
                  "nsenter",
                  "--mount=" + life.rig.pin(42),
                  "--",
                  "unshare",
                  "--mount",
                  "setpriv",
                  "--reuid=" + ALICE,
                  "--regid=" + ALICE,
                  "--clear-groups",
                  "sh")
              .redirectErrorStream(true)
              .start();
      try (BufferedReader from = shell.inputReader(UTF_8)) {
        assertEquals("in", answer(shell, from, "mkdir /tmp/d; cd /tmp/d; echo in"));
        life.endAndNext();
        life.await(List.of());
        assertEquals("none", answer(shell, from, "touch x 2>&- || echo none"));
        assertEquals("none", answer(shell, from, "touch /tmp/x 2>&- || echo none"));
        assertEquals("", life.rig.inside(42, BOB, "ls -A /tmp | grep -v bobs || true"));
      } finally {
        shell.destroyForcibly();
      }
      life.nothingIsLeft();
    }
  }

  private static String answer(Process shell, BufferedReader from, String command)
      throws IOException {
    shell.getOutputStream().write((command + "\n").getBytes(UTF_8));
    shell.getOutputStream().flush();
    return String.valueOf(from.readLine());
  }

  /** A million files, of which the others do not wait for one. */
  @Test
  @Tag("full")
  @Tag("host")
  void aMillionFilesHoldUpNoJob() throws Exception {
    try (Life life = new Life()) {
      fill(life.rig.pin(42));
      life.containers.delete(job(42), ALICE, ALICE);
      Eventually.await(
          PATIENCE,
          () -> life.containers.removing().removed() > 0,
          () -> life.containers.removing().toString());
      for (long number = 100; number < 150; number++) {
        life.containers.create(job(number), BOB, BOB);
        assertEquals("", life.rig.inside(number, BOB, "ls -A /tmp; touch /tmp/x"));
        life.containers.delete(job(number), BOB, BOB);
        assertEquals(Set.of(), life.containers.files(job(number)).keySet());
      }
      Removals.Progress then = life.containers.removing();
      assertTrue(Files.exists(life.gone), then::toString);
      assertTrue(then.waiting() > 0 && then.removed() < 1_000_000, then::toString);
      System.out.println("when the last of 50 jobs had ended: " + then);
      // The rest by hand: a thread of the lowest priority may take an hour on a busy machine.
      life.containers.close();
      said("find", life.rig.base.toString(), "-mindepth", "1", "-delete");
    }
  }

  private static void fill(Path namespace) throws Exception {
    String script =
        """
        for $d (1..1000) {
          mkdir "/tmp/$d" or die;
          for (1..1000) { open(F, ">", "/tmp/$d/$_") or die; print F "small"; close(F); }
        }
        """;
    Process process =
        new ProcessBuilder(
                "nsenter",
                "--mount=" + namespace,
                "--",
                "setpriv",
                "--reuid=" + ALICE,
                "--regid=" + ALICE,
                "--clear-groups",
                "perl",
                "-e",
                script)
            .inheritIO()
            .start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue());
  }
}
