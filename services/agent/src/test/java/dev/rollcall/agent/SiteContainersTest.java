package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.container.ContainerRules;
import dev.rollcall.jobs.container.ContainersConfig;
import dev.rollcall.jobs.container.UserMaps;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteContainersTest {
  @TempDir private Path temp = Path.of("/nonexistent");

  private AgentConfig with(String name, String text) throws IOException, BadConfigException {
    Path file = Files.writeString(temp.resolve(name), text);
    return AgentConfigReader.read(
        ConfigFile.of("agent.yaml", "container_conf: \"" + file + "\"\n"));
  }

  private static ContainersConfig on(AgentConfig config, String node) throws IOException {
    return SiteContainers.of(config, node, "host9", "boot");
  }

  @Test
  void slurmsFileIsEveryJobsContainer() throws Exception {
    AgentConfig config =
        with(
            "job_container.conf",
            """
            AutoBasePath=true
            NodeName=n[1-3] BasePath=/nvme/%h/%n Dirs=/tmp,/dev/shm InitScript=/i.sh Shared=true
            """);
    ContainersConfig containers = on(config, "n2");
    ContainerRules rules = containers.rules().orElseThrow();
    assertEquals(Path.of("/nvme/host9/n2"), rules.basePath());
    assertEquals(true, rules.makesBasePath());
    assertEquals(true, rules.shared());
    assertEquals(
        Optional.of(new ContainerRules.SiteScript(Path.of("/i.sh"), Duration.ofSeconds(10))),
        rules.scripts().init());
    assertEquals(
        List.of(Path.of("/tmp"), Path.of("/dev/shm")),
        rules.directories().stream().map(each -> each.path().of("42", "alice")).toList());
    assertEquals(
        List.of(new ContainerRules.Disk(Path.of("/nvme/host9/n2")), new ContainerRules.Tmpfs("")),
        rules.directories().stream().map(ContainerRules.PrivateDirectory::backing).toList());
    assertEquals(Optional.empty(), on(config, "n4").rules());
    assertEquals(config.runDirectory(), containers.runDirectory());
    assertEquals("root", containers.userNames().apply(0));
  }

  @Test
  void theSitesScriptMapsTheUsersOfAUserNamespace() throws Exception {
    AgentConfig config =
        with("namespace.yaml", "defaults: {base_path: /b, user_ns_script: /etc/maps.sh}\n");
    ContainerRules rules = on(config, "n1").rules().orElseThrow();
    assertEquals(
        Optional.of(
            UserMaps.ofHost(
                new ContainerRules.SiteScript(Path.of("/etc/maps.sh"), Duration.ofSeconds(10)))),
        rules.surroundings().more().userMaps());
  }

  @Test
  void directoriesOfTheirOwnKeepTheirFlags() throws Exception {
    AgentConfig config =
        with(
            "namespace.yaml",
            """
            defaults:
              base_path: /b
              dir_confs:
                - {path: "/scratch/%u/%j", base_path: /nvme, options: "noexec"}
            """);
    ContainerRules.PrivateDirectory directory =
        on(config, "n1").rules().orElseThrow().directories().getFirst();
    assertEquals(Path.of("/scratch/alice/42"), directory.path().of("42", "alice"));
    assertEquals(new ContainerRules.Disk(Path.of("/nvme")), directory.backing());
    assertEquals(Set.of(MountFlag.NOEXEC, MountFlag.NOSUID, MountFlag.NODEV), directory.flags());
  }

  private AgentConfig choosing(String name, String text) throws IOException, BadConfigException {
    Path file = Files.writeString(temp.resolve("choice.yaml"), text);
    return AgentConfigReader.read(
        ConfigFile.of("agent.yaml", "container_choices: {\"%s\": \"%s\"}\n".formatted(name, file)));
  }

  @Test
  void jobsMayChooseAmongNamedFiles() throws Exception {
    AgentConfig config =
        choosing(
            "strict",
            """
            node_confs: [{nodes: [n1], options: {base_path: /b, read_only: [/]}}]
            """);
    ContainersConfig here = on(config, "n1");
    assertEquals(Optional.empty(), here.rules());
    ContainerRules strict = Objects.requireNonNull(here.choices().get("strict")).orElseThrow();
    assertEquals(Path.of("/b"), strict.basePath());
    assertEquals(Map.of("strict", Optional.empty()), on(config, "n2").choices());
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "", "a b", ".hidden"})
  void aNameThatCannotBeChosenIsRefused(String name) {
    var bad = assertThrows(BadConfigException.class, () -> choosing(name, "defaults: {}\n"));
    assertEquals(
        "container_choices: '%s' cannot be a container's name".formatted(name), bad.getMessage());
  }

  @Test
  void allThatIsWrongWithTheFileIsTold() {
    var bad =
        assertThrows(
            BadConfigException.class,
            () -> with("job_container.conf", "BasePath=here\nColour=red\n"));
    Path file = temp.resolve("job_container.conf");
    List<String> lines = String.valueOf(bad.getMessage()).lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    lines.forEach(line -> assertTrue(line.startsWith(file + " line "), line));
  }

  @Test
  void aProgramThatIsNotThereIsNamed() throws Exception {
    AgentConfig config =
        with("n.yaml", "defaults: {base_path: /b, clone_ns_flags: [CLONE_NEWPID]}\n");
    var refused = assertThrows(IOException.class, () -> on(config, "n1"));
    assertEquals(
        "container_conf: namespaces are made by /opt/rollcall/lib/container/rollcall-namespaces, "
            + "which is not there",
        refused.getMessage());
  }
}
