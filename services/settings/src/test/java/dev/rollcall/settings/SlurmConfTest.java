package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void commentsMayBeInAnotherEncoding() throws IOException {
    Path file = directory.resolve("slurm.conf");
    Files.write(
        file, "# f\u00fcr alle\nSlurmdSpoolDir=/srv/spool\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(Path.of("/srv/spool"), SlurmConf.read(file).spoolDirectory("n7", "host7"));
  }

  @Test
  void readsIncludedFilesBesideItself() throws IOException {
    Files.writeString(directory.resolve("nodes.conf"), "SlurmdSpoolDir=\"/srv/spool\"\n");
    assertEquals(Path.of("/srv/spool"), spool("Include nodes.conf\n"));
  }

  /** As on a node whose slurmd has not yet got it from slurmctld. */
  @Test
  void theFileIsAwaited() throws Exception {
    Path none = directory.resolve("etc/slurm.conf");
    Path late = directory.resolve("slurm.conf");
    var found =
        CompletableFuture.supplyAsync(
            () -> awaited(List.of(none, late), Duration.ofSeconds(30)), Thread::startVirtualThread);
    Files.writeString(directory.resolve("new"), "SlurmdSpoolDir=/srv/spool\n");
    Files.move(directory.resolve("new"), late);
    assertEquals(Optional.of(late), found.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aFileThatDoesNotComeIsNone() {
    List<Path> none = List.of(directory.resolve("slurm.conf"));
    assertEquals(Optional.empty(), awaited(none, Duration.ZERO));
  }

  private static Optional<Path> awaited(List<Path> places, Duration within) {
    try {
      return SlurmConf.await(places, within);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void hasSlurmsDefault() throws IOException {
    assertEquals(Path.of("/var/spool/slurmd"), spool("ClusterName=alps\n"));
  }

  @Test
  void namesTheFileThatCannotBeRead() {
    Path none = directory.resolve("none.conf");
    String said =
        String.valueOf(assertThrows(IOException.class, () -> SlurmConf.read(none)).getMessage());
    assertEquals("cannot read " + none + ": there is no such file", said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ClusterName=alps\nInclude %c/nodes.conf\n",
        "ClusterName=alps SlurmdSpoolDir=/srv/spool SlurmdPort=6818\n",
        "SlurmdSpoolDir=/srv/spool SlurmdPidFile=/run/slurmd.pid\n",
        "SlurmdSpoolDir=/no\nSlurmdSpoolDir=/srv/spool\n",
        "SlurmdSpoolDir=/srv/spool\r\nPrologFlags=\r\n",
        "\uFEFFSlurmdSpoolDir=/srv/spool\n",
        "include missing.conf\ninclude slurm.conf\nwhat is this\nSlurmdSpoolDir=/srv/spool\n",
      })
  void whatSlurmAcceptsIsRead(String text) throws IOException {
    Files.createDirectory(directory.resolve("alps"));
    Files.writeString(directory.resolve("alps/nodes.conf"), "SlurmdSpoolDir=/srv/spool\n");
    assertEquals(Path.of("/srv/spool"), spool(text));
  }
}
