package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Freezes and thaws all processes of a cgroup and of those below it. */
public enum Freezer {
  /** {@code cgroup.freeze}, Linux 5.2. SIGKILL ends a frozen process at once. */
  V2("cgroup.freeze", "1", "0", "cgroup.events", "frozen 1"),

  /** {@code freezer.state} of the v1 freezer. A killed process ends only when it is thawed. */
  V1("freezer.state", "FROZEN", "THAWED", "freezer.state", "FROZEN");

  private final String file;
  private final String freeze;
  private final String thaw;
  private final String shows;
  private final String frozen;

  /**
   * @param shows the file that has the text {@code frozen} when nothing moves any more
   */
  Freezer(String file, String freeze, String thaw, String shows, String frozen) {
    this.file = file;
    this.freeze = freeze;
    this.thaw = thaw;
    this.shows = shows;
    this.frozen = frozen;
  }

  /** Whether every process here and below stands still; true for a cgroup without any. */
  public boolean frozen(CgroupDirectory directory) throws IOException {
    return directory.read(shows).contains(frozen);
  }

  boolean servesIn(CgroupDirectory directory) {
    return directory.has(file);
  }

  /** The freezer that serves this cgroup; empty in hierarchies that have none. */
  public static Optional<Freezer> of(CgroupDirectory directory) {
    return Arrays.stream(values()).filter(each -> each.servesIn(directory)).findFirst();
  }

  /** Whether a freeze was asked for right here, whatever came of it. */
  public boolean asked(CgroupDirectory directory) throws IOException {
    return !directory.read(file).equals(thaw);
  }

  /**
   * @return false if not every process stopped in time; the freeze is still asked for
   */
  public boolean freeze(CgroupDirectory directory, BoundedWait patience) throws IOException {
    directory.write(file, freeze);
    while (!frozen(directory)) {
      if (!patience.pause()) {
        return false;
      }
      directory.write(file, freeze);
    }
    return true;
  }

  /** Asks for a freeze and does not wait for it. */
  public void ask(CgroupDirectory directory) throws IOException {
    directory.write(file, freeze);
  }

  /** Thaws it alone: what was frozen below it on its own stays frozen. */
  public void thawHere(CgroupDirectory directory) throws IOException {
    directory.write(file, thaw);
  }

  /** Thaws it and all below it, also what was frozen on its own. */
  public void thaw(CgroupDirectory directory) throws IOException {
    directory.walk(each -> {
      try {
        thawHere(each);
      } catch (IOException e) {
        if (each.has(file)) {
          throw e;
        }
      }
    });
  }
}
