package dev.rollcall.linux.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceNameTest {
  @ParameterizedTest
  @CsvSource({
    "system.slice, system.slice",
    "batch-jobs.slice, batch.slice/batch-jobs.slice",
    "a-b-c.slice, a.slice/a-b.slice/a-b-c.slice",
    "site.jobs.slice, site.jobs.slice"
  })
  void aDashIsALevel(String name, String path) {
    assertEquals(Path.of(path), new SliceName(name).path());
  }

  @Test
  void theRootSliceIsNoDirectoryOfItsOwn() {
    assertEquals(Path.of("/top"), Path.of("/top").resolve(SliceName.ROOT.path()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "system",
        ".slice",
        "-a.slice",
        "a-.slice",
        "a--b.slice",
        "../a.slice",
        "a/b.slice",
        "a.scope"
      })
  void whatIsNoSliceIsNamed(String name) {
    var e = assertThrows(IllegalArgumentException.class, () -> new SliceName(name));
    assertTrue(e.toString().contains("'" + name + "'"), e.toString());
  }
}
