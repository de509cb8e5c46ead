package dev.rollcall.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What makes a machine a node of Rollcall: the distribution, a key with which root comes in and
 * goes on to the users, and the script that lays both out.
 *
 * @param folder where this is kept on this machine while the other runs
 */
public record VmNode(Path distribution, Path folder) {
  /** Sets the node up and starts the agent's unit; run inside. */
  public static final String SET_UP = "bash /srv/rollcall-vm/node.sh";

  private static final Duration KEY_WITHIN = Duration.ofSeconds(20);

  /** In a folder that is the caller's to remove. */
  public static VmNode in(Path folder, Path distribution) {
    try {
      Resource.NODE.copyTo(folder);
      Resource.SLURM.copyTo(folder);
      Tool.run(
          KEY_WITHIN,
          List.of(
              "ssh-keygen",
              "-q",
              "-t",
              "ed25519",
              "-N",
              "",
              "-C",
              "rollcall-vm",
              "-f",
              folder.resolve("id_ed25519").toString()));
      Files.copy(folder.resolve("id_ed25519.pub"), folder.resolve("authorized_keys"));
      return new VmNode(distribution, folder);
    } catch (IOException e) {
      throw new VmException("cannot prepare a node in " + folder, e);
    }
  }

  /** With this as its identity ssh comes in as root. */
  public Path key() {
    return folder.resolve("id_ed25519");
  }

  public VmPayload addTo(VmPayload payload) {
    return payload
        .with("/opt/rollcall", distribution)
        .with("/srv/rollcall-vm/node.sh", folder.resolve("node.sh"))
        .with("/srv/rollcall-vm/slurm.sh", folder.resolve("slurm.sh"))
        .with("/root/.ssh/id_ed25519", key())
        .with("/root/.ssh/id_ed25519.pub", folder.resolve("id_ed25519.pub"))
        .with("/root/.ssh/authorized_keys", folder.resolve("authorized_keys"));
  }
}
