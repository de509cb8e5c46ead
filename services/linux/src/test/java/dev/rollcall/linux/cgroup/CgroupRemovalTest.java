package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.CgroupRemoval.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupRemovalTest {
  @TempDir Path root;

  static void delete(Path top) throws IOException {
    try (Stream<Path> all = Files.walk(top)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static BoundedWait patience() {
    return BoundedWait.of(Duration.ofMillis(50));
  }

  @Test
  void aTreeGoesDeepestFirst() throws IOException {
    CgroupDirectory top = new CgroupDirectory(root.resolve("job_1"));
    top.child("a").child("b").create();
    top.child("c").create();
    assertEquals(new Outcome.Removed(), CgroupRemoval.remove(top, patience()));
    assertFalse(top.exists());
    assertEquals(new Outcome.Removed(), CgroupRemoval.remove(top, patience()), "gone is removed");
  }

  @Test
  void processesAreToldAndNothingAboveThemGoes() throws IOException {
    CgroupDirectory top = new CgroupDirectory(root.resolve("job_1"));
    top.child("a").create();
    Files.writeString(top.child("a").procsFile(), "12\n34\n");
    assertEquals(new Outcome.Occupied(List.of(12, 34)), CgroupRemoval.remove(top, patience()));
    assertTrue(top.child("a").exists());
  }

  @Test
  void whatStaysBusyIsRefusedNamingTheDirectory() throws IOException {
    CgroupDirectory top = new CgroupDirectory(root.resolve("job_1"));
    top.create();
    Files.writeString(top.path().resolve("stuck"), "");
    Outcome.Refused refused =
        assertInstanceOf(Outcome.Refused.class, CgroupRemoval.remove(top, patience()));
    assertTrue(refused.reason().contains(top.toString()), refused.reason());
  }

  @Test
  void whatStaysBusyDoesNotKeepTheOthers() throws IOException {
    CgroupDirectory top = new CgroupDirectory(root.resolve("job_1"));
    for (int i = 0; i < 9; i++) {
      top.child("a" + i).create();
    }
    Files.writeString(top.child("a4").path().resolve("stuck"), "");
    assertInstanceOf(Outcome.Refused.class, CgroupRemoval.remove(top, patience()));
    assertEquals(List.of(top.child("a4")), top.children());
  }
}
