package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.mount.Bpffs;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Prefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a test of calls needs: a bpffs and cgroups of its own, and a network namespace that is
 * registered as trusted, with addresses of a cluster on its loopback interface. Traffic stays in
 * there.
 */
final class CallRig implements AutoCloseable {
  static final String V4 = "10.77.9.1";
  static final String V6 = "fd77:9::1";
  static final Prefix CLUSTER_V4 = Prefix.parse("10.77.9.0/24");
  static final Prefix CLUSTER_V6 = Prefix.parse("fd77:9::/64");
  private static final Path PROC = Path.of("/proc");

  final Path bpf;
  final Path group;
  final Optional<Path> freezerGroup;
  private final Network network;
  private final List<Caller> callers = new ArrayList<>();

  CallRig(Path directory) throws IOException {
    bpf = directory.resolve("bpf");
    Bpffs.mount(bpf);
    String name = "rollcall-linux-test-" + ProcessHandle.current().pid();
    CgroupMounts mounts = CgroupMounts.read(PROC);
    group = Files.createDirectory(mounts.v2().orElseThrow().point().resolve(name));
    Optional<CgroupMount> freezer = mounts.v1("freezer");
    freezerGroup =
        freezer.isPresent()
            ? Optional.of(Files.createDirectory(freezer.get().point().resolve(name)))
            : Optional.empty();
    network = Network.start();
  }

  /** A network namespace with the cluster's addresses, held by a process. */
  record Network(Process holder) implements AutoCloseable {
    static Network start() throws IOException {
      Process holder =
          new ProcessBuilder(
                  "unshare", "--net", "sh", "-c", addresses("echo ready; exec sleep 600"))
              .start();
      assertEquals("ready", holder.inputReader().readLine());
      return new Network(holder);
    }

    Path file() {
      return PROC.resolve(holder.pid() + "/ns/net");
    }

    @Override
    public void close() {
      holder.destroyForcibly();
    }
  }

  Network anotherNetwork() throws IOException {
    return Network.start();
  }

  /** The kernel makes the route to an address of IPv6 a moment after the address (addrconf). */
  static String addresses(String then) {
    return """
    ip link set lo up && ip addr add %1$s/24 dev lo && ip addr add %2$s/64 dev lo nodad &&
    for i in $(seq 200); do ip -6 route get %2$s >/dev/null 2>&1 && break; sleep 0.05; done;
    """
            .formatted(V4, V6)
        + then;
  }

  Path trustedNetwork() {
    return network.file();
  }

  CallSourceConfig config(Set<Integer> ports) {
    return config(ports, Set.of(CLUSTER_V4, CLUSTER_V6), List.of(trustedNetwork()));
  }

  CallSourceConfig config(Set<Integer> ports, Set<Prefix> prefixes, List<Path> namespaces) {
    return config(ports.stream().map(TrackedPorts::of).toList(), prefixes, namespaces);
  }

  /** The cluster's prefixes, in the trusted network. */
  CallSourceConfig tracking(String... ports) {
    List<TrackedPorts> tracked = Stream.of(ports).map(TrackedPorts::parse).toList();
    return config(tracked, Set.of(CLUSTER_V4, CLUSTER_V6), List.of(trustedNetwork()));
  }

  /** Calls to these ports are counted, and none is pushed. */
  CallSourceConfig watching(Set<Integer> ports) {
    CallSourceConfig usual = config(Set.of());
    return new CallSourceConfig(
        bpf,
        group,
        usual.trustedNamespaces(),
        List.of(),
        usual.clusterPrefixes(),
        ports,
        PROC,
        usual.callers());
  }

  private CallSourceConfig config(
      List<TrackedPorts> ports, Set<Prefix> prefixes, List<Path> namespaces) {
    Proc proc = new Proc(PROC);
    return new CallSourceConfig(
        bpf, group, namespaces, ports, prefixes, Set.of(), PROC, proc::ofUid);
  }

  /** A process in the cgroups of this rig and in the trusted network. */
  Caller caller() throws IOException {
    return caller("");
  }

  Caller caller(String uid) throws IOException {
    return start(List.of("nsenter", "--net=" + trustedNetwork()), groups(), uid);
  }

  /** In the cgroups of this rig, and in the network of the test itself. */
  Caller callerOutside() throws IOException {
    return start(List.of(), groups(), "");
  }

  /** What a user can do: a user and a network namespace with the same addresses. */
  Caller forger() throws IOException {
    String join = "echo $$ > " + group + "/cgroup.procs; exec \"$@\"";
    return start(
        List.of(
            "sh",
            "-c",
            join,
            "sh",
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "unshare",
            "-Urn",
            "sh",
            "-c",
            addresses("exec \"$@\""),
            "sh"),
        List.of(),
        "");
  }

  private Caller start(List<String> before, List<Path> groups, String uid) throws IOException {
    Caller caller = Caller.start(before, groups, uid);
    callers.add(caller);
    return caller;
  }

  List<Path> groups() {
    List<Path> groups = new ArrayList<>(List.of(group));
    freezerGroup.ifPresent(groups::add);
    return groups;
  }

  static long inode(Path path) throws IOException {
    return (Long) Files.getAttribute(path, "unix:ino");
  }

  @Override
  public void close() throws IOException {
    for (Caller caller : callers) {
      caller.close();
    }
    network.close();
    Mount.detach(bpf);
    for (Path each : groups()) {
      Files.delete(each);
    }
  }
}
