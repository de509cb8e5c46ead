package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class VertxSettingsTest {
  /** As in a container whose root is read-only, without a mount at /tmp. */
  @Test
  void anUnusableTransportNamesTheFirstCauseAndTheDirectory() {
    var cause =
        new UnsatisfiedLinkError("failed to load the required native library")
            .initCause(new java.io.IOException("Read-only file system\nsecond line"));

    assertEquals(
        "netty's native library cannot be loaded: Read-only file system. It is unpacked in "
            + System.getProperty("io.netty.native.workdir", System.getProperty("java.io.tmpdir"))
            + ", which must be writable and not mounted noexec; -Dio.netty.native.workdir sets"
            + " another directory",
        VertxSettings.unavailable(cause));
  }
}
