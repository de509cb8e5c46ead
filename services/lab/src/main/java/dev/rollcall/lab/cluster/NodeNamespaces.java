package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.RigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One process that holds a set of namespaces open, in a cgroup of its own: a node's first process
 * or the one that keeps the networks.
 */
final class NodeNamespaces {
  private final String name;
  private final Process holder;
  private final BufferedReader says;
  private final Path log;

  private NodeNamespaces(String name, Process holder, Path log) {
    this.name = name;
    this.holder = holder;
    this.says = holder.inputReader(StandardCharsets.UTF_8);
    this.log = log;
  }

  /**
   * Starts the command in namespaces of its own.
   *
   * @param unshare which ones, as options of unshare(1)
   */
  static NodeNamespaces start(
      String name, List<String> unshare, Path procs, Path log, List<String> command) {
    var argv =
        new ArrayList<>(
            List.of("sh", "-c", "echo $$ > \"$1\"; shift; exec setsid unshare \"$@\"", "sh"));
    argv.add(procs.toString());
    argv.addAll(unshare);
    argv.add("--");
    argv.addAll(command);
    try {
      var builder = new ProcessBuilder(argv).redirectError(log.toFile());
      return new NodeNamespaces(name, builder.start(), log);
    } catch (IOException e) {
      throw new RigException("cannot start " + name, e);
    }
  }

  long pid() {
    return holder.pid();
  }

  /** Waits for a line of the first process; its end is a failure, so this does not hang. */
  void expect(String line) {
    try {
      String said = says.readLine();
      if (!line.equals(said)) {
        String instead = said == null ? "ended" : "said '" + said + "'";
        throw new RigException(
            "%s %s before it said '%s'; %s".formatted(name, instead, line, Logs.tail(log)));
      }
    } catch (IOException e) {
      throw new RigException("cannot hear " + name, e);
    }
  }

  void tell(String line) {
    try (var writer = holder.outputWriter(StandardCharsets.UTF_8)) {
      writer.write(line + "\n");
    } catch (IOException e) {
      throw new RigException("cannot tell " + name + " '" + line + "'", e);
    }
  }
}
