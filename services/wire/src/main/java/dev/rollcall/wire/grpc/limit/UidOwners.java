package dev.rollcall.wire.grpc.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Maps a subordinate uid (subuid(5)) to its owner, so that a user with 65,536 of them has the
 * limits of one user. The file is read again when it has changed, which is looked at once a second
 * at most. Thread-safe.
 *
 * <p>A range of a name that is not in passwd counts as one user, which is its first uid. Uids from
 * 2,147,483,648 on that are in no range count as one user too: FreeIPA gives its users subordinate
 * uids there, which no file has.
 */
public final class UidOwners {
  /** The owner of all uids that belong to no user. It is no valid uid. */
  public static final int NOBODYS = -1;

  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final int FIELDS = 3;
  private static final long UIDS = 1L << Integer.SIZE;
  private static final UidOwners HOST =
      new UidOwners(Path.of("/etc/subuid"), Path.of("/etc/passwd"), System::nanoTime);

  private record Range(long first, long last, int owner) {}

  private final Path subuid;
  private final Path passwd;
  private final LongSupplier nanoClock;
  private Optional<FileTime> readAt = Optional.empty();
  private NavigableMap<Long, Range> ranges = new TreeMap<>();
  private long lookedNanos;
  private boolean looked;

  UidOwners(Path subuid, Path passwd, LongSupplier nanoClock) {
    this.subuid = subuid;
    this.passwd = passwd;
    this.nanoClock = nanoClock;
  }

  /** By the files of this host. */
  public static UidOwners ofHost() {
    return HOST;
  }

  /** Returns the user that this uid counts for: itself, its owner, or {@link #NOBODYS}. */
  public synchronized int of(int uid) {
    if (uid == 0) {
      return uid;
    }
    look();
    long number = Integer.toUnsignedLong(uid);
    var below = ranges.floorEntry(number);
    if (below != null && number <= below.getValue().last()) {
      return below.getValue().owner();
    }
    return uid < 0 ? NOBODYS : uid;
  }

  private void look() {
    long now = nanoClock.getAsLong();
    if (looked && now - lookedNanos < LOOK_NANOS) {
      return;
    }
    looked = true;
    lookedNanos = now;
    try {
      Optional<FileTime> changedAt = Optional.of(Files.getLastModifiedTime(subuid));
      if (!changedAt.equals(readAt)) {
        ranges = read();
        readAt = changedAt;
      }
    } catch (IOException absent) {
      ranges = new TreeMap<>();
      readAt = Optional.empty();
    }
  }

  /** A line is {@code name-or-uid:first:count}; what cannot be read gives nobody a range. */
  private NavigableMap<Long, Range> read() throws IOException {
    List<String[]> lines = new ArrayList<>();
    for (String line : lines(subuid)) {
      String[] fields = line.strip().split(":", -1);
      if (fields.length == FIELDS && isNumber(fields[1]) && isNumber(fields[2])) {
        lines.add(fields);
      }
    }
    Map<String, Integer> names = names();
    NavigableMap<Long, Range> read = new TreeMap<>();
    for (String[] fields : lines) {
      long first = Long.parseLong(fields[1]);
      long last = Math.min(first + Long.parseLong(fields[2]), UIDS) - 1;
      if (first > 0 && last >= first) {
        int owner =
            isNumber(fields[0])
                ? (int) Long.parseLong(fields[0])
                : names.computeIfAbsent(fields[0], _ -> (int) first);
        read.put(first, new Range(first, last, owner));
      }
    }
    return read;
  }

  private Map<String, Integer> names() throws IOException {
    Map<String, Integer> names = new HashMap<>();
    for (String line : lines(passwd)) {
      String[] fields = line.split(":", -1);
      if (fields.length >= FIELDS && isNumber(fields[2])) {
        names.putIfAbsent(fields[0], (int) Long.parseLong(fields[2]));
      }
    }
    return names;
  }

  /** Names of people in passwd(5) may be in another encoding than UTF-8. */
  private static List<String> lines(Path file) throws IOException {
    return new String(Files.readAllBytes(file), UTF_8).lines().toList();
  }

  private static boolean isNumber(String text) {
    return text.matches("[0-9]{1,10}");
  }
}
