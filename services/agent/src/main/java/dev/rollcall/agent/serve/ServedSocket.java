package dev.rollcall.agent.serve;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A unix socket of the agent's services, which speaks frames.
 *
 * @param mode as {@code rw-rw-rw-}
 * @param stage its name in the health page
 * @param grpc the socket beside it that speaks gRPC
 */
public record ServedSocket(Path path, String mode, String stage, Optional<Grpc> grpc) {
  /**
   * A socket for root and the users that the site lists.
   *
   * @param mode as {@code rw-rw-rw-}
   */
  public record Grpc(Path path, String mode, GrpcUsers users) {}

  public static final String USERS = "serve";
  public static final String ROOT = "serve-root";

  public static ServedSocket ofUsers(Path runDirectory, GrpcUsers listed) {
    String mode = listed.isEmpty() ? "rw-------" : "rw-rw-rw-";
    return new ServedSocket(
        runDirectory.resolve("agent.sock"),
        "rw-rw-rw-",
        USERS,
        Optional.of(new Grpc(runDirectory.resolve("grpc.sock"), mode, listed)));
  }

  public static ServedSocket ofRoot(Path runDirectory) {
    return new ServedSocket(runDirectory.resolve("root.sock"), "rw-------", ROOT, Optional.empty());
  }
}
