package dev.rollcall.load.lookup;

import dev.rollcall.model.Endpoint;
import dev.rollcall.wire.tls.TlsFiles;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the target, the rate and the duration of a load.
 *
 * @param rate questions per second, over all streams; 0: the next one when there is room, so as
 *     fast as answers come
 * @param kind of question
 * @param warmUp seconds at the start whose latencies are not recorded
 * @param source whose calls are asked for; its ports are gone through from 32768 on
 * @param ports how many of them
 */
record LoadOptions(
    String host,
    int port,
    int rate,
    int seconds,
    int warmUp,
    int streams,
    Kind kind,
    InetAddress source,
    int ports,
    Endpoint destination,
    Optional<TlsFiles> tls,
    boolean json) {
  /** How a connection of the load asks. */
  enum Kind {
    /** One call of IdentifyMany, with all questions. */
    MANY,
    /** A call of Identify for each question. */
    EACH
  }

  static final int FIRST_PORT = 32_768;
  private static final int MOST_PORTS = 28_232;

  static final String USAGE =
      """
      usage: lookup-load --gateway HOST:PORT [options]
        --rate N            questions per second, over all streams (1000)
        --seconds N         how long (10)
        --warm-up N         seconds at the start that are not recorded (0)
        --streams N         connections with one IdentifyMany each (4)
        --each              an Identify for each question instead
        --source ADDRESS    whose calls are asked for (10.77.0.1)
        --ports N           how many of its ports, from 32768 on (28232)
        --destination ADDRESS:PORT  called by them (10.77.0.2:22)
        --ca FILE --certificate FILE --key FILE  PEM, all three or none
        --json              one JSON object instead of text
      """;

  private static final Set<String> FLAGS = Set.of("--each", "--json");
  private static final Set<String> VALUED =
      Set.of(
          "--gateway",
          "--rate",
          "--seconds",
          "--warm-up",
          "--streams",
          "--source",
          "--ports",
          "--destination",
          "--ca",
          "--certificate",
          "--key");

  /**
   * @throws IllegalArgumentException naming the option and the value that is wrong
   */
  static LoadOptions parse(String[] args) {
    Map<String, String> given = given(args);
    String gateway = given.get("--gateway");
    if (gateway == null) {
      throw new IllegalArgumentException("--gateway is missing");
    }
    int colon = gateway.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("--gateway '" + gateway + "' is not HOST:PORT");
    }
    int seconds = number(given, "--seconds", 10, 1, 86_400);
    var options =
        new LoadOptions(
            gateway.substring(0, colon).replaceAll("^\\[(.*)]$", "$1"),
            number(Map.of("--gateway", gateway.substring(colon + 1)), "--gateway", 0, 1, 0xffff),
            number(given, "--rate", 1000, 1, 10_000_000),
            seconds,
            number(given, "--warm-up", 0, 0, seconds - 1),
            number(given, "--streams", 4, 1, 1000),
            given.containsKey("--each") ? Kind.EACH : Kind.MANY,
            address(given.getOrDefault("--source", "10.77.0.1")),
            number(given, "--ports", MOST_PORTS, 1, MOST_PORTS),
            endpoint(given.getOrDefault("--destination", "10.77.0.2:22")),
            tls(given),
            given.containsKey("--json"));
    if (options.source.getAddress().length != options.destination.address().getAddress().length) {
      throw new IllegalArgumentException(
          "--source and --destination are not of one address family");
    }
    return options;
  }

  private static Map<String, String> given(String[] args) {
    var given = new HashMap<String, String>();
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      String value = "";
      if (VALUED.contains(option)) {
        if (++i == args.length) {
          throw new IllegalArgumentException(option + " needs a value");
        }
        value = args[i];
      } else if (!FLAGS.contains(option)) {
        throw new IllegalArgumentException("'" + option + "' is not an option");
      }
      if (given.putIfAbsent(option, value) != null) {
        throw new IllegalArgumentException(option + " is given twice");
      }
    }
    return given;
  }

  private static int number(
      Map<String, String> given, String option, int unlessGiven, int least, int most) {
    String text = given.getOrDefault(option, Integer.toString(unlessGiven));
    if (!text.matches("[0-9]{1,8}")
        || Integer.parseInt(text) < least
        || Integer.parseInt(text) > most) {
      throw new IllegalArgumentException(
          option + " '" + text + "' is not a number from " + least + " to " + most);
    }
    return Integer.parseInt(text);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--source '" + text + "' is not an address", e);
    }
  }

  private static Endpoint endpoint(String text) {
    try {
      return Endpoint.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--destination " + e.getMessage(), e);
    }
  }

  private static Optional<TlsFiles> tls(Map<String, String> given) {
    if (!given.containsKey("--ca")
        && !given.containsKey("--certificate")
        && !given.containsKey("--key")) {
      return Optional.empty();
    }
    return Optional.of(
        new TlsFiles(file(given, "--ca"), file(given, "--certificate"), file(given, "--key")));
  }

  private static Path file(Map<String, String> given, String option) {
    String text = given.get(option);
    if (text == null) {
      throw new IllegalArgumentException(option + " is missing: TLS needs all three files");
    }
    Path file = Path.of(text);
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(option + " '" + text + "' cannot be read");
    }
    return file;
  }
}
