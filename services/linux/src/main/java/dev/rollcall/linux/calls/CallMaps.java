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
import java.util.Set;

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
 * @param watched cgroups and a watched port to the number of calls
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
    BpfMap watched,
    BpfMap arrival,
    BpfMap ring)
    implements AutoCloseable {

  /** Opens the maps that are pinned in the directory, and makes those that are missing. */
  static CallMaps open(
      Path pins, CallLimits limits, List<TrackedPorts> tracked, Set<Integer> watchedPorts)
      throws IOException {
    int watched = watchedPorts.isEmpty() ? 1 : CallLimits.WATCHED;
    int key = CallLayout.KEY_SIZE;
    boolean wasThere = Files.exists(pins.resolve("calls"));
    Shape announced =
        new Shape("announced", BpfMap.Type.LRU_HASH, key, 1, CallLimits.announced(tracked));
    Optional<BpfMap> remembered = pinned(pins.resolve("announced"), announced);
    remembered.ifPresent(BpfMap::close);
    var maps = new Opening(pins, new ArrayList<>());
    CallMaps all;
    try {
      all =
          new CallMaps(
              maps.of("trusted", BpfMap.Type.HASH, 8, 1, CallLimits.TRUSTED),
              maps.of("calls", BpfMap.Type.LRU_HASH, key, CallLayout.VALUE_SIZE, limits.calls()),
              maps.of("ports", BpfMap.Type.HASH, 4, 1, CallLimits.PORTS),
              maps.of("rates", BpfMap.Type.ARRAY, 4, CallLayout.RATE_SIZE, 1 + CallLimits.RATES),
              maps.of(
                  "prefixes",
                  BpfMap.Type.LPM_TRIE,
                  CallLayout.PREFIX_KEY_SIZE,
                  1,
                  CallLimits.PREFIXES),
              maps.of(
                  "buckets",
                  BpfMap.Type.LRU_HASH,
                  CallLayout.BUCKET_KEY_SIZE,
                  CallLayout.BUCKET_SIZE,
                  CallLimits.BUCKETS),
              maps.of(announced),
              maps.of("counters", BpfMap.Type.ARRAY, 4, 8, CallLayout.COUNTERS),
              maps.of("watched", BpfMap.Type.HASH, CallLayout.WATCHED_KEY_SIZE, 8, watched),
              maps.of("arrival", BpfMap.Type.ARRAY, 4, 8, 1),
              maps.of("ring", BpfMap.Type.RINGBUF, 0, 0, limits.ringBytes()));
    } catch (IOException e) {
      maps.opened.forEach(BpfMap::close);
      throw e;
    }
    if (wasThere && remembered.isEmpty()) {
      // Calls were announced, and the list of them is gone, or an earlier version made none.
      var counters = new Counters(all.counters());
      counters.put(CallLayout.LOST, counters.get(CallLayout.LOST) + 1);
    }
    return all;
  }

  /** The map that is pinned there; empty if there is none, or it has another shape. */
  private static Optional<BpfMap> pinned(Path pin, Shape shape) throws ErrnoException {
    return Files.exists(pin) ? BpfMap.open(pin, shape) : Optional.empty();
  }

  /** Those that are open so far. */
  private record Opening(Path pins, List<BpfMap> opened) {
    BpfMap of(String name, BpfMap.Type type, int keySize, int valueSize, int entries)
        throws IOException {
      return of(new Shape(name, type, keySize, valueSize, entries));
    }

    BpfMap of(Shape shape) throws IOException {
      Path pin = pins.resolve(shape.name());
      Optional<BpfMap> pinned = pinned(pin, shape);
      if (pinned.isPresent()) {
        opened.add(pinned.get());
        return pinned.get();
      }
      Files.deleteIfExists(pin); // of another size: what it holds is given up
      BpfMap made = BpfMap.create(shape);
      opened.add(made);
      made.pin(pin);
      return made;
    }
  }

  @Override
  public void close() {
    List.of(
            trusted, calls, ports, rates, prefixes, buckets, announced, counters, watched, arrival,
            ring)
        .forEach(BpfMap::close);
  }
}
