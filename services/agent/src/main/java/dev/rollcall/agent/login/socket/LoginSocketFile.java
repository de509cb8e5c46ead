package dev.rollcall.agent.login.socket;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of a listening unix socket. */
final class LoginSocketFile {
  private LoginSocketFile() {}

  /**
   * Makes way for a new socket: the file that a dead process left is removed.
   *
   * @throws IOException when another process listens there, or something else is in the way
   */
  static void makeWay(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
        || Files.isSymbolicLink(file)) {
      throw new IOException(file + " exists and is not a socket");
    }
    if (answers(file)) {
      throw new IOException("another agent listens on " + file);
    }
    Files.delete(file);
  }

  private static boolean answers(Path file) {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(file));
    } catch (IOException nobody) {
      return false;
    }
  }

  static void permit(Path file, String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
