package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.AgentKeys;
import dev.rollcall.gateway.GatewayKeys;
import dev.rollcall.settings.CgroupConf;
import dev.rollcall.settings.KnownKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of keys stand between two marks in the pages, and are those that are made of the code
 * and of the words beside it. Pages as they should be are left in {@code target/docs}.
 */
class KeyTablesTest {
  private static final Path HOME = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Path MADE = Path.of("target/docs");
  private static final Pattern MARKED =
      Pattern.compile(
          "(<!-- keys of ([a-z_.A-Z ]+): [^>]*-->\n\n)(.*?)(\n<!-- end -->)", Pattern.DOTALL);

  private static Map<String, String> tables() throws Exception {
    return Map.of(
        "agent.yaml",
        KeyTable.of(
            AgentKeys.configuration(),
            KeyWords.read("services/agent/src/main/resources/dev/rollcall/agent/keys.properties")),
        "audit_only.yaml",
        KeyTable.of(
            AgentKeys.auditOnly(),
            KeyWords.read(
                "services/agent/src/main/resources/dev/rollcall/agent/audit_only.properties")),
        "gateway.yaml",
        KeyTable.of(
            GatewayKeys.configuration(),
            KeyWords.read("gateway/src/main/resources/dev/rollcall/gateway/keys.properties")),
        "cgroup.conf",
        KeyTable.of(
            CgroupConf.keys(),
            KeyWords.read(
                "services/settings/src/main/resources/dev/rollcall/settings/keys.properties")),
        "containers",
        KeyTable.ofContainers(
            KeyWords.read(
                "services/settings/src/main/resources/dev/rollcall/settings/container.properties")),
        "the PAM lines",
        KeyTable.ofOptions(PamOptions.read(), KeyWords.read("services/pam/src/options.properties")),
        "the environment",
        KeyTable.ofVariables(variables()));
  }

  private static Map<String, List<String>> variables() throws IOException {
    Map<String, List<String>> variables = new TreeMap<>();
    for (EnvironmentVariable each : EnvironmentVariable.all()) {
      variables.put(each.name(), List.of("`" + each.instead() + "`", each.says()));
    }
    String launcher = Files.readString(HOME.resolve("deploy/src/main/launcher/rollcall"));
    Pattern.compile("(?m)^# ([A-Z_]+): (.*)$")
        .matcher(launcher)
        .results()
        .forEach(line -> variables.put(line.group(1), List.of("", line.group(2))));
    Pattern.compile("ROLLCALL_[A-Z_]+")
        .matcher(launcher)
        .results()
        .forEach(used -> assertTrue(variables.containsKey(used.group()), used.group()));
    return variables;
  }

  @ParameterizedTest
  @ValueSource(strings = {"configuration.md", "pam.md", "limits.md", "containers.md"})
  void areThoseOfTheCode(String name) throws Exception {
    String page = Files.readString(HOME.resolve("docs").resolve(name));
    Map<String, String> tables = tables();
    Matcher marked = MARKED.matcher(page);
    assertTrue(marked.find(), "no table of keys in " + name);
    String made =
        marked.replaceAll(one ->
            Matcher.quoteReplacement(one.group(1) + tables.get(one.group(2)) + one.group(4)));

    Files.createDirectories(MADE);
    Files.writeString(MADE.resolve(name), made);
    assertEquals(made, page, () -> "cp deploy/target/docs/" + name + " docs/");
  }

  @Test
  void everyTableIsInOnePage() throws Exception {
    var found = new TreeMap<String, Integer>();
    for (String name : List.of("configuration.md", "pam.md", "limits.md", "containers.md")) {
      MARKED
          .matcher(Files.readString(HOME.resolve("docs").resolve(name)))
          .results()
          .forEach(one -> found.merge(one.group(2), 1, Integer::sum));
    }
    var once = new TreeMap<String, Integer>();
    tables().keySet().forEach(table -> once.put(table, 1));
    assertEquals(once, found);
  }

  @Test
  void aKeyWithoutWordsIsRefused() throws IOException {
    var words = new KeyWords(Path.of("keys.properties"), Map.of("cluster", "its name"));
    var asked =
        List.of(
            new KnownKey("cluster", "a name", Optional.of("cluster")),
            new KnownKey("node", "a name", Optional.empty()));
    var refused = assertThrows(AssertionError.class, () -> KeyTable.of(asked, words));
    assertEquals(
        "keys.properties is about [cluster], the code knows [cluster, node]", refused.getMessage());
  }
}
