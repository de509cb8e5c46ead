package dev.rollcall.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads whether the kernel is locked down, which can forbid BPF programs (kernel_lockdown(7), Linux
 * 5.4; distributions have it in earlier kernels, too).
 *
 * @param file as {@code /sys/kernel/security/lockdown}: {@code none [integrity] confidentiality}
 */
public record KernelLockdown(Path file) {
  public static final KernelLockdown OF_KERNEL =
      new KernelLockdown(Path.of("/sys/kernel/security/lockdown"));

  private static final Pattern MODE = Pattern.compile("\\[(\\w+)]");

  /** For the end of a line about something that the kernel refused; empty without a lockdown. */
  public String remark() {
    String mode = mode();
    return mode.equals("none") ? "" : "; the kernel is locked down (" + mode + ")";
  }

  private String mode() {
    try {
      Matcher mode = MODE.matcher(Files.readString(file));
      return mode.find() ? mode.group(1) : "none";
    } catch (IOException e) {
      return "none"; // a kernel without lockdown, or securityfs is not mounted
    }
  }
}
