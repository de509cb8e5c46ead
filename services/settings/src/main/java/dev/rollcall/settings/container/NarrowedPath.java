package dev.rollcall.settings.container;

/**
 * A path of the node that jobs cannot change, or cannot see.
 *
 * @param mayBeMissing else a job cannot begin on a node that has no such path
 */
public record NarrowedPath(JobPathPattern path, boolean mayBeMissing) {
  /** As systemd.exec(5) has it: a dash goes before a path that may be missing. */
  static NarrowedPath parse(String text) {
    boolean dash = text.startsWith("-");
    return new NarrowedPath(new JobPathPattern(dash ? text.substring(1) : text), dash);
  }

  NarrowedPath on(String node, String host) {
    return new NarrowedPath(path.on(node, host), mayBeMissing);
  }
}
