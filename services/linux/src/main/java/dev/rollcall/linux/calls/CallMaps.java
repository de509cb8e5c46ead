package dev.rollcall.linux.calls;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.bpf.BpfMap.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The maps of the program, pinned.
 *
 * @param trusted netns to a byte: calls anywhere else are not recorded
 * @param calls connection to caller
 * @param ports announced remote ports, u32, each to the number of its rate, a byte
 * @param rates number to rate: {@link CallLayout#INTERVAL} and {@link CallLayout#SPAN}
 * @param prefixes longest prefix of the remote address to a byte: 0 is never announced
 * @param buckets uid and rate to the bucket: {@link CallLayout#FULL_AT} and those after it
 * @param announced connections of which a caller was told, each to a byte
 * @param counters see {@link CallLayout#LOST}
 * @param arrival one number, ns of CLOCK_MONOTONIC: when an arrival was told
 * @param ring records for the agent
 */
record CallMaps(
    BpfMap trusted,
    BpfMap calls,
    BpfMap ports,
    BpfMap rates,
    BpfMap prefixes,
    BpfMap buckets,
    BpfMap announced,
    BpfMap counters,
    BpfMap arrival,
    BpfMap ring)
    implements AutoCloseable {

  /** Opens the maps that are pinned in the directory, and makes those that are missing. */
  static CallMaps open(Path pins, CallLimits limits, List<TrackedPorts> tracked)
      throws IOException {
    int key = CallLayout.KEY_SIZE;
    boolean wasThere = Files.exists(pins.resolve("calls"));
    Shape announced =
        new Shape("announced", BpfMap.Type.LRU_HASH, key, 1, CallLimits.announced(tracked));
    boolean remembers = isPinned(pins.resolve("announced"), announced);
    List<Shape> shapes =
        List.of(
            new Shape("trusted", BpfMap.Type.HASH, 8, 1, CallLimits.TRUSTED),
            new Shape("calls", BpfMap.Type.LRU_HASH, key, CallLayout.VALUE_SIZE, limits.calls()),
            new Shape("ports", BpfMap.Type.HASH, 4, 1, CallLimits.PORTS),
            new Shape("rates", BpfMap.Type.ARRAY, 4, CallLayout.RATE_SIZE, 1 + CallLimits.RATES),
            new Shape(
                "prefixes",
                BpfMap.Type.LPM_TRIE,
                CallLayout.PREFIX_KEY_SIZE,
                1,
                CallLimits.PREFIXES),
            new Shape(
                "buckets",
                BpfMap.Type.LRU_HASH,
                CallLayout.BUCKET_KEY_SIZE,
                CallLayout.BUCKET_SIZE,
                CallLimits.BUCKETS),
            announced,
            new Shape("counters", BpfMap.Type.ARRAY, 4, 8, CallLayout.COUNTERS),
            new Shape("arrival", BpfMap.Type.ARRAY, 4, 8, 1),
            new Shape("ring", BpfMap.Type.RINGBUF, 0, 0, limits.ringBytes()));
    List<BpfMap> maps = new ArrayList<>();
    try {
      for (Shape shape : shapes) {
        maps.add(open(pins.resolve(shape.name()), shape));
      }
    } catch (IOException e) {
      maps.forEach(BpfMap::close);
      throw e;
    }
    var all = maps(maps);
    if (wasThere && !remembers) {
      // Calls were announced, and the list of them is gone, or an earlier version made none.
      var counters = new Counters(all.counters());
      counters.put(CallLayout.LOST, counters.get(CallLayout.LOST) + 1);
    }
    return all;
  }

  private static CallMaps maps(List<BpfMap> maps) {
    return new CallMaps(
        maps.get(0),
        maps.get(1),
        maps.get(2),
        maps.get(3),
        maps.get(4),
        maps.get(5),
        maps.get(6),
        maps.get(7),
        maps.get(8),
        maps.get(9));
  }

  private static boolean isPinned(Path pin, Shape shape) throws ErrnoException {
    if (!Files.exists(pin)) {
      return false;
    }
    Optional<BpfMap> pinned = BpfMap.open(pin, shape);
    pinned.ifPresent(BpfMap::close);
    return pinned.isPresent();
  }

  private static BpfMap open(Path pin, Shape shape) throws IOException {
    if (Files.exists(pin)) {
      Optional<BpfMap> pinned = BpfMap.open(pin, shape);
      if (pinned.isPresent()) {
        return pinned.get();
      }
      Files.delete(pin); // another size: what it holds is given up
    }
    BpfMap made = BpfMap.create(shape);
    try {
      made.pin(pin);
      return made;
    } catch (ErrnoException e) {
      made.close();
      throw e;
    }
  }

  private List<BpfMap> all() {
    return List.of(
        trusted, calls, ports, rates, prefixes, buckets, announced, counters, arrival, ring);
  }

  @Override
  public void close() {
    all().forEach(BpfMap::close);
  }
}
