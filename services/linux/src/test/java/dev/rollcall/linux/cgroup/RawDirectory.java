package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;

/** Makes a directory whose name need not be text, as a user does to whom a cgroup is delegated. */
final class RawDirectory {
  private RawDirectory() {}

  /**
   * @param name as the format of printf(1): {@code \\377} is a byte
   */
  static CgroupDirectory make(CgroupDirectory in, String name) throws IOException {
    Process made =
        new ProcessBuilder("sh", "-c", "mkdir \"$1/$(printf \"$2\")\"", "sh", in.toString(), name)
            .inheritIO()
            .start();
    try {
      assertEquals(0, made.waitFor(), name);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return in.children().getLast();
  }
}
