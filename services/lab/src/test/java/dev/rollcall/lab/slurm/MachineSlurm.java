package dev.rollcall.lab.slurm;

import dev.rollcall.lab.cluster.MachineMounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the machine's own Slurm would notice: its mounts, configuration, state and logs. */
final class MachineSlurm {
  private MachineSlurm() {}

  static Map<String, List<String>> read() {
    try {
      var all = new HashMap<String, List<String>>();
      all.put("mounts", MachineMounts.read());
      for (String folder :
          List.of("/etc/slurm", "/var/lib/slurm", "/var/log/slurm", "/etc/munge")) {
        all.put(folder, names(Path.of(folder)));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> names(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of("none");
    }
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
