package dev.rollcall.linux.mount;

import dev.rollcall.model.Worded;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A restriction of a mount, MS_* of linux/mount.h, by the names of mount(8). */
public enum MountFlag implements Worded {
  RO(1, 1),
  NOSUID(2, 2),
  NODEV(4, 4),
  NOEXEC(8, 8),
  NOATIME(1 << 10, 1 << 10),
  NODIRATIME(1 << 11, 1 << 11),
  RELATIME(1 << 21, 1 << 12);

  private final int bit;

  /** ST_* of linux/statfs.h. */
  private final int statusBit;

  MountFlag(int bit, int statusBit) {
    this.bit = bit;
    this.statusBit = statusBit;
  }

  /** By mount(8)'s name, such as {@code noexec}; empty if there is none. */
  public static Optional<MountFlag> named(String word) {
    for (MountFlag flag : values()) {
      if (flag.word().equals(word)) {
        return Optional.of(flag);
      }
    }
    return Optional.empty();
  }

  static Set<MountFlag> ofStatus(long flags) {
    Set<MountFlag> found = EnumSet.noneOf(MountFlag.class);
    for (MountFlag flag : values()) {
      if ((flags & flag.statusBit) != 0) {
        found.add(flag);
      }
    }
    return found;
  }

  static long bits(Set<MountFlag> flags) {
    return flags.stream().mapToLong(flag -> flag.bit).sum();
  }
}
