package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmConfTest {
  @TempDir private Path directory;

  private Path spool(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("slurm.conf"), text);
    return SlurmConf.read(file).spoolDirectory("n7", "host7");
  }

  @Test
  void fillsInTheNamesOfNodeAndHost() throws IOException {
    assertEquals(Path.of("/var/spool/n7.host7"), spool("SlurmdSpoolDir=/var/spool/%n.%h\n"));
  }

  @Test
  void readsAnyCaseCommentsContinuationsAndSpaces() throws IOException {
    String text =
        """
        # SlurmdSpoolDir=/no
        clustername=alps \\
        slurmdspooldir = no
         SLURMDSPOOLDIR = /var/spool/a # where
        NodeName=n[1-9] CPUs=4
        """;
    assertEquals(Path.of("/var/spool/a"), spool(text));
  }

  @Test
  void readsIncludedFilesBesideItself() throws IOException {
    Files.writeString(directory.resolve("nodes.conf"), "SlurmdSpoolDir=\"/srv/spool\"\n");
    assertEquals(Path.of("/srv/spool"), spool("Include nodes.conf\n"));
  }

  @Test
  void hasSlurmsDefault() throws IOException {
    assertEquals(Path.of("/var/spool/slurmd"), spool("ClusterName=alps\n"));
  }

  @Test
  void namesTheFileThatCannotBeRead() {
    String said =
        String.valueOf(
            assertThrows(IOException.class, () -> spool("include missing.conf\n")).getMessage());
    assertTrue(said.contains("missing.conf"), said);
  }

  @Test
  void doesNotFollowIncludesInACircle() {
    String said =
        String.valueOf(
            assertThrows(IOException.class, () -> spool("include slurm.conf\n")).getMessage());
    assertTrue(said.contains("100 files"), said);
  }
}
