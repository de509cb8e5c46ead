package dev.rollcall.gateway;

import dev.rollcall.roll.Grid;
import dev.rollcall.roll.GridConfig;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.wire.alive.Systemd;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.log.DeadThread;
import dev.rollcall.wire.log.LogLine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the gateway: {@code rollcall gateway [--config FILE]}. */
public final class Main {
  /** Of sysexits.h. */
  private static final int USAGE = 64;

  private static final int CONFIG = 78;
  private static final int FAILED = 1;

  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 5;

  /** With a file: prints the keys with the values that they would have, and starts nothing. */
  private static final String SHOW = "--show-config";

  private Main() {}

  /** Runs until it is told to stop (SIGTERM). */
  public static void main(String[] arguments) {
    haveCommonPool();
    LogLine.begin();
    DeadThread.begin();
    try {
      if (arguments.length == 2 && arguments[0].equals(SHOW)) {
        GatewayKeys.effective(Path.of(arguments[1])).forEach(key -> System.out.println(key.line()));
        return;
      }
      if (!arguments(arguments)) {
        exit(
            USAGE,
            "'" + String.join(" ", arguments) + "' is not understood: expected --config FILE");
      }
      run(arguments.length == 0 ? GatewayConfig.DEFAULTS : read(Path.of(arguments[1])));
    } catch (BadConfigException e) {
      exit(CONFIG, String.valueOf(e.getMessage()));
    } catch (ExecutionException e) {
      exit(FAILED, text(e.getCause()));
    } catch (Exception e) {
      exit(FAILED, text(e));
    }
  }

  /**
   * With one or two processors the JVM's common pool has one thread, and then Hazelcast starts a
   * thread for each answer of the grid instead. The pool is made when something first uses it.
   */
  private static void haveCommonPool() {
    String parallelism = "java.util.concurrent.ForkJoinPool.common.parallelism";
    if (Runtime.getRuntime().availableProcessors() <= 2
        && System.getProperty(parallelism) == null) {
      System.setProperty(parallelism, "2");
    }
  }

  private static boolean arguments(String[] arguments) {
    return arguments.length == 0 || (arguments.length == 2 && arguments[0].equals("--config"));
  }

  private static GatewayConfig read(Path path) throws IOException, BadConfigException {
    ConfigFile file = ConfigFile.read(path);
    GatewayConfig config = GatewayConfig.read(file);
    MemberNetwork.here().check(config, file);
    return config;
  }

  private static void run(GatewayConfig config) throws Exception {
    Vertx vertx = VertxSettings.start(VertxSettings.busy());
    Grid grid = Grid.start(grid(config));
    var gateway = new GatewayWiring(vertx, config, version(), grid.roll(), grid.mail());
    gateway.countMembers(grid::members);
    gateway.watchGrid(grid::ask);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stop(vertx, gateway, grid), "rollcall-stop"));
    gateway.start().toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
    Systemd.tell(vertx, "READY=1");
  }

  private static GridConfig grid(GatewayConfig config) {
    return new GridConfig(
        config.cluster(),
        config.advertise().toString(),
        config.memberListen(),
        config.members(),
        config.memberNetworkIsProtected());
  }

  private static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }

  private static void stop(Vertx vertx, GatewayWiring gateway, Grid grid) {
    try {
      await(gateway.stop());
      // From this thread: an end that is told on an event loop is never told when the loops end.
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      System.err.println("rollcall gateway: it did not stop cleanly: " + e);
    }
    grid.close();
  }

  private static void await(Future<Void> end) throws Exception {
    end.toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** What we say ourselves says enough; of anything else its kind matters too. */
  private static String text(@Nullable Throwable problem) {
    return problem instanceof IOException || problem instanceof IllegalStateException
        ? String.valueOf(problem.getMessage())
        : String.valueOf(problem);
  }

  private static void exit(int code, String problem) {
    System.err.println("rollcall gateway: " + problem);
    System.exit(code);
  }
}
