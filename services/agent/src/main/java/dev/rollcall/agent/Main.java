package dev.rollcall.agent;

import dev.rollcall.agent.outside.OutsideVerticle;
import dev.rollcall.linux.Persons;
import dev.rollcall.linux.cgroup.ExpectedMoves;
import dev.rollcall.linux.process.JavaFiles;
import dev.rollcall.linux.process.NativeHeap;
import dev.rollcall.linux.process.TimerSlack;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.CallSource;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.wire.alive.Systemd;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.log.DeadThread;
import dev.rollcall.wire.log.LogLine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the agent: {@code rollcall agent [--config FILE]}. */
public final class Main {
  /** Of sysexits.h. */
  private static final int USAGE = 64;

  private static final int CONFIG = 78;
  private static final int UNAVAILABLE = 69;

  private static final long STOP_SECONDS = 5;

  /** A starved machine is slow, and an agent that gives up has to begin again. */
  private static final long START_SECONDS = 180;

  private static final Duration SETTLED_AFTER = Duration.ofMinutes(1);

  /** With a file: prints the keys with the values that they would have, and starts nothing. */
  private static final String SHOW = "--show-config";

  private Main() {}

  /** Runs until it is told to stop (SIGTERM). Jobs stay. */
  public static void main(String[] arguments) {
    LogLine.begin();
    DeadThread.begin();
    try {
      if (arguments.length == 2 && arguments[0].equals(SHOW)) {
        AgentKeys.effective(Path.of(arguments[1])).forEach(key -> System.out.println(key.line()));
      } else if (arguments.length == 0) {
        run(AgentConfigReader.defaults());
      } else if (arguments.length == 2 && arguments[0].equals("--config")) {
        run(AgentConfigReader.read(ConfigFile.read(Path.of(arguments[1]))));
      } else {
        exit(
            USAGE,
            "'" + String.join(" ", arguments) + "' is not understood: expected --config FILE");
      }
    } catch (BadConfigException e) {
      exit(CONFIG, message(e));
    } catch (ExecutionException e) {
      exit(UNAVAILABLE, message(Objects.requireNonNullElse(e.getCause(), e)));
    } catch (Exception e) {
      exit(UNAVAILABLE, message(e));
    }
  }

  private static void run(AgentConfig config) throws Exception {
    makeDirectories(config);
    String bootId = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
    var epoch =
        new NodeEpoch(
            node(config), bootId, new EpochFile(config.stateDirectory(), Clock.systemUTC()).next());
    Vertx logins = VertxSettings.start(VertxSettings.quiet());
    var loops =
        new Wiring.EventLoops(
            logins,
            VertxSettings.start(VertxSettings.quiet()),
            VertxSettings.start(VertxSettings.quiet()));
    NodeJobs jobs = NodeJobs.open(config, epoch);
    CallSource calls = KernelCalls.open(config);
    NodeAddresses addresses = NodeAddresses.open();
    var moves = new ExpectedMoves(Path.of("/proc"));
    var processes = KernelProcesses.of(config.cgroupRoot());
    var world =
        new Wiring.World(
            jobs.jobs(),
            jobs::checked,
            jobs.meters(),
            moves::expect,
            calls,
            processes::peer,
            new OutsideVerticle.Kernel(
                new KernelExecs(config, jobs.scope()),
                processes,
                Persons.of(Path.of("/etc/login.defs"))::has),
            addresses::contains,
            addresses::announced,
            new UserNames(Path.of("/etc/passwd"), new DirectoryUserNames()::of)::of,
            AuditOnlyFile.open(config.auditOnlyFile(), new UserGroups()),
            jobs.slurmSpool());
    var wiring = new Wiring(loops, config, epoch, version(), world);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stop(wiring, loops, calls, jobs), "rollcall-stop"));
    awaitStart(wiring.start());
    LocalAddressWatch.start(wiring::readAddresses);
    awaitStart(wiring.warmUp());
    settle();
    System.getLogger(Main.class.getName())
        .log(System.Logger.Level.INFO, "agent of node " + epoch.node() + " is ready");
    Systemd.tell(logins, "READY=1");
    Thread.ofPlatform().daemon().name("rollcall-settle").start(Main::settleAgain);
  }

  /** Returns memory that only the start needed to the node. */
  private static void settle() throws IOException {
    System.gc();
    NativeHeap.trim();
    JavaFiles.release();
  }

  /**
   * Once more, when the first connection to a gateway, and the compiler after it, are done. From
   * then on the JVM's own threads wake less often.
   */
  private static void settleAgain() {
    try {
      Thread.sleep(SETTLED_AFTER);
      settle();
      TimerSlack.ofJvmThreads();
    } catch (IOException e) {
      System.getLogger(Main.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "at rest the agent takes more memory, or wakes more often, than it has to: {0}",
              e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitStart(Future<?> start) throws Exception {
    try {
      start.toCompletionStage().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not ready within " + START_SECONDS + " s, with a load of " + load(), e);
    }
  }

  private static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).strip();
  }

  private static void makeDirectories(AgentConfig config) throws IOException {
    // Everybody may pass to agent.sock; what is in the state directory is root's.
    make(config.runDirectory(), "rwxr-xr-x");
    make(config.stateDirectory(), "rwx------");
  }

  private static void make(Path directory, String mode) throws IOException {
    if (!Files.isDirectory(directory)) {
      try {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
      } catch (IOException e) {
        throw new IOException("cannot make directory " + directory + ": " + e, e);
      }
    }
  }

  private static NodeName node(AgentConfig config) throws IOException {
    return config.node().isPresent() ? config.node().get() : new NodeName(HostName.ownShort());
  }

  private static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }

  private static void stop(
      Wiring wiring, Wiring.EventLoops loops, CallSource calls, NodeJobs jobs) {
    try {
      awaitStop(wiring.stop());
      awaitStop(loops.root().close());
      awaitStop(loops.logins().close());
      calls.close();
      jobs.closing().close();
      awaitStop(loops.users().close()); // The last: it hangs if that event loop does.
    } catch (Exception e) {
      System.err.println("rollcall agent: it did not stop cleanly: " + e);
    }
  }

  private static void awaitStop(Future<?> stop) throws Exception {
    stop.toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
  }

  private static void exit(int status, String problem) {
    System.err.println("rollcall agent: " + problem);
    System.exit(status);
  }

  private static String message(Throwable reason) {
    String message = reason.getMessage();
    return message == null ? reason.toString() : message;
  }
}
