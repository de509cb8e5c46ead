package dev.rollcall.lab.slurm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A plugin of Slurm's that gives each job a private /tmp and /dev/shm. */
public enum ContainerPlugin {
  /** Of all releases; since 25.11 its name is namespace/tmpfs. */
  JOB_CONTAINER_TMPFS(
      "JobContainerType=job_container/tmpfs",
      "job_container.conf",
      """
      AutoBasePath=true
      BasePath=/var/lib/slurm/containers
      """,
      /* ownProcesses= */ false),

  /** Since 25.11, here with a pid namespace as well. */
  NAMESPACE_LINUX(
      "NamespaceType=namespace/linux",
      "namespace.yaml",
      """
      defaults:
        auto_base_path: true
        base_path: /var/lib/slurm/containers
        clone_ns_flags: [CLONE_NEWNS, CLONE_NEWPID]
      """,
      /* ownProcesses= */ true);

  private static final Path LINUX =
      Path.of("/usr/lib/x86_64-linux-gnu/slurm-wlm/namespace_linux.so");

  private final String line;
  private final String file;
  private final String text;
  private final boolean ownProcesses;

  ContainerPlugin(String line, String file, String text, boolean ownProcesses) {
    this.line = line;
    this.file = file;
    this.text = text;
    this.ownProcesses = ownProcesses;
  }

  /** Those that the Slurm of this system has. */
  public static List<ContainerPlugin> here() {
    return Arrays.stream(values())
        .filter(plugin -> plugin != NAMESPACE_LINUX || Files.exists(LINUX))
        .toList();
  }

  /** Of slurm.conf(5). */
  String line() {
    return line;
  }

  /** The name of its own file, beside slurm.conf. */
  String file() {
    return file;
  }

  String text() {
    return text;
  }

  /** Whether a job sees its own processes alone. */
  public boolean ownProcesses() {
    return ownProcesses;
  }
}
