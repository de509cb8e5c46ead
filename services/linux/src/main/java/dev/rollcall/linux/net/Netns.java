package dev.rollcall.linux.net;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.SocketOption;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.mount.NamespaceThread;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A network namespace, which exists at least as long as this is open. */
public final class Netns implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;

  private final String name;
  private final Descriptor file;
  private final long inode;

  private Netns(String name, Descriptor file, long inode) {
    this.name = name;
    this.file = file;
    this.inode = inode;
  }

  /** The namespace of this process. */
  public static Netns own() throws IOException {
    return at(Path.of("/proc/self/ns/net"));
  }

  /**
   * @param path of a namespace file: {@code /proc/PID/ns/net}, or what ip-netns(8) binds
   */
  public static Netns at(Path path) throws IOException {
    Descriptor file = Descriptor.open(path);
    try {
      // By the descriptor, so that it is the inode of what was opened.
      Path opened = Path.of("/proc/self/fd/" + file.number());
      return new Netns(path.toString(), file, (Long) Files.getAttribute(opened, "unix:ino"));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** {@code net->ns.inum} in the kernel; given to another namespace once this one is gone. */
  public long inode() {
    return inode;
  }

  /** The number that no other namespace has had or will have until boot; absent before 5.12. */
  public OptionalLong cookie() throws IOException {
    try (Descriptor socket = socket(AF_INET, SOCK_DGRAM, 0);
        Arena arena = Arena.ofConfined()) {
      MemorySegment cookie = arena.allocate(JAVA_LONG);
      SocketOption.NETNS_COOKIE.read(socket.number(), cookie);
      return OptionalLong.of(cookie.get(JAVA_LONG, 0));
    } catch (ErrnoException e) {
      if (e.is(Errno.ENOPROTOOPT)) {
        return OptionalLong.empty();
      }
      throw e;
    }
  }

  /** A socket that belongs to this namespace for ever, whatever thread uses it. */
  Descriptor socket(int domain, int type, int protocol) throws IOException {
    return NamespaceThread.run(
        NamespaceType.NET,
        file.number(),
        () -> {
          long fd = Syscall.SOCKET.call(domain, type | SOCK_CLOEXEC, protocol);
          return new Descriptor(Syscall.SOCKET.check("domain " + domain + " in " + name, fd));
        });
  }

  @Override
  public void close() {
    file.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
