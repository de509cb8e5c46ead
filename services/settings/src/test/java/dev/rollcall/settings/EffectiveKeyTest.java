package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EffectiveKeyTest {
  private static EffectiveKey given(String key, String value, String file, int line) {
    return new EffectiveKey(key, Optional.of(value), Optional.of(new FilePosition(file, line)));
  }

  @Test
  void aFileTellsForEachKeyItsValueAndWhereItIs() throws BadConfigException {
    ConfigFile file =
        ConfigFile.of("a.yaml", "node: n1\n\ntls:\n  ca: /ca.pem\nports: [22,\n  23]\n");
    file.value("node", Kind.word());
    file.value("cluster", Kind.word(), "cluster");
    file.value("metrics", Kind.path());
    ConfigFile tls = file.section("tls").orElseThrow();
    tls.required("ca", Kind.path());
    tls.value("crl", Kind.path());
    file.section("other");
    file.values("ports", Kind.number(1, 99), List.of());
    assertEquals(
        List.of(
            given("node", "n1", "a.yaml", 1),
            new EffectiveKey("cluster", Optional.of("cluster"), Optional.empty()),
            new EffectiveKey("metrics", Optional.empty(), Optional.empty()),
            given("tls.ca", "/ca.pem", "a.yaml", 4),
            new EffectiveKey("tls.crl", Optional.empty(), Optional.empty()),
            new EffectiveKey("other", Optional.empty(), Optional.empty()),
            given("ports", "[22, 23]", "a.yaml", 5)),
        file.effective());
  }

  @Test
  void aDefaultMayComeFromAnotherFile() throws BadConfigException {
    ConfigFile file = ConfigFile.of("a.yaml", "");
    file.defaultsFrom(Optional.of(Path.of("/etc/slurm/cgroup.conf")));
    file.value("slice", Kind.word(), "a.slice");
    file.defaultsFrom(Optional.empty());
    file.value("cluster", Kind.word(), "cluster");
    assertEquals(
        List.of(
            given("slice", "a.slice", "/etc/slurm/cgroup.conf", 0),
            new EffectiveKey("cluster", Optional.of("cluster"), Optional.empty())),
        file.effective());
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    for (EffectiveKey key :
        List.of(
            given("a.b", "x=y", "/e/a.yaml", 3),
            given("a", "", "/e/b", 0),
            new EffectiveKey("a", Optional.empty(), Optional.empty()),
            new EffectiveKey("a", Optional.of("d"), Optional.empty()))) {
      assertEquals(Optional.of(key), EffectiveKey.parse(key.line()));
    }
    assertEquals(Optional.empty(), EffectiveKey.parse("WARNING: something else"));
    assertEquals(
        "a\t\t\t=b c", new EffectiveKey("a", Optional.of("b\tc"), Optional.empty()).line());
  }
}
