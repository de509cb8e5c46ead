package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules.SiteScript;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The site's user_ns_script maps users and groups of a job's user namespace. */
@Tag("root")
class UserMapsTest {
  private static final String ENTER =
      Path.of("../container/target/rollcall-enter").toAbsolutePath().normalize().toString();
  private static final String SUBORDINATES = "bob:900000:5\nalice:100000:10\n40001:300000:1\n";

  /** Containers of which the script makes the maps. */
  private static ContainerRig with(String script, Duration patience) throws IOException {
    ContainerRig rig = MoreNamespacesTest.with(NamespaceType.USER, NamespaceType.PID);
    Files.setPosixFilePermissions(rig.top, PosixFilePermissions.fromString("rwx--x--x"));
    Path file = rig.top.resolve("maps");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Path subordinates = Files.writeString(rig.top.resolve("subuid"), SUBORDINATES);
    MoreNamespaces before = rig.rules().surroundings().more();
    var maps = new UserMaps(new SiteScript(file, patience), subordinates, subordinates);
    rig.namespaces(
        new MoreNamespaces(
            before.maker(),
            Set.of(NamespaceType.USER, NamespaceType.PID),
            before.patience(),
            Optional.of(maps)));
    return rig;
  }

  private static ContainerRig with(String script) throws IOException {
    return with(script, Duration.ofSeconds(10));
  }

  private static String maps(String users, String groups) {
    return "printf '%s' >/proc/$SLURM_NS_PID/uid_map; printf '%s' >/proc/$SLURM_NS_PID/gid_map"
        .formatted(users, groups);
  }

  private static String refused(ContainerRig rig) throws IOException {
    JobContainers containers = rig.open();
    var failed =
        assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
    rig.awaitNone(() -> !UserNamespacesTest.residents().isEmpty());
    assertEquals(1, rig.mounts().size());
    assertFalse(Files.exists(rig.top.resolve("run/containers/42")));
    rig.awaitEmptyBase();
    return String.valueOf(failed.getMessage());
  }

  @Test
  void theScriptMapsTheOwnerAndItsSubordinateUsersAndGroups() throws Exception {
    String script = maps("0 40001 1\\n1 100000 10\\n", "0 40001 1\\n1 300000 1\\n");
    try (ContainerRig rig = with(script)) {
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals("0 0 40001 1 1 100000 10 0 40001 1 1 300000 1", inside(rig));
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  /** The script of docs/containers.md, with the files of this test. */
  @Test
  void theScriptOfThePageMapsTheSubordinateUsers() throws Exception {
    Path page = Path.of(System.getProperty("rollcall.home", "../.."), "docs/containers.md");
    String text = Files.readString(page);
    String script = text.substring(text.indexOf("#!/bin/sh\nrange=") + "#!/bin/sh\n".length());
    try (ContainerRig rig = with("")) {
      Path file = rig.top.resolve("maps");
      Files.writeString(
          file,
          "#!/bin/sh\n"
              + script
                  .substring(0, script.indexOf("```"))
                  .replace("/etc/subuid", rig.top.resolve("subuid").toString()));
      JobContainers containers = rig.open();
      containers.create(job(42), ALICE, ALICE);
      assertEquals("0 0 40001 1 1 100000 10 0 40001 1", inside(rig));
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  private static String inside(ContainerRig rig) throws IOException {
    Process inside =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=" + ALICE,
                    "--regid=" + ALICE,
                    "--clear-groups",
                    ENTER,
                    "--pins",
                    rig.top.resolve("run/containers/42").toString(),
                    "--",
                    "sh",
                    "-c",
                    "echo $(id -u) $(cat /proc/self/uid_map /proc/self/gid_map)"))
            .redirectErrorStream(true)
            .start();
    return new String(inside.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  void aMapOfOthersIsRefused() throws Exception {
    try (ContainerRig rig = with(maps("0 0 4294967295", "0 0 4294967295"))) {
      String why = refused(rig);
      assertTrue(why.contains("/uid_map maps more than the owner's own 40001"), why);
    }
    try (ContainerRig rig = with(maps("40001 40001 1\\n1 900000 5\\n", "40001 40001 1"))) {
      String why = refused(rig);
      assertTrue(why.contains("/uid_map maps more than the owner's own 40001"), why);
    }
  }

  @Test
  void aScriptThatMapsNothingIsRefused() throws Exception {
    try (ContainerRig rig = with("exit 0")) {
      String why = refused(rig);
      assertTrue(why.contains("/uid_map was not written before go"), why);
    }
  }

  @Test
  void aScriptThatFailsIsNamedWithItsLastWords() throws Exception {
    try (ContainerRig rig = with("echo no range for $SLURM_JOB_USER; exit 3")) {
      String why = refused(rig);
      assertTrue(
          why.endsWith(
              "user_ns_script: %s ended with status 3: no range for alice"
                  .formatted(rig.top.resolve("maps"))),
          why);
    }
  }

  @Test
  void aScriptThatDoesNotEndIsKilled() throws Exception {
    try (ContainerRig rig = with("sleep 600", Duration.ofSeconds(1))) {
      String why = refused(rig);
      assertTrue(why.contains(" did not end within 1 s"), why);
    }
  }

  @Test
  void itGetsTheProcessAndTheJob() throws Exception {
    try (ContainerRig rig = with("env | sort >$0.env; exit 1")) {
      refused(rig);
      List<String> variables = Files.readAllLines(rig.top.resolve("maps.env"));
      assertTrue(
          variables.stream().anyMatch(it -> it.matches("SLURM_NS_PID=[1-9][0-9]*")),
          variables::toString);
      assertTrue(variables.contains("SLURM_JOB_ID=42"), variables::toString);
      assertTrue(variables.contains("SLURM_JOB_UID=40001"), variables::toString);
      assertTrue(variables.contains("SLURMD_NODENAME=node1"), variables::toString);
      assertFalse(
          variables.stream().anyMatch(it -> it.startsWith("SLURM_JOB_MOUNTPOINT_SRC")),
          variables::toString);
    }
  }
}
