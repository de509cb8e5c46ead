package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.GrpcServices.Listening;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Function;

/**
 * The file of a unix socket. It is bound under a name of its own and renamed when its mode is set,
 * so that nobody meets it with another, and a file left by a dead process is replaced.
 */
public final class SocketFile {
  private final Path path;
  private final Path temporary;
  private final String mode;

  /**
   * @param mode as {@code rw-rw-rw-}
   */
  public SocketFile(Path path, String mode) {
    this.path = path;
    this.temporary = temporary(path);
    this.mode = mode;
  }

  /** The path at which a socket is bound before it gets its name. */
  public static Path temporary(Path path) {
    return path.resolveSibling(path.getFileName() + ".new");
  }

  /**
   * Returns where to bind.
   *
   * @throws IOException if a process listens on the socket, or something else is in its place
   */
  public Path prepare() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther()) {
        throw new IOException(path + " exists and is not a socket");
      }
      try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        probe.connect(UnixDomainSocketAddress.of(path));
        throw new IOException("another process listens on " + path);
      } catch (java.net.ConnectException e) {
        // ECONNREFUSED: nobody listens any more. The file goes when ours takes its name.
      }
    }
    Files.deleteIfExists(temporary);
    return temporary;
  }

  /** Closes what listens. */
  @FunctionalInterface
  public interface Bound {
    Future<Void> close();
  }

  /**
   * Binds the socket, and publishes its file.
   *
   * @param bind binds at a path
   */
  public Future<Listening> listen(Vertx vertx, Function<Path, Future<Bound>> bind) {
    return vertx
        .executeBlocking(this::prepare)
        .compose(bind)
        .compose(bound ->
            vertx
                .executeBlocking(this::publish)
                .map(_ ->
                    new Listening(
                        -1,
                        () -> bound.close().eventually(() -> vertx.executeBlocking(this::remove))))
                .onFailure(_ -> bound.close()))
        .recover(e -> Future.failedFuture(GrpcServices.cannotListen(path.toString(), e)));
  }

  public Path publish() throws IOException {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(mode));
    return Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
  }

  public boolean remove() throws IOException {
    return Files.deleteIfExists(path);
  }
}
