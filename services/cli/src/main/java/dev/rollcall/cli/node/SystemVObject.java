package dev.rollcall.cli.node;

import dev.rollcall.linux.KernelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A System V segment, semaphore set or message queue of a node, sysvipc(7). It outlives its
 * processes.
 *
 * @param creator the uid that made it. The owner's is another if the creator changed it (IPC_SET)
 * @param size in bytes; of semaphores their number
 */
record SystemVObject(Kind kind, long id, int creator, long size) {
  /** By their file in /proc/sysvipc, with the names of its columns. */
  enum Kind {
    SEGMENT("shm", "shmid", "size", "shared memory", "bytes"),
    SEMAPHORES("sem", "semid", "nsems", "semaphore set", "semaphores"),
    QUEUE("msg", "msqid", "cbytes", "message queue", "bytes");

    private final String file;
    private final String id;
    private final String size;
    private final String word;
    private final String unit;

    Kind(String file, String id, String size, String word, String unit) {
      this.file = file;
      this.id = id;
      this.size = size;
      this.word = word;
      this.unit = unit;
    }

    String word() {
      return word;
    }
  }

  /** For people. */
  String name() {
    return "%d (%d %s)".formatted(id, size, kind.unit);
  }

  /**
   * Reads all that no process uses, in the IPC namespace of this process. A segment that a process
   * has attached is left out; of the others the kernel does not tell.
   */
  static List<SystemVObject> unused(Path proc) throws IOException {
    List<SystemVObject> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Path file = proc.resolve("sysvipc").resolve(kind.file);
      if (Files.exists(file)) {
        all.addAll(read(kind, KernelText.lines(file)));
      }
    }
    return all;
  }

  private static List<SystemVObject> read(Kind kind, List<String> lines) {
    List<String> names = columns(lines.getFirst());
    return lines.stream()
        .skip(1)
        .map(SystemVObject::columns)
        .map(values -> row(names, values))
        .filter(row -> number(row, "nattch") == 0)
        .map(row ->
            new SystemVObject(
                kind, number(row, kind.id), (int) number(row, "cuid"), number(row, kind.size)))
        .toList();
  }

  private static Map<String, String> row(List<String> names, List<String> values) {
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
      row.put(names.get(i), values.get(i));
    }
    return row;
  }

  private static List<String> columns(String line) {
    return List.of(line.strip().split(" +"));
  }

  private static long number(Map<String, String> row, String column) {
    return Long.parseLong(row.getOrDefault(column, "0"));
  }
}
