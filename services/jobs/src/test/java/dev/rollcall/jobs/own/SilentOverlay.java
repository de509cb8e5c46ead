package dev.rollcall.jobs.own;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A user's process on a terminal, whose descriptor 0 is a file that answers nobody, root either: an
 * overlay, made in a user namespace of theirs, over a FUSE file system whose server falls silent
 * once the file is open. The kernel refuses root on another user's FUSE mount, but an overlay asks
 * with the rights of who mounted it.
 */
final class SilentOverlay implements AutoCloseable {
  private static final String PROGRAM =
      """
      import ctypes, fcntl, os, pty, signal, struct, sys, termios, threading
      top, uid = sys.argv[1], int(sys.argv[2])
      libc = ctypes.CDLL(None, use_errno=True)
      def check(what, result):
          if result:
              sys.exit(what + ': ' + os.strerror(ctypes.get_errno()))
      # As distributions have it; here it may be root's alone. To be opened where it is mounted.
      os.mknod(top + '/fuse', 0o20666, os.makedev(10, 229))
      os.chmod(top + '/fuse', 0o666)
      master, terminal = pty.openpty()
      os.fchown(terminal, uid, -1)
      os.setgroups([])
      os.setresgid(uid, uid, uid)
      os.setresuid(uid, uid, uid)
      libc.prctl(4, 1, 0, 0, 0)  # dumpable, or its maps are root's to write
      check('unshare', libc.unshare(0x10000000 | 0x00020000))
      open('/proc/self/setgroups', 'w').write('deny')
      open('/proc/self/uid_map', 'w').write('%d %d 1' % (uid, uid))
      open('/proc/self/gid_map', 'w').write('%d %d 1' % (uid, uid))
      fuse = os.open(top + '/fuse', os.O_RDWR)
      check('private', libc.mount(None, b'/', None, 0x44000, None))
      options = b'fd=%d,rootmode=40755,user_id=%d,group_id=%d' % (fuse, uid, uid)
      check('fuse', libc.mount(b'rollcall-test', (top + '/lower').encode(), b'fuse', 0, options))
      silent = False
      def attributes(node):
          mode = 0o40755 if node == 1 else 0o100644
          return struct.pack('QQQQQQIIIIIIIIII', node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, uid, uid, 0, 512, 0)
      def serve():
          global silent
          while True:
              request = os.read(fuse, 1 << 17)
              length, opcode, unique, node = struct.unpack_from('IIQQ', request)
              body, error = b'', 0
              if silent or opcode in (2, 36, 42):
                  continue
              if opcode == 26:
                  body = struct.pack('IIIIHHIIHH8I', 7, 31, 65536, 0, 0, 0, 4096, 1, 0, 0, *[0] * 8)
              elif opcode == 1 and request[40:].rstrip(b'\\0') == b'f':
                  body = struct.pack('QQQQII', 2, 0, 0, 0, 0, 0) + attributes(2)
              elif opcode == 3:
                  body = struct.pack('QII', 0, 0, 0) + attributes(node)
              elif opcode == 17:
                  body = struct.pack('5Q4I6I', 1, 1, 1, 1, 1, 4096, 255, 4096, 0, *[0] * 6)
              elif opcode in (14, 27):
                  body = struct.pack('QII', 7, 0, 0)
                  silent = opcode == 14
              elif opcode not in (18, 25, 29):
                  error = -2 if opcode == 1 else -38
              os.write(fuse, struct.pack('IiQ', 16 + len(body), error, unique) + body)
      threading.Thread(target=serve, daemon=True).start()
      layers = 'lowerdir=%s/lower:%s/empty,userxattr' % (top, top)
      check('overlay', libc.mount(b'overlay', (top + '/merged').encode(), b'overlay', 0, layers.encode()))
      if os.fork() == 0:
          os.close(fuse)
          os.setsid()
          fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
          os.dup2(terminal, 20)
          os.dup2(os.open(top + '/merged/f', os.O_RDONLY), 0)
          print('ready', os.getpid(), flush=True)
          for each in (1, 2):
              os.dup2(20, each)  # what reads our words waits for nobody who is left over
          while True:
              signal.pause()
      while True:
          signal.pause()
      """;

  private final Path directory;
  private final Process server;
  private final int open;

  SilentOverlay(int uid) {
    try {
      directory = Files.createTempDirectory("rollcall-silent");
      for (String each : List.of("lower", "empty", "merged")) {
        Files.createDirectory(directory.resolve(each));
      }
      new ProcessBuilder("chown", "-R", uid + ":" + uid, directory.toString()).start().waitFor();
      server =
          new ProcessBuilder("python3", "-c", PROGRAM, directory.toString(), Integer.toString(uid))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String ready = String.valueOf(server.inputReader().readLine());
      if (!ready.startsWith("ready ")) {
        throw new IOException("no silent file: " + ready);
      }
      open = Integer.parseInt(ready.substring("ready ".length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Process server() {
    return server;
  }

  /** The process that has the file open, and a terminal. */
  int open() {
    return open;
  }

  /** Lets go whatever waits for an answer, with an error. */
  @Override
  public void close() {
    server.destroyForcibly();
    ProcessHandle.of(open).ifPresent(ProcessHandle::destroyForcibly);
    try {
      server.waitFor();
      for (String each : List.of("fuse", "lower", "empty", "merged")) {
        Files.delete(directory.resolve(each));
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
