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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what {@code squeue --json} prints, from Slurm 22.05 on, as it comes: nothing of it is kept
 * but the jobs that have started.
 */
final class SqueueJson {
  /** Slurm's uids, gids and job ids have 32 bits; the last two values mean that there is none. */
  private static final long NO_VALUE = 0xffff_fffeL;

  /** Of an error. */
  private static final Set<String> WORDS = Set.of("description", "error", "source");

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

  private final JsonParser json;
  private final Instant now;
  private final Map<JobId, JobSpec> started = new HashMap<>();
  private boolean hasJobs;
  private Optional<String> error = Optional.empty();

  private SqueueJson(JsonParser json, Instant now) {
    this.json = json;
    this.now = now;
  }

  /** One of {@code jobs}, as far as it was read. */
  private static final class Fields {
    private OptionalLong id = OptionalLong.empty();
    private OptionalLong uid = OptionalLong.empty();
    private OptionalLong gid = OptionalLong.empty();
    private OptionalLong start = OptionalLong.empty();
    private boolean pending;
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
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals("jobs") && value == JsonToken.START_ARRAY) {
        hasJobs = true;
        jobs();
      } else if (name.equals("errors") && value == JsonToken.START_ARRAY) {
        errors();
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

  private void jobs() throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.START_OBJECT) {
        keep(job());
      } else {
        json.skipChildren();
      }
    }
  }

  private Fields job() throws IOException {
    var job = new Fields();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "job_id" -> job.id = number();
        case "user_id" -> job.uid = number();
        case "group_id" -> job.gid = number();
        case "start_time" -> job.start = number();
        case "job_state" -> job.pending = pending();
        default -> json.skipChildren();
      }
    }
    return job;
  }

  private void keep(Fields job) {
    boolean whole = isValue(job.id) && isValue(job.uid) && isValue(job.gid);
    long start = job.start.orElse(0);
    if (whole
        && job.id.getAsLong() > 0
        && !job.pending
        && start > 0
        && start <= now.getEpochSecond()) {
      var id = new JobId(job.id.getAsLong());
      started.put(
          id,
          new JobSpec(
              id,
              (int) job.uid.getAsLong(),
              (int) job.gid.getAsLong(),
              Instant.ofEpochSecond(start)));
    }
  }

  private static boolean isValue(OptionalLong number) {
    return number.isPresent() && number.getAsLong() >= 0 && number.getAsLong() < NO_VALUE;
  }

  /** A plain number, or since 23.02 {@code {"set": true, "infinite": false, "number": 7}}. */
  private OptionalLong number() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
          ? OptionalLong.empty()
          : OptionalLong.of(json.getLongValue());
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return OptionalLong.empty();
    }
    OptionalLong number = OptionalLong.empty();
    boolean is = true;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "set" -> {
          is &= value == JsonToken.VALUE_TRUE;
          json.skipChildren();
        }
        case "infinite" -> {
          is &= value != JsonToken.VALUE_TRUE;
          json.skipChildren();
        }
        case "number" -> number = number();
        default -> json.skipChildren();
      }
    }
    return is ? number : OptionalLong.empty();
  }

  /** A word, or since 23.11 a list of a state and its flags. */
  private boolean pending() throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      return isPending();
    }
    boolean found = false;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      found |= isPending();
    }
    return found;
  }

  private boolean isPending() throws IOException {
    boolean is = json.currentToken() == JsonToken.VALUE_STRING && json.getText().equals("PENDING");
    json.skipChildren();
    return is;
  }

  /** The first one's words. */
  private void errors() throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      Optional<String> one = error();
      error = error.isPresent() ? error : one;
    }
  }

  private Optional<String> error() throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return Optional.empty();
    }
    var said = new TreeMap<String, String>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (WORDS.contains(name) && value == JsonToken.VALUE_STRING) {
        said.put(name, json.getText());
      }
      json.skipChildren();
    }
    return Optional.of(
        said.isEmpty() ? "an error without words" : String.join(": ", said.values()));
  }
}
