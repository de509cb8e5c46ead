package dev.rollcall.wire.grpc;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file of a unix socket. It is bound under a name of its own and renamed when its mode is set,
 * so that nobody meets it with another, and a file left by a dead process is replaced.
 */
final class SocketFile {
  private final Path path;
  private final Path temporary;
  private final String mode;

  SocketFile(Path path, String mode) {
    this.path = path;
    this.temporary = path.resolveSibling(path.getFileName() + ".new");
    this.mode = mode;
  }

  /** Returns where to bind. */
  Path prepare() throws IOException {
    if (Files.exists(path)) {
      try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        probe.connect(UnixDomainSocketAddress.of(path));
        throw new IOException("another process answers there");
      } catch (java.net.ConnectException e) {
        // ECONNREFUSED: nobody listens any more. The file goes when ours takes its name.
      }
    }
    Files.deleteIfExists(temporary);
    return temporary;
  }

  Path publish() throws IOException {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(mode));
    return Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
  }

  boolean remove() throws IOException {
    return Files.deleteIfExists(path);
  }
}
