package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.calls.SocketHolder.Holders;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded processes. */
class SocketHolderTest {
  @TempDir private Path root;
  private long nanos;
  private long nanosOfALook;

  private SocketHolder holder(int mostDescriptors) {
    return new SocketHolder(new Proc(root), mostDescriptors, () -> nanos += nanosOfALook);
  }

  /** A process with so many descriptors of a pipe, and these sockets. */
  private ProcessRef process(int pid, long startTime, int pipes, long... sockets)
      throws IOException {
    Path process = Files.createDirectory(root.resolve(Integer.toString(pid)));
    Files.writeString(
        process.resolve("stat"),
        pid + " (a) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " + startTime + " 0\n");
    Path descriptors = Files.createDirectory(process.resolve("fd"));
    for (int i = 0; i < pipes; i++) {
      Files.createSymbolicLink(descriptors.resolve("1" + i), Path.of("pipe:[1]"));
    }
    for (long socket : sockets) {
      Files.createSymbolicLink(
          descriptors.resolve("2" + socket), Path.of("socket:[" + socket + "]"));
    }
    return new ProcessRef(pid, startTime);
  }

  @Test
  void theOldestProcessThatHoldsASocketIsFoundForEach() throws Exception {
    ProcessRef child = process(7, 90, 1, 100, 101);
    ProcessRef parent = process(8, 80, 1, 100);
    ProcessRef gone = new ProcessRef(9, 70);
    assertEquals(
        new Holders(Map.of(100L, parent, 101L, child), Optional.empty()),
        holder(100).of(List.of(100L, 101L), List.of(child, parent, gone)));
    assertEquals(
        new Holders(Map.of(100L, parent), Optional.empty()),
        holder(100).of(List.of(100L, 102L), List.of(child, parent)),
        "nobody has the other one");
  }

  @Test
  void aPidThatIsALaterProcessHoldsNothing() throws Exception {
    ProcessRef now = process(7, 90, 0, 100);
    assertEquals(
        new Holders(Map.of(), Optional.empty()),
        holder(100).of(List.of(100L), List.of(new ProcessRef(now.pid(), 89))));
  }

  @Test
  void aSearchEndsAfterSoManyDescriptorsOfAllProcesses() throws Exception {
    List<ProcessRef> candidates =
        List.of(process(7, 70, 40), process(8, 80, 40), process(9, 90, 0, 100));
    assertEquals(
        new Holders(Map.of(100L, candidates.getLast()), Optional.empty()),
        holder(81).of(List.of(100L), candidates));
    assertEquals(
        new Holders(Map.of(), Optional.of("80 descriptors")),
        holder(80).of(List.of(100L), candidates));
    assertEquals(
        new Holders(Map.of(), Optional.of("10 descriptors")),
        holder(10).of(List.of(100L), candidates));
  }

  @Test
  void aSearchEndsAfterItsTime() throws Exception {
    List<ProcessRef> candidates = List.of(process(7, 70, 40), process(8, 80, 0, 100));
    nanosOfALook = SocketHolder.MOST_TIME.toNanos() / 100;
    assertEquals(
        new Holders(Map.of(100L, candidates.getLast()), Optional.empty()),
        holder(1_000).of(List.of(100L), candidates));
    nanosOfALook = SocketHolder.MOST_TIME.toNanos() / 20;
    assertEquals(
        new Holders(Map.of(), Optional.of("500 ms")), holder(1_000).of(List.of(100L), candidates));
  }
}
