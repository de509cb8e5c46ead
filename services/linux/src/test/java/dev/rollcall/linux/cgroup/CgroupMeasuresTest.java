package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured by recorded files. */
class CgroupMeasuresTest {
  private static final String CPU = "usage_usec 30\nuser_usec 10\nsystem_usec 20\n";

  @TempDir private Path root;

  private CgroupDirectory recorded(String name, Map<String, String> files) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    for (var file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    return new CgroupDirectory(directory);
  }

  private static Map<Measure, Long> read(Carried gone, CgroupDirectory... directories) {
    Measures measures =
        CgroupMeasures.read(new CgroupFiles(List.of(directories)), gone).orElseThrow();
    var present = new EnumMap<Measure, Long>(Measure.class);
    for (Measure each : Measure.values()) {
      measures.get(each).ifPresent(value -> present.put(each, value));
    }
    return present;
  }

  private Map<Measure, Long> v2(Map<String, String> files) throws IOException {
    CgroupDirectory job = recorded("job", files);
    Files.writeString(job.path().resolve("cgroup.controllers"), "cpu memory\n");
    return read(new Carried(7, 7, 7, 7), job);
  }

  private static String pressure(long some, long full) {
    return """
    some avg10=0.00 avg60=0.00 avg300=0.00 total=%d
    full avg10=0.00 avg60=0.00 avg300=0.00 total=%d
    """
        .formatted(some, full);
  }

  @Test
  void versionTwoHasAllOfIt() throws IOException {
    Map<String, String> files =
        Map.ofEntries(
            Map.entry("cpu.stat", CPU + "nr_periods 4\nnr_throttled 3\nthrottled_usec 5\n"),
            Map.entry("cpu.max", "150000 100000\n"),
            Map.entry("cpuset.cpus", "0-2,8\n"),
            Map.entry("memory.current", "100\n"),
            Map.entry("memory.peak", "200\n"),
            Map.entry("memory.max", "400\n"),
            Map.entry("memory.high", "300\n"),
            Map.entry("memory.swap.current", "50\n"),
            Map.entry("memory.stat", "anon 60\nfile 35\nkernel 5\nshmem 1\n"),
            Map.entry("memory.events", "low 0\noom 9\noom_kill 2\noom_group_kill 1\n"),
            Map.entry(
                "io.stat",
                "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=9 dios=9\n"
                    + "7:0 rbytes=10 wbytes=20 rios=30 wios=40 dbytes=9 dios=9\n"),
            Map.entry("pids.current", "6\n"),
            Map.entry("cpu.pressure", pressure(11, 12)),
            Map.entry("memory.pressure", pressure(13, 14)),
            Map.entry("io.pressure", pressure(15, 16)));
    Map<Measure, Long> expected =
        Map.ofEntries(
            Map.entry(Measure.CPU_USER, 10L),
            Map.entry(Measure.CPU_SYSTEM, 20L),
            Map.entry(Measure.CPU_THROTTLED, 5L),
            Map.entry(Measure.MEMORY, 100L),
            Map.entry(Measure.MEMORY_PEAK, 200L),
            Map.entry(Measure.MEMORY_LIMIT, 400L),
            Map.entry(Measure.MEMORY_ALLOTTED, 300L),
            Map.entry(Measure.MEMORY_ANONYMOUS, 60L),
            Map.entry(Measure.MEMORY_CACHE, 35L),
            Map.entry(Measure.MEMORY_FAILURES, 9L),
            Map.entry(Measure.SWAP, 50L),
            Map.entry(Measure.OOM_KILLS, 2L),
            Map.entry(Measure.READ_BYTES, 11L),
            Map.entry(Measure.WRITTEN_BYTES, 22L),
            Map.entry(Measure.READS, 33L),
            Map.entry(Measure.WRITES, 44L),
            Map.entry(Measure.THREADS, 6L),
            Map.entry(Measure.PRESSURE_CPU_WAITING, 11L),
            Map.entry(Measure.PRESSURE_CPU_STALLED, 12L),
            Map.entry(Measure.PRESSURE_MEMORY_WAITING, 13L),
            Map.entry(Measure.PRESSURE_MEMORY_STALLED, 14L),
            Map.entry(Measure.PRESSURE_IO_WAITING, 15L),
            Map.entry(Measure.PRESSURE_IO_STALLED, 16L),
            Map.entry(Measure.CPUS, 1_500L));
    assertEquals(expected, v2(files));
  }

  /** Without the controllers, and with words in the place of numbers. */
  @Test
  void whatTheKernelDoesNotCountIsAbsentAndNeverZero() throws IOException {
    assertEquals(
        Map.of(
            Measure.CPU_USER, 10L,
            Measure.CPU_SYSTEM, 20L,
            Measure.PRESSURE_CPU_WAITING, 9L,
            Measure.CPUS, 2_000L),
        v2(
            Map.of(
                "cpu.stat", CPU,
                "cpu.max", "max 100000\n",
                "cpuset.cpus", "4,6\n",
                "memory.max", "max\n",
                "memory.high", "max\n",
                // The older kernels' file has one line.
                "cpu.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=9\n")));
  }

  @Test
  void versionOneHasItInItsHierarchies() throws IOException {
    CgroupDirectory cpu =
        recorded(
            "cpu,cpuacct",
            Map.of(
                "cpuacct.usage", "1234567890\n",
                "cpuacct.stat", "user 100\nsystem 20\n",
                "cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 7000\n",
                "cpu.cfs_quota_us", "-1\n",
                "cpu.cfs_period_us", "100000\n"));
    CgroupDirectory memory =
        recorded(
            "memory",
            Map.of(
                "memory.usage_in_bytes", "10\n",
                "memory.max_usage_in_bytes", "20\n",
                "memory.limit_in_bytes", "30\n",
                "memory.soft_limit_in_bytes", "9223372036854771712\n",
                "memory.failcnt", "8\n",
                "memory.stat", "rss 1\ncache 2\nswap 3\ntotal_cache 7\ntotal_rss 6\ntotal_swap 5\n",
                "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"));
    CgroupDirectory blkio =
        recorded(
            "blkio",
            Map.of(
                "blkio.throttle.io_service_bytes_recursive",
                "8:0 Read 7\n8:0 Write 8\nTotal 15\n"));
    CgroupDirectory cpuset = recorded("cpuset", Map.of("cpuset.cpus", "0-3\n"));
    Map<Measure, Long> expected =
        Map.ofEntries(
            Map.entry(Measure.CPU_USER, 1_034_567L),
            Map.entry(Measure.CPU_SYSTEM, 200_000L),
            Map.entry(Measure.CPU_THROTTLED, 7L),
            Map.entry(Measure.MEMORY, 10L),
            Map.entry(Measure.MEMORY_PEAK, 20L),
            Map.entry(Measure.MEMORY_LIMIT, 30L),
            Map.entry(Measure.MEMORY_ALLOTTED, 30L),
            Map.entry(Measure.MEMORY_ANONYMOUS, 6L),
            Map.entry(Measure.MEMORY_CACHE, 7L),
            Map.entry(Measure.MEMORY_FAILURES, 8L),
            Map.entry(Measure.SWAP, 5L),
            Map.entry(Measure.OOM_KILLS, 4L),
            Map.entry(Measure.READ_BYTES, 107L),
            Map.entry(Measure.WRITTEN_BYTES, 208L),
            Map.entry(Measure.CPUS, 4_000L));
    assertEquals(expected, read(new Carried(100, 200, 3, 0), cpu, memory, blkio, cpuset));
  }

  @Test
  void aCgroupThatIsGoneHasNoMeasurement() throws IOException {
    var gone = new CgroupFiles(List.of(new CgroupDirectory(root.resolve("gone"))));
    assertEquals(Optional.empty(), CgroupMeasures.read(gone, Carried.NONE));
    var none = new CgroupFiles(List.of());
    assertEquals(Optional.empty(), CgroupMeasures.read(none, Carried.NONE));
    // Its files can be listed a moment longer, and not be read (ENODEV).
    var half = new CgroupFiles(List.of(recorded("half", Map.of("cgroup.controllers", "memory\n"))));
    assertEquals(Optional.empty(), CgroupMeasures.read(half, Carried.NONE));
  }
}
