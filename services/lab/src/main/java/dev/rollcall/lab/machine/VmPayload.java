package dev.rollcall.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a machine gets at its start.
 *
 * @param entries files and folders of this machine by their absolute names inside
 */
public record VmPayload(Map<String, Path> entries) {
  private static final Duration PACKED_WITHIN = Duration.ofMinutes(2);
  private static final String COMMAND = "/srv/rollcall-vm/command";

  public VmPayload {
    entries = Map.copyOf(entries);
    entries.keySet().forEach(VmPayload::check);
  }

  private static void check(String name) {
    if (!name.matches("(/[\\w.+-]+)+")) {
      throw new IllegalArgumentException("not an absolute name of plain words: " + name);
    }
  }

  public static VmPayload empty() {
    return new VmPayload(Map.of());
  }

  public VmPayload with(String name, Path file) {
    var more = new LinkedHashMap<>(entries);
    more.put(name, file);
    return new VmPayload(more);
  }

  /** Writes a tar of it all and of the command, as root's, in whole disk blocks. */
  void write(Path tar, String command, Path work) throws IOException {
    Path script = Files.writeString(work.resolve("command"), command + "\n");
    add(tar, COMMAND, script);
    for (var entry : entries.entrySet()) {
      add(tar, entry.getKey(), entry.getValue());
    }
    long size = Files.size(tar);
    Tool.run(
        PACKED_WITHIN,
        List.of("truncate", "-s", Long.toString((size + 4095) / 4096 * 4096), tar.toString()));
  }

  private static void add(Path tar, String name, Path file) throws IOException {
    // With -C a folder is "." and a file its own name; S: targets of symbolic links stay.
    boolean folder = Files.isDirectory(file);
    Path from = file.toAbsolutePath().normalize();
    String member = folder ? "." : from.getFileName().toString();
    Tool.run(
        PACKED_WITHIN,
        List.of(
            "tar",
            "rf",
            tar.toString(),
            "--owner=0",
            "--group=0",
            "--transform=s,^%s,%s,S".formatted(member.replace(".", "[.]"), name.substring(1)),
            "-C",
            (folder ? from : from.resolveSibling("")).toString(),
            member));
  }
}
