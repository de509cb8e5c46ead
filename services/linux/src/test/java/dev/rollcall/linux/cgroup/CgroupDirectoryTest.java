package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CgroupDirectoryTest {
  private static final int FIRST_PID = 4_000_000;

  @TempDir Path directory;

  /** More than are wanted are neither read nor kept: users make processes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 513, 16_384, 20_000, 30_000})
  void namesTheFirstOfManyProcesses(int most) throws IOException {
    assertEquals(
        IntStream.range(0, Math.min(most, 20_000)).mapToObj(i -> FIRST_PID + i).toList(),
        processes(20_000).pids(most));
  }

  @Test
  void namesAllProcesses() throws IOException {
    assertEquals(20_000, processes(20_000).pids().size());
    assertEquals(List.of(), new CgroupDirectory(directory.resolve("gone")).pids(10));
  }

  private CgroupDirectory processes(int count) throws IOException {
    Files.writeString(
        directory.resolve("cgroup.procs"),
        IntStream.range(0, count)
            .mapToObj(i -> FIRST_PID + i + "\n")
            .collect(Collectors.joining()));
    return new CgroupDirectory(directory);
  }
}
