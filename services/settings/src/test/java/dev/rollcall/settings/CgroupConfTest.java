package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupConfTest {
  @TempDir Path directory;

  private CgroupConf read(String text) throws IOException, BadConfigException {
    return CgroupConf.read(Files.writeString(file(), text));
  }

  private Path file() {
    return directory.resolve("cgroup.conf");
  }

  @Test
  void anEmptyFileConstrainsNothing() throws Exception {
    CgroupConf conf = read("\n# nothing\n   # here\n");
    assertEquals(Path.of("/sys/fs/cgroup"), conf.mountPoint());
    assertEquals(CgroupConf.Plugin.AUTODETECT, conf.plugin());
    assertEquals("system.slice", conf.slice());
    assertEquals(Duration.ofSeconds(5), conf.systemdTimeout());
    assertEquals(new CgroupConf.Constrain(false, false, false, false), conf.constrain());
    assertEquals(new CgroupConf.Ram(100, 0, 100, 100, 30), conf.ram());
    assertFalse(conf.ignoreSystemd() || conf.ignoreSystemdOnFailure() || conf.enableControllers());
    assertEquals(List.of(), conf.ignored());
    assertEquals(OptionalInt.empty(), conf.swappiness());
  }

  @Test
  void everyKeyIsReadInSlurmsSyntax() throws Exception {
    CgroupConf conf =
        read(
            """
            CgroupMountPoint=/cgroups   # where this site has them
            CGROUPPLUGIN=cgroup/v2 CgroupSlice="batch.slice"
            SystemdTimeout = 2500
            ignoresystemd=Yes
            EnableControllers=yes
            ConstrainCores=yes ConstrainRAMSpace=true \\
            ConstrainSwapSpace=1
            ConstrainDevices=no
            AllowedRAMSpace=98.5
            AllowedSwapSpace=10
            MaxRAMPercent=90
            MaxSwapPercent=50
            MinRAMSpace=64
            MemorySwappiness=250
            CgroupAutomount=yes
            """);
    assertEquals(Path.of("/cgroups"), conf.mountPoint());
    assertEquals(CgroupConf.Plugin.V2, conf.plugin());
    assertEquals("batch.slice", conf.slice());
    assertEquals(Duration.ofMillis(2500), conf.systemdTimeout());
    assertTrue(conf.ignoreSystemd() && conf.ignoreSystemdOnFailure() && conf.enableControllers());
    assertEquals(new CgroupConf.Constrain(true, true, true, false), conf.constrain());
    assertEquals(new CgroupConf.Ram(98.5, 10, 90, 50, 64), conf.ram());
    assertEquals(List.of("CgroupAutomount (" + file() + " line 15)"), conf.ignored());
    assertEquals(OptionalInt.of(100), conf.swappiness());
  }

  @Test
  void anIncludedFileIsReadAndNamed() throws Exception {
    Files.writeString(directory.resolve("more.conf"), "\nConstrainCores=perhaps\n");
    var refused =
        assertThrows(
            BadConfigException.class, () -> read("ConstrainDevices=yes\ninclude more.conf\n"));
    assertEquals(
        directory.resolve("more.conf") + " line 2: ConstrainCores: 'perhaps' is neither yes nor no",
        refused.getMessage());
    assertThrows(BadConfigException.class, () -> read("Include cgroup.conf\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ConstrainCore=yes             | unknown key 'ConstrainCore' (yes); known are AllowedDevicesFile,
          ConstrainCores yes            | expected Key=Value, not 'ConstrainCores yes'
          ConstrainCores=maybe          | ConstrainCores: 'maybe' is neither yes nor no
          AllowedRAMSpace=-1            | AllowedRAMSpace: '-1' is not a percentage
          MinRAMSpace=30M               | MinRAMSpace: '30M' is not a number of MiB
          CgroupSlice=system            | CgroupSlice: 'system' is not a slice
          CgroupSlice=../system.slice   | CgroupSlice: '../system.slice' is not a slice
          CgroupPlugin=cgroup/v3        | CgroupPlugin: 'cgroup/v3' is none of
          CgroupPlugin=disabled         | CgroupPlugin: 'disabled' is not possible
          CgroupMountPoint=sys          | CgroupMountPoint: 'sys' is not an absolute path
          """)
  void whatCannotBeIsRefusedWithFileAndLine(String line, String problem) {
    var refused = assertThrows(BadConfigException.class, () -> read("# one\n" + line + "\n"));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith(file() + " line 2: " + problem), message);
  }

  @Test
  void whatSlurmAcceptsIsRead() throws Exception {
    CgroupConf conf =
        read(
            """
            \uFEFFConstrainCores=no
            MinRAMSpace=1 minramspace=64
            ConstrainCores=yes
            AllowedRAMSpace=
            AllowedKmemSpace=
            SystemdTimeout=0
            """);
    assertTrue(conf.constrain().cores());
    assertEquals(new CgroupConf.Ram(100, 0, 100, 100, 64), conf.ram());
    assertEquals(Duration.ofSeconds(5), conf.systemdTimeout());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    var refused = assertThrows(BadConfigException.class, () -> CgroupConf.read(file()));
    assertTrue(String.valueOf(refused.getMessage()).contains(file().toString()));
  }
}
