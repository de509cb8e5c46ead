package dev.rollcall.linux.mount;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;

/** Distinguishes a network namespace from other files: ioctl_ns(2), Linux 4.11. */
public final class NetworkNamespace {
  private static final long NS_GET_NSTYPE = 0xb703;
  private static final long CLONE_NEWNET = 0x40000000;

  private NetworkNamespace() {}

  public static boolean is(Descriptor file) {
    return Syscall.IOCTL.call(file.number(), NS_GET_NSTYPE, 0) == CLONE_NEWNET;
  }
}
