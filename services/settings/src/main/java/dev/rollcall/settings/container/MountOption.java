package dev.rollcall.settings.container;

import java.util.Locale;

/** A flag of mount(8) that a private directory may have. */
public enum MountOption {
  NOEXEC,
  NOSUID,
  NODEV,
  RO,
  NOATIME,
  NODIRATIME,
  RELATIME;

  /** As mount(8) has it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
