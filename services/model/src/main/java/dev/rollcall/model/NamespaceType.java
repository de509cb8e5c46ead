package dev.rollcall.model;

/** The types of namespaces(7), in the order in which a process joins them. */
public enum NamespaceType {
  /** All others may be made in it, and so a copy of the mounts. */
  USER("user", 0x10000000),
  PID("pid", 0x20000000),
  IPC("ipc", 0x8000000),
  UTS("uts", 0x4000000),
  NET("net", 0x40000000),
  /** Its root is the job's cgroup. */
  CGROUP("cgroup", 0x2000000),
  MOUNT("mnt", 0x20000);

  private final String word;
  private final int flag;

  NamespaceType(String word, int flag) {
    this.word = word;
    this.flag = flag;
  }

  /** Its name in /proc/PID/ns. */
  public String word() {
    return word;
  }

  /** CLONE_NEWNS and so on, of clone(2). */
  public int flag() {
    return flag;
  }
}
