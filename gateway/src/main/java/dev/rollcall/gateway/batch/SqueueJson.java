package dev.rollcall.gateway.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code squeue --json} prints, from Slurm 22.05 on, as it comes: nothing of it is kept
 * but the jobs that have started.
 */
final class SqueueJson {
  /** Slurm's uids, gids and job ids have 32 bits; the last two values mean that there is none. */
  private static final long NO_VALUE = 0xffff_fffeL;

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

  private final JsonParser json;
  private final Instant now;
  private final Map<JobId, JobSpec> started = new HashMap<>();

  private SqueueJson(JsonParser json, Instant now) {
    this.json = json;
    this.now = now;
  }

  /**
   * The jobs that have started, by their own ids: tasks of an array and parts of a het job have
   * such. One that waits has at most a guess of its start.
   *
   * @param now later starts are guesses
   * @throws IOException saying what is no JSON, that there are no jobs in it, or what error Slurm
   *     wrote in their place
   */
  static Map<JobId, JobSpec> read(InputStream from, Instant now) throws IOException {
    try (JsonParser json = JSON.createParser(from)) {
      return new SqueueJson(json, now).read();
    } catch (JsonProcessingException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private Map<JobId, JobSpec> read() throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("not a JSON object");
    }
    boolean hasJobs = false;
    Optional<String> error = Optional.empty();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals("jobs") && value == JsonToken.START_ARRAY) {
        hasJobs = true;
        while (json.nextToken() != JsonToken.END_ARRAY) {
          if (value() instanceof Map<?, ?> job) {
            keep(job);
          }
        }
      } else if (name.equals("errors") && value() instanceof List<?> errors) {
        error = errors.stream().filter(Map.class::isInstance).findFirst().map(SqueueJson::words);
      } else {
        json.skipChildren();
      }
    }
    if (started.isEmpty() && error.isPresent()) {
      throw new IOException("it says: " + error.get());
    }
    if (!hasJobs) {
      throw new IOException("no list 'jobs'");
    }
    return Map.copyOf(started);
  }

  /** The value that begins here: a map, a list, a text, a Boolean, or a whole number. */
  private @Nullable Object value() throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        var object = new HashMap<String, @Nullable Object>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value());
        }
        yield object;
      }
      case START_ARRAY -> {
        var list = new ArrayList<@Nullable Object>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value());
        }
        yield list;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
      case VALUE_NUMBER_INT -> json.getNumberValue();
      default -> null;
    };
  }

  private void keep(Map<?, ?> job) {
    OptionalLong id = number(job.get("job_id"));
    OptionalLong uid = number(job.get("user_id"));
    OptionalLong gid = number(job.get("group_id"));
    long start = number(job.get("start_time")).orElse(0);
    if (Stream.of(id, uid, gid).allMatch(SqueueJson::isValue)
        && id.getAsLong() > 0
        && !isPending(job.get("job_state"))
        && start > 0
        && start <= now.getEpochSecond()) {
      var known = new JobId(id.getAsLong());
      started.put(
          known,
          new JobSpec(
              known, (int) uid.getAsLong(), (int) gid.getAsLong(), Instant.ofEpochSecond(start)));
    }
  }

  private static boolean isValue(OptionalLong number) {
    return number.isPresent() && number.getAsLong() >= 0 && number.getAsLong() < NO_VALUE;
  }

  /** A plain number, or since 23.02 {@code {"set": true, "infinite": false, "number": 7}}. */
  private static OptionalLong number(@Nullable Object value) {
    return switch (value) {
      case Integer number -> OptionalLong.of(number);
      case Long number -> OptionalLong.of(number);
      case Map<?, ?> of
          when (!of.containsKey("set") || Boolean.TRUE.equals(of.get("set")))
              && !Boolean.TRUE.equals(of.get("infinite")) ->
          number(of.get("number"));
      case null, default -> OptionalLong.empty();
    };
  }

  /** A word, or since 23.11 a list of a state and its flags. */
  private static boolean isPending(@Nullable Object state) {
    return state instanceof List<?> all ? all.contains("PENDING") : "PENDING".equals(state);
  }

  private static String words(Object error) {
    String words =
        Stream.of("description", "error", "source")
            .map(((Map<?, ?>) error)::get)
            .filter(String.class::isInstance)
            .map(String.class::cast)
            .collect(Collectors.joining(": "));
    return words.isEmpty() ? "an error without a message" : words;
  }
}
