package dev.rollcall.lab.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the agent needs each capability for goes with the set of its unit, and not without that one.
 * {@link HardenedAgentTest} has the agent itself at work with the set.
 */
@Tag("root")
class CapabilitiesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the script says when it is done, and when it may not be. */
  enum Need {
    CAP_SYS_ADMIN("ready", "cannot join mount namespace"),
    CAP_NET_ADMIN("ready", "cannot bring up loopback"),
    CAP_SYS_PTRACE("ready", "cannot open mount namespace"),
    CAP_KILL("killed", "kill: Operation not permitted"),
    CAP_SYS_NICE("told", "cgroup.procs: Operation not permitted"),
    CAP_DAC_OVERRIDE("told", "cgroup.procs: Permission denied"),
    CAP_SYS_CHROOT("ready", "cannot join mount namespace"),
    CAP_CHOWN("given", "changing ownership of 'private': Operation not permitted"),
    CAP_FOWNER("removed", "cannot remove 'sticky/left': Operation not permitted"),
    CAP_SYS_RESOURCE("ready", "note: cannot write -999 to "),
    CAP_SETUID("made ", "cannot become the owner"),
    CAP_SETGID("made ", "cannot become the owner"),
    CAP_SETPCAP("made ", "cannot become the owner"),
    CAP_SETFCAP("told", "uid_map: Operation not permitted");

    private final String done;
    private final String refused;

    Need(String done, String refused) {
      this.done = done;
      this.refused = refused;
    }

    /** As setpriv(1) has it. */
    String word() {
      return name().replace("CAP_", "").toLowerCase(Locale.ROOT);
    }
  }

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void script() throws IOException {
    try (var script = CapabilitiesTest.class.getResourceAsStream("capability.sh")) {
      Files.write(folder.resolve("capability.sh"), script.readAllBytes());
    }
  }

  @Test
  void theTableHasThoseOfTheUnit() throws IOException {
    assertEquals(
        new TreeSet<>(
            UnitFile.read("rollcall-agent.service").words("Service.CapabilityBoundingSet")),
        Arrays.stream(Need.values())
            .map(Need::name)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @ParameterizedTest
  @EnumSource
  void isNeeded(Need need) {
    Set<Need> all = Set.of(Need.values());
    String with = said(need, all);
    assertTrue(with.contains(need.done), with);
    if (machineHas(need)) {
      assertFalse(with.contains(need.refused), with);
    }
    String without = said(need, all.stream().filter(it -> it != need).toList());
    assertTrue(without.contains(need.refused), without);
  }

  private String said(Need need, Collection<Need> set) {
    String words = set.stream().map(each -> ",+" + each.word()).collect(Collectors.joining());
    return Running.start(
            List.of(
                "sh",
                folder.resolve("capability.sh").toString(),
                need.name(),
                "-all" + words,
                SourceTree.DISTRIBUTION
                    .resolve("lib/container/rollcall-namespaces")
                    .toAbsolutePath()
                    .toString()))
        .await(PATIENCE)
        .outOrThrow(need.name());
  }

  /** Root of a container may have fewer than all. */
  private static boolean machineHas(Need need) {
    return Running.run(PATIENCE, List.of("setpriv", "--dump"))
        .outOrThrow("setpriv")
        .lines()
        .filter(line -> line.startsWith("Capability bounding set:"))
        .anyMatch(line -> List.of(line.split("[ :,]+", -1)).contains(need.word()));
  }
}
