package dev.rollcall.gateway.identity;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.AddressText;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the addresses of the site's nodes from a file in the form of hosts(5), for certificates
 * without addresses. A node has the addresses of the lines that have its name. An address on
 * several lines that have no common name is ignored, as are loopback, link-local and multicast
 * addresses.
 */
public final class NodeFile {
  private static final System.Logger LOG = System.getLogger(NodeFile.class.getName());
  private static final int LARGEST = 64 << 20;

  private final Path file;
  private String text;
  private volatile Content content;
  private String refused = "";

  /**
   * @param addresses by the name of their node
   * @param names all that the file has for an address, also for one that is ignored
   */
  private record Content(
      Map<String, Set<InetAddress>> addresses, Map<InetAddress, Set<String>> names) {}

  private NodeFile(Path file, String text) {
    this.file = file;
    this.text = text;
    this.content = parse(file, text);
  }

  /**
   * @throws IllegalArgumentException naming the file, and the line and what is wrong with it
   */
  public static NodeFile read(Path file) {
    try {
      return new NodeFile(file, content(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
    }
  }

  private static String content(Path file) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IOException("it is larger than " + LARGEST + " bytes");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** Returns the addresses of a node; empty if the file has none. */
  Set<InetAddress> of(NodeName node) {
    return content.addresses().getOrDefault(node.text(), Set.of());
  }

  /** Returns the names that the file has for an address; empty if it does not have the address. */
  public Set<String> names(InetAddress address) {
    return content.names().getOrDefault(address, Set.of());
  }

  /** Takes what the file holds now; what cannot be read changes nothing. Blocks. */
  public synchronized void renew() {
    try {
      String now = content(file);
      if (!now.equals(text)) {
        content = parse(file, now);
        text = now;
        LOG.log(INFO, "{0} has the addresses of {1} names", file, content.addresses().size());
      }
      refused = "";
    } catch (IOException | IllegalArgumentException e) {
      String problem = String.valueOf(e);
      if (!problem.equals(refused)) {
        LOG.log(
            WARNING, "{0} cannot be read, so its last contents stay in use: {1}", file, problem);
      }
      refused = problem;
    }
  }

  private static Content parse(Path file, String text) {
    Map<InetAddress, Set<String>> names = new HashMap<>();
    Set<InetAddress> disputed = new HashSet<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      List<String> words = words(lines.get(i));
      if (words.isEmpty()) {
        continue;
      }
      InetAddress address = address(file, i + 1, words.getFirst());
      if (isOfOneNode(address)) {
        var said = new HashSet<>(words.subList(1, words.size()));
        Set<String> before = names.putIfAbsent(address, said);
        if (before != null && before.stream().noneMatch(said::contains)) {
          disputed.add(address);
        }
        if (before != null) {
          before.addAll(said);
        }
      }
    }
    disputed.forEach(address ->
        LOG.log(WARNING, "{0}: {1} is on lines of different nodes", file, AddressText.of(address)));
    Map<InetAddress, Set<String>> undisputed = new HashMap<>(names);
    undisputed.keySet().removeAll(disputed);
    return new Content(byName(undisputed), names);
  }

  private static List<String> words(String line) {
    return Arrays.stream(line.replaceFirst("#.*", "").split("\\s+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static InetAddress address(Path file, int line, String word) {
    try {
      // Through Endpoint: written as everywhere else, v4-mapped as IPv4.
      return new Endpoint(InetAddress.ofLiteral(word), 0).address();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s:%d: '%s' is not an address".formatted(file, line, word), e);
    }
  }

  /** Whether an address can belong to one node alone. */
  public static boolean isOfOneNode(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isMulticastAddress()
        && !address.isAnyLocalAddress();
  }

  private static Map<String, Set<InetAddress>> byName(Map<InetAddress, Set<String>> names) {
    return names.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(name -> Map.entry(name, entry.getKey())))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey,
                Collectors.mapping(Map.Entry::getValue, Collectors.toUnmodifiableSet())));
  }
}
