package dev.rollcall.linux.mount;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import java.util.Arrays;
import java.util.Optional;

/** The types of namespaces(7). */
public enum NamespaceType {
  MOUNT(0x20000),
  CGROUP(0x2000000),
  UTS(0x4000000),
  IPC(0x8000000),
  USER(0x10000000),
  PID(0x20000000),
  NETWORK(0x40000000);

  private static final long NS_GET_NSTYPE = 0xb703;

  /** CLONE_NEWNS and so on, of clone(2). */
  private final long flag;

  NamespaceType(long flag) {
    this.flag = flag;
  }

  /**
   * By ioctl_ns(2), Linux 4.11. Empty: the file is no namespace, or of a type that is not listed.
   */
  public static Optional<NamespaceType> of(Descriptor file) {
    long type = Syscall.IOCTL.call(file.number(), NS_GET_NSTYPE, 0);
    return Arrays.stream(values()).filter(each -> each.flag == type).findFirst();
  }
}
