package dev.rollcall.roll;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.testkit.roll.SettableClock;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who reaches a member's port without its protocol, or with no more than its first bytes. */
class MemberPortTest {
  private static final int CONNECTIONS = 200;
  private static final long MOST_BYTES_EACH = 512 << 10;

  private final Members members = new Members("port", new SettableClock());
  private final List<Socket> open = new ArrayList<>();

  @AfterEach
  void end() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    members.close();
  }

  @Test
  void silenceAndGarbageOn200ConnectionsLeaveTheMemberAnswering() throws IOException {
    Grid grid = members.start("g:7450");
    attend(grid, 1);
    long before = used();
    for (int i = 0; i < CONNECTIONS; i++) {
      Socket socket = new Socket(grid.listening().address(), grid.listening().port());
      open.add(socket);
      switch (i % 4) {
        case 0 -> socket.getOutputStream().write("HZC".getBytes(US_ASCII));
        case 1 -> socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        case 2 -> socket.getOutputStream().write("CP2".getBytes(US_ASCII));
        default -> {}
      }
    }
    attend(grid, 2);
    long more = used() - before;
    assertTrue(more < CONNECTIONS * MOST_BYTES_EACH, () -> more + " bytes");
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void attend(Grid grid, long run) {
    assertInstanceOf(
        Roll.Standing.Attending.class,
        grid.roll()
            .attend(
                new Roll.Attendance(
                    new NodeEpoch(new NodeName("n1"), "boot", run),
                    Set.of(),
                    "g:7450",
                    "1",
                    "none"),
                Duration.ofSeconds(15)));
  }
}
