package dev.rollcall.load.attack;

import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The operations of an attack, with the values that each of their words can have. */
enum Verb {
  /** Opens connections: protocol, client, number, source addresses, how answers are read. */
  OPEN(
      Word.of("h2", "http1", "frames", "tls"),
      Word.of("stranger", "user", "service", "node"),
      Word.number(512),
      Word.number(64),
      Word.of("reads", "slow", "deaf")),

  /** Sends a setting of HTTP/2: its identifier and value. */
  SETTING(Word.number(8), Word.number(1 << 30)),

  /** Starts requests on each connection: path, number, further header fields, whether they end. */
  CALLS(new Word(paths(), 0), Word.number(500), Word.number(250), Word.of("open", "ended")),

  /** Sends a message in each open request, or as a body: shape, bytes, percent sent, number. */
  MESSAGE(new Word(Shape.names(), 0), Word.number(1_040_000), Word.number(100), Word.number(64)),

  /** Starts header blocks that do not end: CONTINUATION frames, fields of each. */
  CONTINUED(Word.number(500), Word.number(250)),

  /** Starts requests that each end at once by an error: path, number, what ends them. */
  BROKEN(
      new Word(paths(), 0),
      Word.number(2_000),
      Word.of("cancel", "window", "overflow", "priority", "late")),

  /** Starts requests whose fields use HPACK's table: how, number, fields of each. */
  TABLE(Word.of("bomb", "grow", "resize"), Word.number(500), Word.number(4_000)),

  /** Sends frames without a request: type, number. */
  FLOOD(
      Word.of(
          "ping", "settings", "priority", "window", "data", "acks", "unknown", "padded", "trickle"),
      Word.number(5_000)),

  /** From now on messages are sent in frames, chunks or records of at most so many bytes. */
  PIECES(Word.number(16_000)),

  /** Ends all open requests by so many trailer fields. */
  TRAILERS(Word.number(250)),

  /** Changes the keys of TLS, so many times. */
  REKEY(Word.number(500)),

  /** Ends each connection's own direction, and leaves the other one open. */
  SHUT,

  /** Closes all connections by a reset of TCP. */
  ABORT,

  /** Resets all open requests. */
  RESET,

  /** Ends all open requests. */
  END,

  /** Waits: milliseconds. */
  WAIT(Word.number(2_000)),

  /** Closes all connections. */
  CLOSE;

  private static final int LONG_PATH = 4_000;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  final List<Word> words;

  Verb(Word... words) {
    this.words = List.of(words);
  }

  /**
   * The values that a word may have.
   *
   * @param names in this order, or empty for a number
   * @param most the largest number; the least is 0
   */
  record Word(List<String> names, int most) {
    static Word of(String... names) {
      return new Word(List.of(names), 0);
    }

    static Word number(int most) {
      return new Word(List.of(), most);
    }

    boolean accepts(String word) {
      return names.isEmpty()
          ? word.matches("\\d{1,10}") && Long.parseLong(word) <= most
          : names.contains(word);
    }

    /** Draws one; small numbers are as likely as large ones. */
    String draw(Random random) {
      return names.isEmpty()
          ? Integer.toString((int) Math.pow(most + 1.0, random.nextDouble()) - 1)
          : names.get(random.nextInt(names.size()));
    }

    /** Draws one near a given one. */
    String near(String word, Random random) {
      if (!names.isEmpty() || random.nextInt(4) == 0) {
        return draw(random);
      }
      long changed = (long) ((Long.parseLong(word) + 1) * Math.pow(4, random.nextDouble() * 2 - 1));
      return Long.toString(Math.min(most, changed));
    }
  }

  private static List<String> paths() {
    Stream<String> methods =
        Stream.of(
                JobServiceGrpc.getServiceDescriptor(),
                CallerIdServiceGrpc.getServiceDescriptor(),
                AdoptionServiceGrpc.getServiceDescriptor(),
                NodeServiceGrpc.getServiceDescriptor(),
                TokenServiceGrpc.getServiceDescriptor(),
                RollServiceGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .map(MethodDescriptor::getFullMethodName)
            .map("/"::concat);
    Stream<String> pages =
        Stream.of(
            "/",
            "/openapi.json",
            "/console/",
            "/metrics",
            "/health/live",
            "/health/ready",
            "/long",
            "/v1/nodes",
            "/v1/jobs",
            "/v1/jobs/7",
            "/v1/jobs?pageSize=1000",
            "/v1/jobs/7/processes",
            "/v1/jobs:watch",
            "/v1/callers:watch",
            "/v1/callers:identify",
            "/v1/callers:identifyMany",
            "/v1/processes:identifyMany",
            "/v1/adoptions:predict",
            "/v1/tokens");
    return Stream.concat(pages, methods).toList();
  }

  /** The path that a word of {@link #CALLS} means. */
  static String path(String word) {
    return word.equals("/long") ? "/" + "x".repeat(LONG_PATH) : word;
  }

  boolean accepts(List<String> given) {
    return given.size() == words.size()
        && IntStream.range(0, words.size()).allMatch(i -> words.get(i).accepts(given.get(i)));
  }
}
