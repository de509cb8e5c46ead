package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The bridges of a cluster, in a namespace of their own, so that clusters do not meet. It is also
 * the router between those on which it has an address.
 */
final class Networks {
  private static final Duration TOOL_DEADLINE = Patience.ofSeconds(20);

  private final NodeNamespaces namespace;

  private Networks(NodeNamespaces namespace) {
    this.namespace = namespace;
  }

  static Networks raise(ClusterLayout layout) throws IOException {
    Files.write(layout.files().resolve("networks"), layout.shape().topology().bridges());
    Files.writeString(layout.files().resolve("nat"), layout.shape().topology().nat());
    var namespace =
        NodeNamespaces.start(
            "router",
            List.of("-n"),
            layout.tree().leaf("router"),
            layout.files().resolve("router.log"),
            List.of("sh", layout.script("router.sh").toString(), layout.files().toString()));
    namespace.expect("up");
    return new Networks(namespace);
  }

  /** Gives the network namespace of a process cards, whose other ends are on the bridges. */
  void plug(NodeAddress node, List<Card> cards, long pid) {
    var argv =
        new ArrayList<>(List.of("nsenter", "-t", Long.toString(namespace.pid()), "-n", "sh", "-c"));
    argv.addAll(List.of("printf '%s\\n' \"$@\" | ip -batch -", "sh"));
    cards.stream().flatMap(card -> plugging(node, card, pid)).forEach(argv::add);
    Running.run(TOOL_DEADLINE, argv).outOrThrow("plugging " + node.name() + " in");
  }

  private static Stream<String> plugging(NodeAddress node, Card card, long pid) {
    String port = card.device() + "-" + node.name();
    return Stream.of(
        "link add %s type veth peer name %s netns %d".formatted(port, card.device(), pid),
        "link set %s master %s up".formatted(port, card.bridge()));
  }
}
