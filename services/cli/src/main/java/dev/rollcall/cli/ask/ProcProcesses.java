package dev.rollcall.cli.ask;

import dev.rollcall.cli.ask.OwnSession.Seen;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads processes from /proc. One that ends meanwhile is not there. */
public final class ProcProcesses {
  /** Counted from the field after the name: proc(5). */
  private static final int PARENT = 1;

  private static final int SESSION = 3;

  private static final int START_TIME = 19;

  private final Path proc;

  public ProcProcesses(Path proc) {
    this.proc = proc;
  }

  public List<Seen> all() throws IOException {
    List<Seen> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path entry : entries) {
        one(entry).ifPresent(all::add);
      }
    }
    return all;
  }

  public Optional<Seen> of(long pid) {
    return one(proc.resolve(Long.toString(pid)));
  }

  private static Optional<Seen> one(Path process) {
    try {
      String stat = text(process, "stat");
      int open = stat.indexOf('(');
      int close = stat.lastIndexOf(") ");
      String[] fields = stat.substring(close + 2).split(" ", -1);
      var ref =
          new ProcessRef(
              Integer.parseInt(stat.substring(0, open).strip()),
              Long.parseLong(fields[START_TIME]));
      return Optional.of(
          new Seen(
              ref,
              Integer.parseInt(fields[PARENT]),
              effectiveUid(text(process, "status")),
              Integer.parseInt(fields[SESSION]),
              text(process, "cgroup"),
              stat.substring(open + 1, close)));
    } catch (IOException | RuntimeException ended) {
      return Optional.empty();
    }
  }

  private static int effectiveUid(String status) {
    String line = status.lines().filter(each -> each.startsWith("Uid:")).findFirst().orElseThrow();
    return Integer.parseUnsignedInt(line.split("\\s+", -1)[2]);
  }

  private static String text(Path process, String file) throws IOException {
    return new String(Files.readAllBytes(process.resolve(file)), StandardCharsets.ISO_8859_1);
  }
}
