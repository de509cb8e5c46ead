package dev.rollcall.linux.systemd;

import java.nio.file.Path;

/**
 * The name of a slice unit, systemd.slice(5). A dash is a level: {@code a-b.slice} stands in {@code
 * a.slice}.
 */
public record SliceName(String text) {
  /** Where systemd puts system services, and Slurm its scope. */
  public static final SliceName SYSTEM = new SliceName("system.slice");

  /** The root slice. */
  public static final SliceName ROOT = new SliceName("-.slice");

  private static final String SUFFIX = ".slice";

  public SliceName {
    // No empty level: neither at an end nor twice a dash.
    if (!text.equals("-.slice")
        && !text.matches("[A-Za-z0-9:_.\\\\]+(-[A-Za-z0-9:_.\\\\]+)*\\.slice")) {
      throw new IllegalArgumentException("'" + text + "' is not the name of a slice");
    }
  }

  /** The directory of the slice, relative to systemd's root; empty for the root slice. */
  public Path path() {
    Path path = Path.of("");
    if (text.equals("-.slice")) {
      return path;
    }
    String name = text.substring(0, text.length() - SUFFIX.length());
    for (int dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
      path = path.resolve(name.substring(0, dash) + SUFFIX);
    }
    return path.resolve(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
