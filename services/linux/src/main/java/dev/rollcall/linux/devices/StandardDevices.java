package dev.rollcall.linux.devices;

import dev.rollcall.model.allocation.DeviceRule;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The devices without which programs do not work, by the kernel's numbers (Linux,
 * admin-guide/devices.txt).
 */
final class StandardDevices {
  private static final int FIRST_PTS_MAJOR = 136;
  private static final int LAST_PTS_MAJOR = 143;

  /** null, zero, full, random, urandom, tty, console, ptmx, and all pseudo-terminals. */
  static final List<DeviceRule> RULES =
      Stream.concat(
              Stream.of("1:3", "1:5", "1:7", "1:8", "1:9", "5:0", "5:1", "5:2"),
              IntStream.rangeClosed(FIRST_PTS_MAJOR, LAST_PTS_MAJOR)
                  .mapToObj(major -> major + ":*"))
          .map(numbers -> DeviceRule.parse("c " + numbers + " rwm"))
          .toList();

  private StandardDevices() {}
}
