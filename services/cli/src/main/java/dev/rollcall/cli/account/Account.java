package dev.rollcall.cli.account;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
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
    Duration user,
    Duration system,
    Optional<Long> memoryPeak,
    Optional<Long> readBytes,
    Optional<Long> writtenBytes,
    long oomKills) {
  /** The word of {@code kind} in the file, and of the option. */
  enum Kind {
    JOB,
    STEP,
    SESSION;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final double NANOS = 1e9;

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
        Kind.valueOf(text(json, "kind").toUpperCase(Locale.ROOT)),
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

  /** A name or a date has no separator of the columns. */
  private static String text(JsonObject json, String key) {
    String text = required(json.getString(key));
    if (text.contains("|") || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(key + " is no word");
    }
    return text;
  }

  private static Duration seconds(JsonObject json, String key) {
    return Duration.ofNanos((long) (required(json.getDouble(key)) * NANOS));
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException("a value is missing");
    }
    return value;
  }
}
