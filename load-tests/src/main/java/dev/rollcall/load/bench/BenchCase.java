package dev.rollcall.load.bench;

import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One line of what a benchmark tells.
 *
 * @param name what was done, as {@code "one job"}
 * @param unit of every figure, as {@code "ms"}. Less is better, unless it is a rate: {@code "/s"}
 * @param peer Slurm's, where it has the same
 * @param floor what cannot be gone below: the same work without anything of ours
 * @param facts what else belongs to it, by name: numbers, words and truths
 */
public record BenchCase(
    String name,
    String unit,
    Figure ours,
    Optional<Figure> peer,
    Optional<Figure> floor,
    Map<String, Object> facts) {
  public BenchCase {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  public static BenchCase of(String name, String unit, Figure ours) {
    return new BenchCase(name, unit, ours, Optional.empty(), Optional.empty(), Map.of());
  }

  public BenchCase withPeer(Figure other) {
    return new BenchCase(name, unit, ours, Optional.of(other), floor, facts);
  }

  public BenchCase withFloor(Figure other) {
    return new BenchCase(name, unit, ours, peer, Optional.of(other), facts);
  }

  public BenchCase withFact(String called, Object fact) {
    var more = new LinkedHashMap<>(facts);
    more.put(called, fact);
    return new BenchCase(name, unit, ours, peer, floor, more);
  }

  /** The peer's by ours; nothing where the peer has none, or ours is zero. */
  public Optional<Double> ratio() {
    return peer.filter(_ -> ours.value() != 0).map(theirs -> theirs.value() / ours.value());
  }

  /** {@code ours}, {@code peer}, {@code floor} and {@code ratio} are numbers, or null. */
  JsonObject json() {
    var json =
        new JsonObject()
            .put("case", name)
            .put("unit", unit)
            .put("ours", ours.value())
            .put("peer", peer.map(Figure::value).orElse(null))
            .put("floor", floor.map(Figure::value).orElse(null))
            .put("ratio", ratio().orElse(null));
    var spread = new JsonObject();
    putSpread(spread, "ours", ours);
    peer.ifPresent(theirs -> putSpread(spread, "peer", theirs));
    floor.ifPresent(lowest -> putSpread(spread, "floor", lowest));
    if (!spread.isEmpty()) {
      json.put("spread", spread);
    }
    facts.forEach(json::put);
    return json;
  }

  private static void putSpread(JsonObject spread, String whose, Figure figure) {
    if (!figure.spread().isEmpty()) {
      spread.put(whose, new JsonObject(new LinkedHashMap<String, Object>(figure.spread())));
    }
  }
}
