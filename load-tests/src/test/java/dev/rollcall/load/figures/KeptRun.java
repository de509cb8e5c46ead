package dev.rollcall.load.figures;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The figures of one run of a benchmark, as {@code ./rollcall bench} writes them.
 *
 * @param cases by name, in their order
 */
public record KeptRun(String file, JsonObject json, Map<String, KeptCase> cases) {
  /** Without these a figure cannot be judged. */
  private static final List<String> REQUIRED =
      List.of("bench", "command", "at", "version", "machine", "cases");

  private static final Set<String> SPREADS = Set.of("ours", "peer", "floor");

  /** A stored ratio comes from medians with more digits than those of the file. */
  private static final double ROUNDING = 0.04;

  public static KeptRun read(Path file) throws IOException {
    return parse(file.getFileName().toString(), Files.readString(file));
  }

  /**
   * @throws IllegalArgumentException naming the file and what is wrong in it
   */
  public static KeptRun parse(String file, String text) {
    JsonObject json;
    try {
      json = new JsonObject(text);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    var missing = new TreeSet<>(REQUIRED);
    missing.removeAll(json.fieldNames());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(file + " lacks " + missing);
    }
    if (!json.containsKey("commit") && !json.containsKey("source")) {
      throw new IllegalArgumentException(file + " names neither its commit nor its source");
    }
    var cases = new LinkedHashMap<String, KeptCase>();
    for (Object each : json.getJsonArray("cases")) {
      var one = new KeptCase(file, json.getBoolean("rounded", false), (JsonObject) each);
      check(one);
      if (cases.put(one.name(), one) != null) {
        throw new IllegalArgumentException(file + " has the case '" + one.name() + "' twice");
      }
    }
    return new KeptRun(file, json, cases);
  }

  private static void check(KeptCase one) {
    one.number("ours");
    if (!one.json().containsKey("unit")) {
      throw new IllegalArgumentException(one.file() + ": '" + one.name() + "' has no unit");
    }
    JsonObject spread = one.json().getJsonObject("spread", new JsonObject());
    if (!SPREADS.containsAll(spread.fieldNames())) {
      throw new IllegalArgumentException(
          "%s: '%s' has the spread of %s".formatted(one.file(), one.name(), spread.fieldNames()));
    }
    Optional<Double> ratio = one.find("ratio");
    Optional<Double> peer = one.find("peer");
    if (ratio.isPresent() && peer.isPresent()) {
      double computed = peer.get() / one.number("ours");
      if (Math.abs(ratio.get() - computed) > ROUNDING * computed) {
        throw new IllegalArgumentException(
            "%s: '%s' has the ratio %s, by its figures it is %s"
                .formatted(one.file(), one.name(), ratio.get(), computed));
      }
    }
  }

  public boolean isQuick() {
    return json.getBoolean("quick", false);
  }

  public KeptCase of(String name) {
    return Optional.ofNullable(cases.get(name))
        .orElseThrow(
            () -> new IllegalArgumentException("%s has no case '%s'".formatted(file, name)));
  }
}
