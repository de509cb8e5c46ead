package dev.rollcall.agent.serve;

import java.nio.file.Path;

/**
 * A unix socket of the agent's services.
 *
 * @param mode as {@code rw-rw-rw-}
 * @param stage its name in the health page
 */
public record ServedSocket(Path path, String mode, String stage) {
  public static final String USERS = "serve";
  public static final String ROOT = "serve-root";

  public static ServedSocket ofUsers(Path runDirectory) {
    return new ServedSocket(runDirectory.resolve("agent.sock"), "rw-rw-rw-", USERS);
  }

  public static ServedSocket ofRoot(Path runDirectory) {
    return new ServedSocket(runDirectory.resolve("root.sock"), "rw-------", ROOT);
  }
}
