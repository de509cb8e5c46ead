package dev.rollcall.lab.scenario;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A library that alice puts, in her job's mount namespace, where every program there loads it: by
 * {@code /etc/ld.so.preload}, and by {@code /etc/nsswitch.conf} for those that look up a user. It
 * writes down who loads it.
 */
record PlantedLibrary(Path trace) {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String HOME = "/home/alice/planted";

  /** One that the C library knows and that no machine here is configured to use. */
  private static final String NAMES = "hesiod";

  /** Her own /etc, with two files of her making, and of the rest what she can read. */
  private static final String ETC =
      """
      cp -r /etc . 2>/dev/null
      rm -f etc/ld.so.preload etc/nsswitch.conf
      echo %1$s/preload.so > etc/ld.so.preload
      printf 'passwd: %2$s files\\ngroup: %2$s files\\n' > etc/nsswitch.conf
      """
          .formatted(HOME, NAMES);

  /**
   * Who loaded it.
   *
   * @param how {@code preload} or {@code names}
   */
  record Load(String how, long uid, long euid, String program) {}

  /**
   * @param pins the directory of the job's namespaces
   */
  static PlantedLibrary in(ClusterNode node, String pins) throws IOException {
    node.shell(
            User.ALICE,
            "mkdir " + HOME + " && cd " + HOME + " && : > trace && chmod 666 trace && " + ETC)
        .outOrThrow("an /etc of alice's");
    String trace = "-DTRACE=\"" + HOME + "/trace\"";
    compile(node, "planted.c", "preload.so", "-shared", "-fPIC", trace, "-DWHAT=\"preload\"");
    compile(node, "planted.c", "names.so", "-shared", "-fPIC", trace, "-DWHAT=\"names\"");
    compile(node, "plant.c", "plant");
    node.exec(
            User.ALICE, HOME + "/plant", pins, HOME + "/names.so", library(), HOME + "/etc", "/etc")
        .outOrThrow("what alice mounts in her job");
    return new PlantedLibrary(node.file(HOME + "/trace"));
  }

  private static String library() throws IOException {
    try (var found =
        Files.find(
            Path.of("/usr/lib"), 2, (path, _) -> path.endsWith("libnss_" + NAMES + ".so.2"))) {
      return found
          .findFirst()
          .orElseThrow(() -> new RigException("no libnss_" + NAMES + ".so.2 below /usr/lib"))
          .toString();
    }
  }

  private static void compile(ClusterNode node, String source, String to, String... options)
      throws IOException {
    Path file = node.file(HOME + "/" + source);
    try (InputStream text = PlantedLibrary.class.getResourceAsStream(source)) {
      if (text == null) {
        throw new RigException("resource " + source + " is missing");
      }
      Files.write(file, text.readAllBytes());
    }
    List<String> words =
        new ArrayList<>(List.of("gcc", "-o", node.file(HOME + "/" + to).toString()));
    words.addAll(Arrays.asList(options));
    words.add(file.toString());
    Running.run(DEADLINE, words).outOrThrow("gcc " + source);
  }

  /** Who loaded it since this was asked last. */
  List<Load> loads() throws IOException {
    List<Load> loads =
        Files.readAllLines(trace).stream()
            .map(line -> line.split(" ", 4))
            .map(words ->
                new Load(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]))
            .toList();
    Files.writeString(trace, "");
    return loads;
  }
}
