package dev.rollcall.agent.login.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A regular file that is open for reading, whatever its name is now. */
final class LogFile implements AutoCloseable {
  private final FileChannel channel;
  private final long inode;

  private LogFile(FileChannel channel, long inode) {
    this.channel = channel;
    this.inode = inode;
  }

  /**
   * Opens a file; empty if there is none.
   *
   * @throws IOException also for a symbolic link, and for what is no regular file
   */
  static Optional<LogFile> open(Path path) throws IOException {
    OptionalLong inode = inode(path);
    if (inode.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new LogFile(
            FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)),
            inode.getAsLong()));
  }

  /** The number of the file that has this name now; empty if none has it. */
  static OptionalLong inode(Path path) throws IOException {
    try {
      Map<String, Object> found =
          Files.readAttributes(path, "unix:ino,isRegularFile", LinkOption.NOFOLLOW_LINKS);
      if (found.get("ino") instanceof Number inode
          && Boolean.TRUE.equals(found.get("isRegularFile"))) {
        return OptionalLong.of(inode.longValue());
      }
      throw new IOException(path + " is not a regular file");
    } catch (NoSuchFileException none) {
      return OptionalLong.empty();
    }
  }

  long inode() {
    return inode;
  }

  long size() throws IOException {
    return channel.size();
  }

  /** The bytes from there on, as many as there are and at most so many. */
  ByteBuffer read(long from, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(most);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
      // A file that grows meanwhile may give its bytes in pieces.
    }
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
