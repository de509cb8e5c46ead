package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes what can be tried in a cluster that stays up, and makes two files for it below the
 * cluster's directory: a script that enters a node, and curl's options for the API.
 */
record LookAround(TestCluster cluster, Path distribution, boolean slurm) {
  /** Writes the files, and returns the text for people. */
  String text() {
    Path enter = enter();
    Path options = options();
    String gateway = "https://" + cluster.endpoint(cluster.gates().getFirst());
    var lines = new ArrayList<String>();
    lines.add("The cluster stays up until Ctrl-C. Its logs are in " + cluster.directory() + ".");
    lines.add("Enter a node as root, with rollcall in the PATH (login, node1, node2, node3):");
    lines.add("  " + enter + " node1");
    lines.addAll(slurm ? tryBatch() : tryNative());
    lines.add("In a node, see also:");
    lines.add("  the last decision    rollcall why; rollcall explain alice");
    lines.add("  jobs and processes   rollcall jobs; rollcall ps 901");
    lines.add("  a check of the node  rollcall doctor --config " + configuration());
    lines.add("  API                  curl --config %s %s/v1/nodes".formatted(options, gateway));
    lines.add(
        "  console              %s/console/, by a browser in a node, with".formatted(gateway));
    lines.add("                       the certificate in " + cluster.administrator());
    lines.add("  metrics              curl http://127.0.0.1:7451/metrics{,/jobs}");
    return String.join("\n", lines);
  }

  private Path configuration() {
    ClusterNode node = cluster.compute().getFirst();
    return cluster.configurationOf(node.address());
  }

  private static List<String> tryNative() {
    return List.of(
        "Begin a job on node1 and on node2, and on node1 go ssh from inside it:",
        "  rollcall job begin --user alice 901",
        "  rollcall job run --job 901 -- ssh node2 cat /proc/self/cgroup");
  }

  private static List<String> tryBatch() {
    return List.of(
        "On login, submit a job as alice and go ssh from one of its steps:",
        "  setpriv --reuid alice --regid alice --init-groups env HOME=/home/alice sh",
        "  sbatch -w node1,node2 -N2 --chdir /tmp -o /dev/null --wrap 'exec sleep 600'",
        "  srun --jobid ID --overlap -w node1 -N1 -n1 ssh node2 cat /proc/self/cgroup");
  }

  /** The shell is in the node's cgroup: the agent records only calls of processes there. */
  private Path enter() {
    var cases = new StringBuilder();
    for (ClusterNode node : cluster.nodes()) {
      cases.append(
          "  %s) pid=%d procs=%s ;;\n".formatted(node.name(), node.pid(), node.leaf("exec")));
    }
    return written(
        "enter",
        """
        #!/bin/sh
        set -eu
        case ${1:-} in
        %s  *) echo "usage: $0 login|node1|node2|node3" >&2; exit 2 ;;
        esac
        echo $$ >"$procs"
        export JAVA_HOME='%s' PATH="%s:$PATH"
        exec nsenter -t "$pid" -m -u -i -n -- bash
        """
            .formatted(cases, System.getProperty("java.home"), distribution.resolve("bin")));
  }

  private Path options() {
    Path own = cluster.administrator();
    return written(
        "curl",
        "cacert = %s\ncert = %s\nkey = %s\n"
            .formatted(
                cluster.authority(), own.resolve("certificate.pem"), own.resolve("key.pem")));
  }

  private Path written(String name, String text) {
    try {
      Path file = Files.writeString(cluster.directory().resolve(name), text);
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new RigException("cannot write " + name, e);
    }
  }
}
