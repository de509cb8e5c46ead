package dev.rollcall.cli.doctor;

import dev.rollcall.linux.KernelText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The Match blocks of sshd_config, and for each an example of a connection that it is for: what is
 * in force there only {@code sshd -T -C} knows.
 *
 * @param root {@code /}, or a directory that looks like it
 */
record MatchBlocks(Path root) {
  private static final String NOBODY = "nobody";

  /** Of documentation (RFC 5737, RFC 2606): whatever a block does not ask for is this. */
  private static final Map<String, String> ANYBODY =
      ofPairs(
          "user", NOBODY,
          "host", "client.example",
          "addr", "192.0.2.1",
          "laddr", "192.0.2.2",
          "lport", "22");

  private static final int DEEPEST = 16;
  private static final int OCTETS = 4;

  /** As it is written. */
  record Block(String where, String criteria) {}

  private static Map<String, String> ofPairs(String... pairs) {
    var map = new LinkedHashMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** In the order in which sshd reads them. */
  List<Block> all() throws IOException {
    List<Block> found = new ArrayList<>();
    read(root.resolve("etc/ssh/sshd_config"), found, 0);
    return found;
  }

  private void read(Path file, List<Block> found, int depth) throws IOException {
    List<String> lines = KernelText.lines(file);
    for (int number = 1; number <= lines.size(); number++) {
      String[] words = lines.get(number - 1).strip().split("[\\s=]+", 2);
      String keyword = words[0].toLowerCase(Locale.ROOT);
      if (words.length == 2 && keyword.equals("match")) {
        found.add(new Block(file + " line " + number, words[1].strip()));
      } else if (words.length == 2 && keyword.equals("include") && depth < DEEPEST) {
        for (String pattern : words[1].strip().split("\\s+", -1)) {
          include(pattern.replace("\"", ""), found, depth);
        }
      }
    }
  }

  private void include(String pattern, List<Block> found, int depth) throws IOException {
    Path named =
        root.resolve(pattern.startsWith("/") ? pattern.substring(1) : "etc/ssh/" + pattern);
    Path folder = named.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return; // sshd passes over what is not there, too
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> each =
        Files.newDirectoryStream(folder, named.getFileName().toString())) {
      each.forEach(files::add);
    }
    files.sort(null);
    for (Path file : files) {
      read(file, found, depth + 1);
    }
  }

  /** The values for a connection without known properties. */
  static String anybody() {
    return text(ANYBODY);
  }

  /** As {@code sshd -C} takes it. */
  Seen<String> example(String criteria) {
    var example = new LinkedHashMap<>(ANYBODY);
    List<String> words =
        Arrays.stream(criteria.replace("\"", "").split("[\\s=]+", -1))
            .filter(word -> !word.isEmpty())
            .toList();
    for (int at = 0; at < words.size(); at += 2) {
      String criterion = words.get(at).toLowerCase(Locale.ROOT);
      if (criterion.equals("all")) {
        at--;
        continue;
      }
      Optional<String> pattern =
          at + 1 < words.size() ? positive(words.get(at + 1)) : Optional.empty();
      if (pattern.isEmpty()) {
        return new Seen.Not<>("there is nothing positive in " + words.get(at));
      }
      Seen<String> value = value(criterion, pattern.get());
      switch (value) {
        case Seen.Not<String> not -> {
          return not;
        }
        case Seen.Got<String>(String got) -> {
          boolean asMember = criterion.equals("group");
          if (!asMember || NOBODY.equals(example.get("user"))) {
            example.put(asMember ? "user" : key(criterion), got);
          }
        }
      }
    }
    return new Seen.Got<>(text(example));
  }

  private static Optional<String> positive(String patterns) {
    return Arrays.stream(patterns.split(",", -1))
        .filter(pattern -> !pattern.isEmpty() && !pattern.startsWith("!"))
        .findFirst();
  }

  private static String key(String criterion) {
    return switch (criterion) {
      case "address" -> "addr";
      case "localaddress" -> "laddr";
      case "localport" -> "lport";
      default -> criterion;
    };
  }

  private Seen<String> value(String criterion, String pattern) {
    return switch (criterion) {
      case "user", "host", "rdomain" -> new Seen.Got<>(pattern.replaceAll("[*?]", "x"));
      case "address", "localaddress" -> new Seen.Got<>(address(pattern));
      case "localport" -> new Seen.Got<>(pattern);
      case "group" ->
          member(pattern)
              .<Seen<String>>map(Seen.Got::new)
              .orElseGet(() -> new Seen.Not<>("no member of group " + pattern + " is known here"));
      default -> new Seen.Not<>("doctor has no example for " + criterion);
    };
  }

  /** The first of a network; for a pattern such as {@code 10.1.*} one that fits. */
  private static String address(String pattern) {
    String bare = pattern.replaceFirst("/.*", "");
    if (!bare.contains("*") && !bare.contains("?")) {
      return bare;
    }
    var octets = new ArrayList<>(List.of(bare.replaceAll("[*?]", "1").split("\\.", -1)));
    while (octets.size() < OCTETS && !bare.contains(":")) {
      octets.add("1");
    }
    return String.join(".", octets);
  }

  /** By the node's own files; a directory service is not asked. */
  private Optional<String> member(String group) {
    try {
      for (String line : KernelText.lines(root.resolve("etc/group"))) {
        String[] fields = line.split(":", -1);
        if (fields.length == 4 && fields[0].equals(group)) {
          return fields[3].isEmpty()
              ? ofPrimary(fields[2])
              : Optional.of(fields[3].split(",", -1)[0]);
        }
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<String> ofPrimary(String gid) throws IOException {
    return KernelText.lines(root.resolve("etc/passwd")).stream()
        .map(line -> line.split(":", -1))
        .filter(fields -> fields.length > 3 && fields[3].equals(gid))
        .map(fields -> fields[0])
        .findFirst();
  }

  private static String text(Map<String, String> example) {
    return example.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(","));
  }
}
