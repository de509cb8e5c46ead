package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks at what there is, by /proc and the cgroup tree alone: Rollcall is not asked. */
final class Inventory {
  private final TestCluster cluster;

  Inventory(TestCluster cluster) {
    this.cluster = cluster;
  }

  List<Holdings> holdings() {
    return cluster.compute().stream().map(this::of).toList();
  }

  /** The agents and gateways, by where they run. */
  Map<NodeAddress, Life> lives() {
    return Stream.concat(cluster.shape().gates().stream(), cluster.shape().withAgent().stream())
        .collect(Collectors.toMap(Function.identity(), node -> Life.of(cluster.daemon(node))));
  }

  private Holdings of(ClusterNode node) {
    long agent = cluster.agent(node.address()).pid();
    Path fds = Path.of("/proc/" + agent);
    return new Holdings(
        node.name(),
        below(node.cgroup(), "job_"),
        processes(node.cgroup()),
        lines(Path.of("/proc/" + node.pid() + "/mountinfo")).size(),
        list(fds.resolve("fd")).size(),
        (int)
            list(fds.resolve("fdinfo")).stream()
                .filter(fd -> lines(fd).stream().anyMatch(Inventory::isOfBpf))
                .count());
  }

  private static boolean isOfBpf(String line) {
    return line.startsWith("prog_id:") || line.startsWith("map_id:") || line.startsWith("link_id:");
  }

  /** The soak's own processes that are alive. */
  List<Marked> marked() {
    var marked = new ArrayList<Marked>();
    for (Path process : list(Path.of("/proc"))) {
      String name = process.getFileName().toString();
      if (Character.isDigit(name.charAt(0))) {
        String cmdline = text(process.resolve("cmdline"));
        if (cmdline.startsWith(Marked.NAME)) {
          String cgroup = text(process.resolve("cgroup"));
          if (cgroup.contains("rollcall-" + cluster.id())) {
            Marked.of(Long.parseLong(name), cmdline, cgroup).ifPresent(marked::add);
          }
        }
      }
    }
    return marked;
  }

  private static int below(Path root, String beginning) {
    try (Stream<Path> all = Files.walk(root)) {
      return (int) all.filter(path -> path.getFileName().toString().startsWith(beginning)).count();
    } catch (IOException | java.io.UncheckedIOException e) {
      return Integer.MAX_VALUE; // a cgroup went away while we looked: not settled yet
    }
  }

  private static int processes(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> path.endsWith("cgroup.procs"))
          .mapToInt(one -> lines(one).size())
          .sum();
    } catch (IOException | java.io.UncheckedIOException e) {
      return Integer.MAX_VALUE;
    }
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
