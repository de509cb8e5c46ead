package dev.rollcall.linux.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class FuseConnectionsTest {
  /** Mounts a file system for user 4242 in a mount namespace of its own, and answers nothing. */
  private static final String SILENT =
      """
      import ctypes, os, sys
      libc = ctypes.CDLL(None, use_errno=True)
      libc.unshare(0x00020000)
      libc.mount(None, b'/', None, 0x44000, None)
      fuse = os.open('/dev/fuse', os.O_RDWR)
      options = b'fd=%d,rootmode=40000,user_id=4242,group_id=0,allow_other' % fuse
      if libc.mount(b'rollcall-test', sys.argv[1].encode(), b'fuse', 0, options):
          sys.exit('mount: ' + os.strerror(ctypes.get_errno()))
      if os.fork() == 0:
          os.close(fuse)
          try:
              os.listdir(sys.argv[1])
          finally:
              os._exit(0)
      os.read(fuse, 1 << 17)
      print(next(l.split()[2].split(':')[1] for l in open('/proc/self/mountinfo') if l.split()[4] == sys.argv[1]), flush=True)
      os.waitpid(-1, 0)
      """;

  @Test
  void aConnectionIsListedForItsUserAloneAndAborted(@TempDir Path directory) throws Exception {
    Process server =
        new ProcessBuilder("/usr/bin/python3", "-c", SILENT, directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (FuseConnections connections = FuseConnections.open().orElseThrow()) {
      int number = Integer.parseInt(server.inputReader().readLine());
      assertEquals(Set.of(number), connections.waiting(uid -> uid == 4242));
      assertFalse(connections.waiting(uid -> uid != 4242).contains(number));

      assertTrue(connections.abort(number));
      assertTrue(server.waitFor(20, TimeUnit.SECONDS), "its reader ends with an error");
      assertEquals(Set.of(), connections.waiting(uid -> uid == 4242));
      assertFalse(connections.abort(number), "it is gone");
    } finally {
      server.destroyForcibly().waitFor();
    }
  }
}
