package dev.rollcall.cli.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.model.Worded;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of the agent's {@code usage_file}.
 *
 * @param step empty for a job
 * @param session of a session only
 * @param ended empty while something still runs
 */
record Account(
    Kind kind,
    String node,
    long job,
    Optional<String> step,
    Optional<Long> session,
    long uid,
    Instant began,
    Optional<Instant> ended,
    Optional<Duration> user,
    Optional<Duration> system,
    Optional<Long> memoryPeak,
    Optional<Long> readBytes,
    Optional<Long> writtenBytes,
    long oomKills) {
  /** The word of {@code kind} in the file, and of the option. */
  enum Kind implements Worded {
    JOB,
    STEP,
    SESSION;

    static Optional<Kind> of(String word) {
      return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findAny();
    }
  }

  private static final double NANOS = 1e9;

  /** What stands in a line for a byte that is not UTF-8. */
  private static final char BAD_BYTE = '\uFFFD';

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is no account
   */
  static Account parse(String line) {
    try {
      return of(new JsonObject(line));
    } catch (DecodeException | ClassCastException | DateTimeException e) {
      throw new IllegalArgumentException("it is no account", e);
    }
  }

  private static Account of(JsonObject json) {
    return new Account(
        Kind.of(text(json, "kind"))
            .orElseThrow(() -> new IllegalArgumentException("it is no account")),
        text(json, "node"),
        required(json.getLong("job")),
        json.getString("step") == null ? Optional.empty() : Optional.of(text(json, "step")),
        Optional.ofNullable(json.getLong("session")),
        required(json.getLong("uid")),
        Instant.parse(text(json, "began_at")),
        Optional.ofNullable(json.getString("ended_at")).map(Instant::parse),
        seconds(json, "user_seconds"),
        seconds(json, "system_seconds"),
        Optional.ofNullable(json.getLong("memory_peak")),
        Optional.ofNullable(json.getLong("read_bytes")),
        Optional.ofNullable(json.getLong("written_bytes")),
        Optional.ofNullable(json.getLong("oom_kills")).orElse(0L));
  }

  /** The first 8 bytes of SHA-256 of what two accounts of the same session, step or job share. */
  long identity() {
    String shared = "%s %s %d %s %s %s".formatted(kind, node, job, step, session, began);
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(shared.getBytes(UTF_8)))
          .getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  /** A name or a date has no separator of the columns, and no byte that could not be decoded. */
  private static String text(JsonObject json, String key) {
    String text = required(json.getString(key));
    if (text.chars().anyMatch(c -> c == '|' || c == BAD_BYTE || Character.isISOControl(c))) {
      throw new IllegalArgumentException(key + " is no word");
    }
    return text;
  }

  private static Optional<Duration> seconds(JsonObject json, String key) {
    return Optional.ofNullable(json.getDouble(key))
        .map(seconds -> Duration.ofNanos(Math.round(seconds * NANOS)));
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException("a value is missing");
    }
    return value;
  }
}
