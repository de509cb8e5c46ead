package dev.rollcall.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Groups of users, as {@code id}(1) prints them: it asks every directory service that the node has,
 * in a process of its own, which can be ended. An answer is valid for a minute. Blocks.
 */
final class UserGroups {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Of 16,384 groups with names of 63 bytes. */
  private static final int MOST_BYTES = 1 << 20;

  private static final long HOLDS_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_KNOWN = 4_096;

  private record Known(Set<String> groups, long atNanos) {}

  private final List<String> command;
  private final Duration patience;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  UserGroups() {
    this(List.of("id"), PATIENCE);
  }

  /**
   * @param command takes the arguments of id(1)
   * @param patience after which it is killed
   */
  UserGroups(List<String> command, Duration patience) {
    this.command = List.copyOf(command);
    this.patience = patience;
  }

  /**
   * Their names, and their numbers with a plus sign, as in chown(1): a name may have digits only.
   */
  Set<String> of(String user) throws IOException {
    Known before = known.get(user);
    if (before != null && System.nanoTime() - before.atNanos < HOLDS_NANOS) {
      return before.groups;
    }
    Set<String> groups = new HashSet<>(ask("-Gn", user));
    ask("-G", user).forEach(number -> groups.add("+" + number));
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(user, new Known(Set.copyOf(groups), System.nanoTime()));
    return groups;
  }

  String nameOf(int uid) throws IOException {
    String number = Integer.toUnsignedString(uid);
    List<String> said = ask("-un", "+" + number);
    return said.isEmpty() ? number : said.getFirst();
  }

  /** With NULs between them: a name may have spaces. */
  private List<String> ask(String what, String user) throws IOException {
    var words = new ArrayList<>(command);
    words.addAll(List.of(what, "--zero", "--", user));
    Process id = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      String said = new String(said(id, user), StandardCharsets.UTF_8);
      return Arrays.stream(said.split("\0")).filter(name -> !name.isEmpty()).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(user, "interrupted", e);
    } finally {
      id.destroyForcibly();
    }
  }

  private byte[] said(Process id, String user) throws IOException, InterruptedException {
    byte[] said;
    try {
      // While it runs: a pipe holds 64 KiB.
      said = output(id).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw failed(user, "id did not end in " + patience.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw failed(user, "the output of id cannot be read: " + e.getCause(), e);
    }
    if (said.length > MOST_BYTES) {
      throw failed(user, "id wrote more than " + MOST_BYTES + " bytes", null);
    }
    if (!id.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw failed(user, "id did not end in " + patience.toMillis() + " ms", null);
    }
    if (id.exitValue() != 0) {
      throw failed(user, "id ended with status " + id.exitValue(), null);
    }
    return said;
  }

  private static Future<byte[]> output(Process id) {
    var output = new FutureTask<>(() -> id.getInputStream().readNBytes(MOST_BYTES + 1));
    Thread.ofVirtual().start(output);
    return output;
  }

  private static IOException failed(String user, String why, @Nullable Exception cause) {
    return new IOException("groups of user '" + user + "': " + why, cause);
  }
}
