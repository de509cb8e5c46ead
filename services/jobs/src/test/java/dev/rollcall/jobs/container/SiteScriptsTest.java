package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.BOB;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules.Scripts;
import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A site's scripts around a container: what they are given, and what is told when they fail. */
@Tag("root")
class SiteScriptsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PATH =
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private ContainerRig rig = new ContainerRig();

  @BeforeEach
  void begin() throws IOException {
    rig.close();
    rig = new ContainerRig();
  }

  @AfterEach
  void leaveNothing() throws IOException {
    rig.close();
  }

  private SiteScript script(String name, String text, Duration patience) throws IOException {
    Path file = rig.top.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new SiteScript(file, patience);
  }

  private SiteScript script(String name, String text) throws IOException {
    return script(name, text, PATIENCE);
  }

  private JobContainers with(
      Optional<SiteScript> init, Optional<SiteScript> clone, Optional<SiteScript> epilog)
      throws IOException {
    rig.scripts(new Scripts(init, clone, epilog));
    return rig.open();
  }

  private JobContainers withInit(SiteScript init) throws IOException {
    return with(Optional.of(init), Optional.empty(), Optional.empty());
  }

  private String refused(JobContainers containers) throws IOException {
    List<String> mounts = rig.mounts();
    var refused =
        assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
    assertEquals(mounts, rig.mounts());
    assertFalse(Files.exists(rig.pin(42)));
    rig.awaitEmptyBase();
    return String.valueOf(refused.getMessage());
  }

  @Test
  void aStatusIsToldWithTheLastWords() throws IOException {
    SiteScript init = script("init", "echo 'no space on'; echo /nvme >&2; exit 3");
    assertEquals(
        "container: InitScript: %s ended with status 3: no space on\n/nvme".formatted(init.path()),
        refused(withInit(init)));
  }

  @Test
  void aStatusWithoutWordsIsToldAlone() throws IOException {
    SiteScript clone = script("clone", "exit 4");
    assertEquals(
        "container: CloneNSScript: %s ended with status 4".formatted(clone.path()),
        refused(with(Optional.empty(), Optional.of(clone), Optional.empty())));
  }

  @Test
  void ofManyWordsTheLastAreTold() throws IOException {
    SiteScript init =
        script("init", "i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; exit 1");
    String told = refused(withInit(init));
    assertTrue(told.endsWith("\nline 4999"), told);
    assertTrue(told.length() < 5_000, () -> told.length() + " characters");
  }

  @Test
  void oneThatDoesNotEndIsKilledWithItsChildren() throws IOException {
    Path pids = rig.top.resolve("pids");
    SiteScript init =
        script("init", "sleep 600 & echo $$ $! > " + pids + "; wait", Duration.ofSeconds(2));
    assertEquals(
        "container: InitScript: %s did not end within 2 s".formatted(init.path()),
        refused(withInit(init)));
    for (String pid : Files.readString(pids).strip().split(" ", -1)) {
      Eventually.await(
          PATIENCE,
          () -> ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty(),
          () -> pid + " lives");
    }
  }

  @Test
  void oneWithLessThanASecondIsToldInMilliseconds() throws IOException {
    SiteScript init = script("init", "exec sleep 600", Duration.ofMillis(300));
    assertEquals(
        "container: InitScript: %s did not end within 300 ms".formatted(init.path()),
        refused(withInit(init)));
  }

  @Test
  void oneThatIsNotThereIsNamed() throws IOException {
    Path none = rig.top.resolve("none");
    String told = refused(withInit(new SiteScript(none, PATIENCE)));
    assertTrue(told.startsWith("container: InitScript: "), told);
    assertTrue(told.contains(none.toString()) && told.contains("No such file or directory"), told);
  }

  @Test
  void theyAreGivenSlurmsVariablesAndNoOthers() throws IOException {
    String environment = "tr '\\0' '\\n' < /proc/$$/environ | sort > " + rig.top.resolve("env-");
    JobContainers containers =
        with(
            Optional.of(script("init", environment + "init")),
            Optional.of(script("clone", environment + "clone")),
            Optional.of(script("epilog", environment + "epilog")));
    containers.create(job(42), ALICE, ALICE + 7);
    containers.delete(job(42), ALICE, ALICE + 7);
    assertEquals(variables(ALICE, ALICE + 7, "alice", false), said("init"));
    assertEquals(variables(ALICE, ALICE + 7, "alice", true), said("clone"));
    assertEquals(variables(ALICE, ALICE + 7, "alice", true), said("epilog"));
    // Who has no name has a number, from the beginning to the end.
    containers.create(job(42), BOB, BOB);
    containers.delete(job(42), BOB, BOB);
    assertEquals(variables(BOB, BOB, "" + BOB, false), said("init"));
    assertEquals(variables(BOB, BOB, "" + BOB, true), said("epilog"));
    rig.awaitEmptyBase();
  }

  private List<String> said(String script) throws IOException {
    return Files.readAllLines(rig.top.resolve("env-" + script));
  }

  private List<String> variables(int uid, int gid, String user, boolean namespace) {
    String common =
        """
        %s
        SLURMD_NODENAME=node1
        SLURM_JOB_GID=%d
        SLURM_JOB_ID=42
        SLURM_JOB_MOUNTPOINT_SRC=%s
        SLURM_JOB_UID=%d
        SLURM_JOB_USER=%s
        """
            .formatted(PATH, gid, rig.base.resolve("42"), uid, user);
    return (namespace ? common + "SLURM_NS=" + rig.pin(42) : common).lines().sorted().toList();
  }

  @Test
  void theNamespaceIsThereWhileTheSecondAndTheThirdRun() throws IOException {
    String look = "nsenter --mount=$SLURM_NS ls -A /tmp > " + rig.top.resolve("seen-");
    JobContainers containers =
        with(
            Optional.empty(),
            Optional.of(script("clone", look + "clone")),
            Optional.of(script("epilog", look + "epilog")));
    containers.create(job(42), ALICE, ALICE);
    rig.inside(42, ALICE, "touch /tmp/left");
    containers.delete(job(42), ALICE, ALICE);
    assertEquals("", Files.readString(rig.top.resolve("seen-clone")));
    assertEquals("left\n", Files.readString(rig.top.resolve("seen-epilog")));
    rig.awaitEmptyBase();
  }

  @Test
  void aJobEndsByTheRulesThatItBeganWith() throws IOException {
    String note = "echo $SLURM_JOB_MOUNTPOINT_SRC >> " + rig.top.resolve("ended-");
    var none = Optional.<SiteScript>empty();
    with(none, none, Optional.of(script("first", note + "first"))).create(job(42), ALICE, ALICE);
    with(none, none, none).create(job(43), BOB, BOB);
    ContainerRules before = rig.rules();
    var other = Files.createDirectory(rig.top.resolve("other"));
    rig.rules(
        new ContainerRules(
            other,
            before.makesBasePath(),
            before.directories(),
            new Scripts(none, none, Optional.of(script("second", note + "second"))),
            before.shared(),
            before.surroundings()));
    JobContainers changed = rig.open();
    changed.delete(job(43), BOB, BOB);
    assertFalse(Files.exists(rig.top.resolve("ended-second")));
    changed.delete(job(42), ALICE, ALICE);
    assertFalse(Files.exists(rig.top.resolve("ended-second")));
    assertEquals(rig.base.resolve("42") + "\n", Files.readString(rig.top.resolve("ended-first")));
    rig.rules(before);
    rig.scripts(new Scripts(none, none, Optional.of(script("third", note + "third"))));
    rig.open().create(job(42), ALICE, ALICE);
    rig.openWithout().delete(job(42), ALICE, ALICE);
    assertEquals(rig.base.resolve("42") + "\n", Files.readString(rig.top.resolve("ended-third")));
    rig.awaitEmptyBase();
  }

  @Test
  void anEpilogThatFailsDoesNotKeepTheContainer() throws IOException {
    for (SiteScript epilog :
        List.of(
            script("fails", "echo no; exit 1"),
            script("hangs", "exec sleep 600", Duration.ofSeconds(1)),
            new SiteScript(rig.top.resolve("none"), PATIENCE))) {
      JobContainers containers = with(Optional.empty(), Optional.empty(), Optional.of(epilog));
      List<String> mounts = rig.mounts();
      containers.create(job(42), ALICE, ALICE);
      containers.delete(job(42), ALICE, ALICE);
      assertEquals(mounts, rig.mounts(), epilog::toString);
      assertFalse(Files.exists(rig.pin(42)), epilog::toString);
      rig.awaitEmptyBase();
    }
  }
}
