package dev.rollcall.settings.container;

import java.util.Arrays;
import java.util.List;

/** A kind of namespace that a job may have of its own; see namespaces(7). */
public enum Namespace {
  MOUNT("CLONE_NEWNS"),
  PID("CLONE_NEWPID"),
  USER("CLONE_NEWUSER"),
  IPC("CLONE_NEWIPC"),
  UTS("CLONE_NEWUTS"),
  NET("CLONE_NEWNET"),
  CGROUP("CLONE_NEWCGROUP");

  private final String flag;

  Namespace(String flag) {
    this.flag = flag;
  }

  /** The kernel's name of the flag of clone(2) that makes one. */
  public String flag() {
    return flag;
  }

  /**
   * Reads a flag in any case.
   *
   * @throws IllegalArgumentException naming the text, if it is none
   */
  static Namespace parse(String text) {
    return Arrays.stream(values())
        .filter(one -> one.flag.equalsIgnoreCase(text))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is none of " + flags()));
  }

  private static String flags() {
    List<String> flags = Arrays.stream(values()).map(Namespace::flag).toList();
    return String.join(", ", flags);
  }
}
