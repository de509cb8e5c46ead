package dev.rollcall.linux.systemd;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.systemd.SystemdContainer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A real systemd, asked by a real bus. */
@Tag("root")
class SystemBusTest extends UnitBusContract {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static @Nullable SystemdContainer node;

  private @Nullable UnitBus bus;

  @BeforeAll
  static void boot() {
    node = SystemdContainer.start(List.of());
  }

  @AfterAll
  static void end() {
    node().close();
  }

  private static SystemdContainer node() {
    return java.util.Objects.requireNonNull(node);
  }

  @BeforeEach
  void connect() throws IOException {
    bus =
        SystemBus.open(
            "unix:path=" + node().file("/run/dbus/system_bus_socket"), Duration.ofSeconds(20));
  }

  @AfterEach
  void hangUp() {
    bus().close();
    // The library does not wait for its reader, which sees the closed socket in its own time.
    Await.until("the bus's threads have ended", () -> threads().isEmpty());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("DBusConnection"))
        .toList();
  }

  @Override
  UnitBus bus() {
    return java.util.Objects.requireNonNull(bus);
  }

  @Override
  int process() {
    Result started =
        node().run(PATIENCE, "sh", "-c", "sleep 600 </dev/null >/dev/null 2>&1 & echo $!");
    return Integer.parseInt(started.outOrThrow("sleep").strip());
  }

  @Override
  CgroupDirectory top() {
    return new CgroupDirectory(node().cgroup());
  }
}
