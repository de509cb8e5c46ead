package dev.rollcall.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells which uids are users', and not the system's: by {@code UID_MIN} of login.defs(5). {@code
 * UID_MAX} is for useradd alone; directory services go beyond it.
 *
 * @param least the lowest
 */
public record Persons(long least) {
  private static final long BY_DEFAULT = 1_000;
  private static final Pattern UID_MIN = Pattern.compile("\\s*UID_MIN\\s+([0-9]{1,10})\\s*");

  /** systemd's DynamicUser, and nobody: UIDS-GIDS of systemd. */
  private static final long FIRST_DYNAMIC = 61_184;

  private static final long LAST_DYNAMIC = 65_519;
  private static final long NOBODY = 65_534;
  private static final long NONE_OF_16_BITS = 65_535;

  /** Signed, as uids are here: the old nobody of NFS, and no uid at all. */
  private static final int OLD_NOBODY = -2;

  private static final int NONE = -1;

  public static Persons of(Path loginDefs) {
    try {
      return new Persons(
          KernelText.lines(loginDefs).stream()
              .map(UID_MIN::matcher)
              .filter(Matcher::matches)
              .map(line -> Long.parseLong(line.group(1)))
              .findFirst()
              .orElse(BY_DEFAULT));
    } catch (IOException unreadable) {
      return new Persons(BY_DEFAULT);
    }
  }

  public boolean has(int uid) {
    long number = Integer.toUnsignedLong(uid);
    boolean dynamic = number >= FIRST_DYNAMIC && number <= LAST_DYNAMIC;
    boolean nobody =
        number == NOBODY || number == NONE_OF_16_BITS || uid == OLD_NOBODY || uid == NONE;
    return number >= least && !dynamic && !nobody;
  }
}
