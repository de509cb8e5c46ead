package dev.rollcall.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Groups of users, as {@code id}(1) prints them: it asks every directory service that the node has,
 * in a process of its own, which can be ended. An answer is valid for a minute. Blocks.
 */
final class UserGroups {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final long HOLDS_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_KNOWN = 4_096;

  private record Known(Set<String> groups, long atNanos) {}

  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** Their names, and their numbers as text. */
  Set<String> of(String user) throws IOException {
    Known before = known.get(user);
    if (before != null && System.nanoTime() - before.atNanos < HOLDS_NANOS) {
      return before.groups;
    }
    Set<String> groups = new HashSet<>(ask("-G", user));
    groups.addAll(ask("-Gn", user));
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(user, new Known(Set.copyOf(groups), System.nanoTime()));
    return groups;
  }

  String nameOf(int uid) throws IOException {
    String number = Integer.toUnsignedString(uid);
    List<String> said = ask("-un", number);
    return said.isEmpty() ? number : said.getFirst();
  }

  /** With NULs between them: a name may have spaces. */
  private static List<String> ask(String what, String user) throws IOException {
    Process id =
        new ProcessBuilder("id", what, "--zero", "--", user)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!id.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "groups of user '" + user + "': id did not end in " + PATIENCE.toSeconds() + " s");
      }
      if (id.exitValue() != 0) {
        throw new IOException(
            "groups of user '" + user + "': id ended with status " + id.exitValue());
      }
      String said = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(said.split("\0")).filter(name -> !name.isEmpty()).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("groups of user '" + user + "': interrupted", e);
    } finally {
      id.destroyForcibly();
    }
  }
}
