package dev.rollcall.jobs.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.limits.Setting.Kind;
import dev.rollcall.jobs.tree.Controller;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final Limits ALL =
      new Limits(
          Optional.of(new NumberList("0-3")),
          Optional.of(new NumberList("0")),
          OptionalLong.of(4096),
          OptionalLong.of(2048),
          OptionalLong.of(1024),
          OptionalInt.of(50),
          Optional.of(new CpuMax(150_000, 100_000)),
          OptionalLong.of(64),
          List.of(IoMax.parse("8:0:rbps=1048576,wiops=max")),
          Map.of("2MB", 4194304L));

  private static List<String> texts(List<Setting> settings) {
    return settings.stream().map(each -> each.file() + "=" + each.value()).toList();
  }

  private static Limits memory(OptionalLong max, OptionalLong swap) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        max,
        OptionalLong.empty(),
        swap,
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  @Test
  void swapIsSwapAloneInV2() {
    assertEquals(
        List.of(
            "cpuset.cpus=0-3",
            "cpuset.mems=0",
            "memory.max=4096",
            "memory.high=2048",
            "memory.swap.max=1024",
            "cpu.weight=50",
            "cpu.max=150000 100000",
            "pids.max=64",
            "io.max=8:0 rbps=1048576 wiops=max",
            "hugetlb.2MB.max=4194304"),
        texts(Settings.of(ALL, true)));
    assertEquals(List.of(), Settings.of(Limits.NONE, true));
  }

  @Test
  void swapIsMemoryAndSwapInV1() {
    assertEquals(
        List.of(
            "cpuset.cpus=0-3",
            "cpuset.mems=0",
            "memory.limit_in_bytes=4096",
            "memory.soft_limit_in_bytes=2048",
            "memory.memsw.limit_in_bytes=5120",
            "cpu.shares=512",
            "cpu.cfs_period_us=100000",
            "cpu.cfs_quota_us=150000",
            "pids.max=64",
            "blkio.throttle.read_bps_device=8:0 1048576",
            "blkio.throttle.write_iops_device=8:0 0",
            "hugetlb.2MB.limit_in_bytes=4194304"),
        texts(Settings.of(ALL, false)));
    assertEquals(List.of(), Settings.of(Limits.NONE, false));
  }

  @Test
  void swapWithoutMemoryCannotBeSaidInV1() {
    Limits swap = memory(OptionalLong.empty(), OptionalLong.of(0));
    var refused = assertThrows(IllegalArgumentException.class, () -> Settings.of(swap, false));
    assertTrue(String.valueOf(refused.getMessage()).contains("swap 0"));
    assertEquals(List.of("memory.swap.max=0"), texts(Settings.of(swap, true)));
  }

  @Test
  void whatIsUnlimitedIsSaidInTheKernelsWords() {
    OptionalLong none = OptionalLong.of(Limits.UNLIMITED);
    assertEquals(
        List.of("memory.max=max", "memory.swap.max=max"),
        texts(Settings.of(memory(none, none), true)));
    assertEquals(
        List.of("memory.limit_in_bytes=-1", "memory.memsw.limit_in_bytes=-1"),
        texts(Settings.of(memory(none, OptionalLong.of(7)), false)));
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "100, 1024", "10000, 102400"})
  void aWeightIsSharesInV1(int weight, long shares) {
    assertEquals(shares, Settings.shares(weight));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          WORD       | 64                 | 64                          | true
          WORD       | 64                 | max                         | false
          WORD       | 150000 100000      | 150000 100000               | true
          WORD       | 150000 100000      | max 100000                  | false
          WORD       | -1                 | max                         | true
          BYTES      | 5000000000         | 4999999488                  | true
          BYTES      | 5000000000         | 4999000000                  | false
          BYTES      | 5000000000         | 5000003584                  | false
          BYTES      | 5000000000         | max                         | false
          BYTES      | max                | max                         | true
          BYTES      | -1                 | 9223372036854771712         | true
          BYTES      | -1                 | 4096                        | false
          HUGE_BYTES | 5000000            | 4194304                     | true
          HUGE_BYTES | 5000000            | max                         | false
          LIST       | 0-3                | 0-3                         | true
          LIST       | 0-3                | 0-2                         | false
          DEVICE_V2  | 8:0 rbps=1 wbps=2  | 8:0 rbps=1 wbps=2 riops=max | true
          DEVICE_V2  | 8:0 rbps=1         | 8:0 rbps=2 wbps=2 riops=max | false
          DEVICE_V2  | 8:0 rbps=1         | 8:16 rbps=1                 | false
          DEVICE_V2  | 8:0 rbps=max       | 8:16 rbps=1                 | true
          DEVICE_V1  | 8:0 5              | 8:0 5                       | true
          DEVICE_V1  | 8:0 5              | 8:00 5                      | false
          DEVICE_V1  | 8:0 0              | 8:16 5                      | true
          """)
  void aFileIsReadAsTheKernelWritesIt(Kind kind, String value, String content, boolean same) {
    var setting = new Setting(Controller.MEMORY, "file", value, kind);
    assertEquals(same, setting.isIn(content), setting + " in " + content);
    assertFalse(kind == Kind.LIST && setting.isIn(""));
  }

  @Test
  void whatWasThereBeforeCanBePutBack() {
    var v2 = new Setting(Controller.IO, "io.max", "8:0 rbps=1", Kind.DEVICE_V2);
    assertEquals("8:0 rbps=max wbps=max riops=max wiops=max", v2.before("8:16 rbps=1").value());
    assertEquals("8:0 rbps=9", v2.before("8:16 rbps=1\n8:0 rbps=9").value());
    var v1 = new Setting(Controller.IO, "blkio", "8:0 1", Kind.DEVICE_V1);
    assertEquals("8:0 0", v1.before("").value());
    var word = new Setting(Controller.CPU, "cpu.max", "1000 1000", Kind.WORD);
    assertEquals("max 100000", word.before("max 100000").value());
  }
}
