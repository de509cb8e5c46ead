package dev.rollcall.linux.systemd;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freedesktop.dbus.connections.impl.DBusConnection;
import org.freedesktop.dbus.connections.impl.DBusConnectionBuilder;
import org.freedesktop.dbus.exceptions.DBusException;
import org.freedesktop.dbus.messages.Error;
import org.freedesktop.dbus.messages.Message;
import org.freedesktop.dbus.messages.MethodCall;
import org.freedesktop.dbus.types.UInt32;
import org.freedesktop.dbus.types.UInt64;
import org.freedesktop.dbus.types.Variant;

/**
 * Calls systemd's manager on the system bus. The connection has threads of its own, so it is opened
 * for the few calls at a time and closed again: at rest the agent has none.
 */
public final class SystemBus implements UnitBus {
  private static final String SYSTEMD = "org.freedesktop.systemd1";
  private static final String MANAGER_PATH = "/org/freedesktop/systemd1";
  private static final String MANAGER = "org.freedesktop.systemd1.Manager";
  private static final String UNIT = "org.freedesktop.systemd1.Unit";
  private static final String SCOPE = "org.freedesktop.systemd1.Scope";
  private static final String PROPERTIES = "org.freedesktop.DBus.Properties";
  private static final String UNIT_EXISTS = "org.freedesktop.systemd1.UnitExists";
  private static final String NO_SUCH_UNIT = "org.freedesktop.systemd1.NoSuchUnit";
  private static final String BUS = "org.freedesktop.DBus";
  private static final byte NO_FLAGS = 0;

  /** TasksMax=infinity. */
  private static final UInt64 INFINITY =
      new UInt64(BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE));

  private final String address;
  private final DBusConnection connection;
  private final Duration timeout;

  private SystemBus(String address, DBusConnection connection, Duration timeout) {
    this.address = address;
    this.connection = connection;
    this.timeout = timeout;
  }

  /** Where the system bus listens: {@code DBUS_SYSTEM_BUS_ADDRESS}, else the well-known socket. */
  public static String address(Optional<String> environment) {
    return environment
        .filter(text -> !text.isBlank())
        .orElse("unix:path=/run/dbus/system_bus_socket");
  }

  /**
   * Connects, and says hello.
   *
   * @param address as the D-Bus specification writes it: {@code unix:path=...}
   */
  public static SystemBus open(String address, Duration timeout) throws IOException {
    String path = address.replaceFirst("^unix:path=", "").replaceFirst("[,;].*", "");
    if (path.startsWith("/") && Files.notExists(Path.of(path))) {
      throw new IOException("there is no D-Bus socket " + path);
    }
    CompletableFuture<DBusConnection> opened = new CompletableFuture<>();
    // The authentication of the library reads without a limit of its own.
    Thread opener =
        Thread.ofPlatform().name("rollcall-dbus").daemon().start(() -> connect(address, opened));
    try {
      DBusConnection connection = opened.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return new SystemBus(address, connection, timeout).greeted();
    } catch (TimeoutException e) {
      throw abandoned(opened, opener, silent(address, timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw abandoned(opened, opener, new IOException("interrupted while opening " + address));
    } catch (ExecutionException e) {
      throw new IOException("D-Bus at " + address + ": " + reason(e), e);
    }
  }

  private static void connect(String address, CompletableFuture<DBusConnection> opened) {
    try {
      // Without the library's own hello, after whose failure its threads stay.
      DBusConnection connection =
          DBusConnectionBuilder.forAddress(address)
              .withShared(false)
              .transportConfig()
              .withRegisterSelf(false)
              .back()
              .build();
      if (!opened.complete(connection)) {
        connection.disconnect(); // nobody waits for it any more
      }
    } catch (DBusException | RuntimeException e) {
      opened.completeExceptionally(e);
    }
  }

  /** A channel that is read from is closed by an interrupt, and what waits for it ends. */
  private static IOException abandoned(
      CompletableFuture<DBusConnection> opened, Thread opener, IOException why) {
    if (!opened.completeExceptionally(why) && !opened.isCompletedExceptionally()) {
      opened.join().disconnect(); // it came just now
    }
    opener.interrupt();
    return why;
  }

  /** The bus gives a name to who says hello, and delivers nothing before. */
  private SystemBus greeted() throws IOException {
    boolean heard = false;
    try {
      Message reply = call(BUS, "/org/freedesktop/DBus", BUS, "Hello", "");
      if (reply instanceof Error error) {
        throw new IOException(
            "D-Bus at " + address + " does not complete authentication: " + text(error));
      }
      heard = true;
      return this;
    } finally {
      if (!heard) {
        close();
      }
    }
  }

  private static IOException silent(String address, Duration timeout) {
    return new IOException(
        "D-Bus at " + address + " does not answer within " + timeout.toMillis() + " ms");
  }

  private static String reason(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return message == null ? deepest.toString() : message;
  }

  @Override
  public Reply start(NewScope scope) throws IOException {
    Object[] properties = {
      property("Description", "s", "Jobs of this node, held by Rollcall"),
      property("PIDs", "au", new UInt32[] {new UInt32(scope.pid())}),
      property("Slice", "s", scope.slice().text()),
      property("Delegate", "b", true),
      property("TasksMax", "t", INFINITY),
      // A scope that failed is forgotten at once and does not block its name (systemd 236).
      property("CollectMode", "s", "inactive-or-failed"),
    };
    Object[] none = {};
    Message reply =
        ask(
            MANAGER_PATH,
            MANAGER,
            "StartTransientUnit",
            "ssa(sv)a(sa(sv))",
            scope.name(),
            "fail",
            properties,
            none);
    if (reply instanceof Error error) {
      return error.getName().equals(UNIT_EXISTS)
          ? new Reply.Exists(text(error))
          : new Reply.Refused(error.getName(), text(error));
    }
    return new Reply.Accepted(text(reply));
  }

  private static Object[] property(String name, String signature, Object value) {
    return new Object[] {name, new Variant<>(value, signature)};
  }

  @Override
  public Optional<UnitState> find(String unit) throws IOException {
    Message found = ask(MANAGER_PATH, MANAGER, "GetUnit", "s", unit);
    if (found instanceof Error error) {
      if (error.getName().equals(NO_SUCH_UNIT)) {
        return Optional.empty();
      }
      throw new IOException("systemd about " + unit + ": " + text(error));
    }
    String path = text(found);
    return Optional.of(
        new UnitState(read(path, UNIT, "ActiveState"), read(path, SCOPE, "ControlGroup")));
  }

  private String read(String path, String face, String property) throws IOException {
    Message reply = ask(path, PROPERTIES, "Get", "ss", face, property);
    if (reply instanceof Error error) {
      throw new IOException("systemd about " + property + " of " + path + ": " + text(error));
    }
    return text(reply);
  }

  @Override
  public void resetFailed(String unit) throws IOException {
    Message reply = ask(MANAGER_PATH, MANAGER, "ResetFailedUnit", "s", unit);
    if (reply instanceof Error error) {
      throw new IOException("reset-failed of " + unit + ": " + text(error));
    }
  }

  private Message ask(
      String path, String face, String method, String signature, Object... arguments)
      throws IOException {
    return call(SYSTEMD, path, face, method, signature, arguments);
  }

  private Message call(
      String to, String path, String face, String method, String signature, Object... arguments)
      throws IOException {
    try {
      MethodCall call =
          connection
              .getMessageFactory()
              .createMethodCall(null, to, path, face, method, NO_FLAGS, signature, arguments);
      connection.sendMessage(call);
      Message reply = call.getReply(timeout.toMillis());
      if (reply == null) {
        throw new IOException(
            "D-Bus at %s does not answer %s within %d ms"
                .formatted(address, method, timeout.toMillis()));
      }
      return reply;
    } catch (DBusException | RuntimeException e) {
      throw new IOException(method + " at " + address + ": " + reason(e), e);
    }
  }

  /** The first argument of a message as text: of an error its words. */
  private static String text(Message message) throws IOException {
    try {
      Object[] arguments = message.getParameters();
      Object first = arguments == null || arguments.length == 0 ? "" : arguments[0];
      return String.valueOf(first instanceof Variant<?> variant ? variant.getValue() : first);
    } catch (DBusException e) {
      throw new IOException("a reply that cannot be read: " + reason(e), e);
    }
  }

  @Override
  public void close() {
    connection.disconnect();
  }

  /** Connects to a bus whenever it is asked to. */
  public static Opener at(String address) {
    return timeout -> SystemBus.open(address, timeout);
  }
}
