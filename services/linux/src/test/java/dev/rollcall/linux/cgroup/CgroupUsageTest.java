package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Pressure;
import dev.rollcall.model.usage.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read out of recorded files. */
class CgroupUsageTest {
  private static final OptionalLong ABSENT = OptionalLong.empty();

  @TempDir Path root;

  private CgroupDirectory recorded(String name, Map<String, String> files) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    for (var file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    return new CgroupDirectory(directory);
  }

  private static CgroupFiles files(CgroupDirectory... directories) {
    return new CgroupFiles(List.of(directories));
  }

  private static OptionalLong of(long value) {
    return OptionalLong.of(value);
  }

  private static String pressure(long total) {
    return """
    some avg10=0.00 avg60=0.00 avg300=0.00 total=%d
    full avg10=0.00 avg60=0.00 avg300=0.00 total=7
    """
        .formatted(total);
  }

  @Test
  void readsAllThatVersionTwoCounts() throws IOException {
    CgroupDirectory job =
        recorded(
            "job",
            Map.ofEntries(
                Map.entry("cpu.stat", "usage_usec 30\nuser_usec 10\nsystem_usec 20\nnice_usec 5\n"),
                Map.entry("memory.current", "4096\n"),
                Map.entry("memory.peak", "8192\n"),
                Map.entry(
                    "io.stat",
                    """
                    8:0 rbytes=100 wbytes=200 rios=1 wios=2 dbytes=9 dios=1
                    254:0 rbytes=1 wbytes=2 rios=1 wios=2 dbytes=0 dios=0
                    7:0
                    """),
                Map.entry(
                    "memory.stat", "anon 1024\nfile 512\nshmem 200\npgfault 77\npgmajfault 7\n"),
                Map.entry("pids.current", "3\n"),
                Map.entry("pids.peak", "5\n"),
                Map.entry("memory.events", "low 0\nhigh 1\nmax 4\noom 1\noom_kill 2\n"),
                Map.entry("memory.events.local", "low 0\noom_kill 0\noom_group_kill 0\n"),
                Map.entry("pids.events", "max 6\n"),
                Map.entry("pids.events.local", "max 1\n"),
                Map.entry("cpu.pressure", pressure(1000)),
                Map.entry("memory.pressure", pressure(2000)),
                Map.entry("io.pressure", pressure(3000))));
    assertEquals(
        new Usage(
            Optional.of(Duration.ofNanos(10_000)),
            Optional.of(Duration.ofNanos(20_000)),
            of(4096),
            of(8192),
            of(101),
            of(202),
            of(3),
            of(5),
            of(2),
            of(6),
            Optional.of(
                new Pressure(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3))),
            new MemoryDetails(of(1024), of(200), of(312), ABSENT, of(77), of(7))),
        CgroupUsage.read(files(job), Carried.NONE));
  }

  @Test
  void readsVersionOneFromItsHierarchiesAndAddsWhatIsGone() throws IOException {
    CgroupDirectory freezer = recorded("freezer", Map.of("freezer.state", "THAWED\n"));
    CgroupDirectory cpu =
        recorded(
            "cpuacct",
            Map.of("cpuacct.usage", "1234567890\n", "cpuacct.stat", "user 100\nsystem 20\n"));
    CgroupDirectory memory =
        recorded(
            "memory",
            Map.of(
                "memory.usage_in_bytes", "10\n",
                "memory.stat",
                    "rss 3\npgfault 4\ntotal_rss 30\ntotal_cache 4\ntotal_shmem 7\ntotal_pgfault 40\ntotal_pgmajfault 5\n",
                "memory.max_usage_in_bytes", "20\n",
                "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"));
    CgroupDirectory io =
        recorded(
            "blkio",
            Map.of(
                "blkio.throttle.io_service_bytes_recursive",
                "254:0 Read 7\n254:0 Write 8\n254:0 Total 15\n8:0 Read 1\nTotal 16\n"));
    CgroupDirectory pids =
        recorded("pids", Map.of("pids.current", "2\n", "pids.events", "max 4\n"));
    Usage usage =
        CgroupUsage.read(files(freezer, cpu, memory, io, pids), new Carried(100, 200, 3, 5));
    assertEquals(
        new Usage(
            Optional.of(Duration.ofNanos(1_034_567_890)),
            Optional.of(Duration.ofMillis(200)),
            of(10),
            of(20),
            of(108),
            of(208),
            of(2),
            ABSENT,
            of(4),
            of(9),
            Optional.empty(),
            new MemoryDetails(of(30), of(7), of(0), ABSENT, of(40), of(5))),
        usage);
  }

  @Test
  void whatIsNotCountedIsAbsentAndProcessesAreCountedByTheirList() throws IOException {
    CgroupDirectory hybrid =
        recorded(
            "unified",
            Map.of(
                "cpu.stat", "usage_usec 3\nuser_usec 1\nsystem_usec 2\n",
                "cgroup.procs", "17\n18\n"));
    Usage usage = CgroupUsage.read(files(hybrid), new Carried(1, 1, 1, 1));
    assertEquals(
        new Usage(
            Optional.of(Duration.ofNanos(1_000)),
            Optional.of(Duration.ofNanos(2_000)),
            ABSENT,
            ABSENT,
            ABSENT,
            ABSENT,
            of(2),
            ABSENT,
            ABSENT,
            ABSENT,
            Optional.empty(),
            MemoryDetails.NONE),
        usage);
  }

  /** As with Slurm's jobacct_gather/linux on v1, which makes no cgroup of cpuacct. */
  @Test
  void timeThatIsNotCountedIsNotZero() throws IOException {
    CgroupDirectory freezer = recorded("freezer", Map.of("cgroup.procs", "17\n"));
    Usage usage = CgroupUsage.read(files(freezer), Carried.NONE);
    assertEquals(Optional.empty(), usage.userTime());
    assertEquals(Optional.empty(), usage.systemTime());
  }

  @Test
  void aVersionOneDeviceListWithoutDevicesIsNotCounted() throws IOException {
    CgroupDirectory io =
        recorded("blkio", Map.of("blkio.throttle.io_service_bytes_recursive", "Total 0\n"));
    assertEquals(ABSENT, CgroupUsage.read(files(io), Carried.NONE).readBytes());
  }

  @Test
  void forksRefusedBeforeLinux611AreSummedOverTheTreeWithThoseOfRemovedCgroups()
      throws IOException {
    CgroupDirectory job = recorded("old", Map.of("pids.events", "max 0\n"));
    recorded("old/step/a", Map.of("pids.events", "max 2\n"));
    recorded("old/step/b", Map.of("pids.events", "max 3\n"));
    recorded("old/step", Map.of("pids.events", "max 0\n"));
    assertEquals(of(9), LimitHits.read(files(job), new Carried(0, 0, 0, 4)).pidsRefused());
  }

  @Test
  void forksRefusedSinceLinux611AreCountedOnceAlthoughTwoLevelsShowThem() throws IOException {
    CgroupDirectory job =
        recorded("new", Map.of("pids.events", "max 5\n", "pids.events.local", "max 5\n"));
    recorded("new/step", Map.of("pids.events", "max 0\n", "pids.events.local", "max 0\n"));
    assertEquals(of(5), LimitHits.read(files(job), Carried.NONE).pidsRefused());
    assertEquals(new Carried(0, 0, 0, 5), Carried.of(files(job)));
  }

  @Test
  void oomKillsOfARemovedCgroupAreNotLostWithLocalEvents() throws IOException {
    CgroupDirectory job =
        recorded(
            "local",
            Map.of("memory.events", "oom_kill 0\n", "memory.events.local", "oom_kill 0\n"));
    recorded(
        "local/leaf",
        Map.of("memory.events", "oom_kill 1\n", "memory.events.local", "oom_kill 1\n"));
    assertEquals(of(3), LimitHits.read(files(job), new Carried(0, 0, 2, 0)).oomKills());
  }

  @Test
  void whatIsCarriedIsReadAsItWasWritten() {
    Carried carried = new Carried(1, 20, 300, 4000);
    assertEquals(Optional.of(carried), Carried.parse(carried.text()));
    assertEquals(Optional.empty(), Carried.parse("1 2 3"));
    assertEquals(new Carried(2, 40, 600, 8000), carried.plus(carried));
    assertEquals(Carried.NONE, carried.minus(carried.plus(carried)));
  }
}
