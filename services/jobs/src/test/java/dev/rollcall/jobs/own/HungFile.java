package dev.rollcall.jobs.own;

import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A file system whose server takes requests and never answers: FUSE, spoken by hand. A process that
 * looks at a file there sleeps in {@code request_wait_answer}; once it has a signal that cannot be
 * ignored, or is to be frozen, in state D, and neither kill nor freezer reach it until the server
 * is gone. So it goes with a dead NFS server.
 */
final class HungFile implements AutoCloseable {
  private static final String SERVER =
      """
      import ctypes, os, struct, sys
      fd = os.open('/dev/fuse', os.O_RDWR)
      options = b'fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other' % fd
      libc = ctypes.CDLL(None, use_errno=True)
      if libc.mount(b'rollcall-test', sys.argv[1].encode(), b'fuse', 0, options):
          sys.exit('mount: ' + os.strerror(ctypes.get_errno()))
      while True:
          request = os.read(fd, 1 << 17)
          length, opcode, unique = struct.unpack_from('IIQ', request)
          if opcode == 26:
              answer = struct.pack('IIIIHHIIHH8I', 7, 26, 65536, 0, 0, 0, 4096, 1, 0, 0, *[0] * 8)
              os.write(fd, struct.pack('IiQ', 16 + len(answer), 0, unique) + answer)
          elif opcode != 36:
              print('asked', flush=True)
      """;

  private final Path directory;
  private final Process server;

  HungFile() {
    try {
      directory = Files.createTempDirectory("rollcall-hung");
      server =
          new ProcessBuilder("python3", "-c", SERVER, directory.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Rig.await("mounted", () -> mounted());
  }

  private boolean mounted() {
    try {
      return Files.readString(Path.of("/proc/self/mounts")).contains(directory + " fuse");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return directory.resolve("file").toString();
  }

  /** Waits until a process is in the hands of the server. */
  void awaitAsked() throws IOException {
    if (!"asked".equals(server.inputReader().readLine())) {
      throw new IOException("the server of " + directory + " has ended");
    }
  }

  static char state(int pid) {
    return new Proc(Path.of("/proc")).stat(pid).orElseThrow().state();
  }

  /** Lets the processes that hang go on, with an error. */
  @Override
  public void close() {
    server.destroyForcibly();
    try {
      server.waitFor();
      new ProcessBuilder("umount", "-l", directory.toString())
          .start()
          .waitFor(20, TimeUnit.SECONDS);
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
