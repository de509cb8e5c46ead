package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    List<Integer> first =
        IntStream.range(0, Math.min(most, 20_000)).mapToObj(i -> FIRST_PID + i).toList();
    assertEquals(first, processes(20_000).pids(most));
    assertEquals(first, processes(20_000).pidsBelow(most));
  }

  @Test
  void namesAllProcesses() throws IOException {
    assertEquals(20_000, processes(20_000).pids().size());
    assertEquals(List.of(), new CgroupDirectory(directory.resolve("gone")).pids(10));
  }

  @Test
  void childrenAreTheCgroupsRightBelow() throws IOException {
    CgroupDirectory top = new CgroupDirectory(directory);
    Files.writeString(directory.resolve("cgroup.procs"), "");
    assertEquals(List.of(), top.children());
    top.child("child").child("below").create();
    assertEquals(List.of(top.child("child")), top.children());
    assertEquals(List.of(), top.child("gone").children());
    assertEquals(List.of(), top.child("long".repeat(100)).children());
  }

  @Test
  void parentsComeBeforeTheirChildrenOrFromBelowAfterThem() throws IOException {
    CgroupDirectory top = new CgroupDirectory(directory.resolve("top"));
    CgroupDirectory middle = top.child("middle");
    middle.child("lowest").create();
    List<CgroupDirectory> down = List.of(top, middle, middle.child("lowest"));
    assertEquals(down, top.tree());
    List<CgroupDirectory> up = new ArrayList<>();
    assertFalse(
        top.anyFromBelow(each -> {
          up.add(each);
          return false;
        }));
    assertEquals(down.reversed(), up);
    List<CgroupDirectory> near = new ArrayList<>();
    top.walk(1, near::add);
    assertEquals(List.of(top, middle), near);
    assertEquals(List.of(), new CgroupDirectory(directory.resolve("gone")).tree());
  }

  @Test
  void noneIsAskedAfterTheFirstOne() throws IOException {
    CgroupDirectory top = new CgroupDirectory(directory.resolve("top"));
    top.child("middle").child("lowest").create();
    List<CgroupDirectory> asked = new ArrayList<>();
    assertTrue(
        top.any(each -> {
          asked.add(each);
          return each.equals(top.child("middle"));
        }));
    assertEquals(List.of(top, top.child("middle")), asked);
  }

  /** Users make as many as they like, with paths of 4,095 bytes; an agent's heap has 48 MiB. */
  @Test
  void noMorePathsAreKeptThanThereAreLevels() throws IOException {
    CgroupDirectory top = new CgroupDirectory(directory.resolve("top"));
    for (int i = 0; i < 50; i++) {
      top.child("a" + i).child("b").create();
    }
    List<WeakReference<Path>> visited = new ArrayList<>();
    top.walk(each -> visited.add(new WeakReference<>(each.path())));
    assertEquals(101, visited.size());
    visited.clear();
    top.walk(each -> {
      visited.add(new WeakReference<>(each.path()));
      if (visited.size() == 90) {
        System.gc();
        long kept = visited.stream().filter(path -> path.get() != null).count();
        assertTrue(kept < 20, kept + " of 90 paths are kept");
      }
    });
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
