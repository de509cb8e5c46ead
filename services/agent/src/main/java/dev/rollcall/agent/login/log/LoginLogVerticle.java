package dev.rollcall.agent.login.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.file.LoginDirectory;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.wire.lines.JsonLinesFile;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads, on its own thread, the log of the logins that the PAM module decides. */
public final class LoginLogVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(LoginLogVerticle.class.getName());

  /** An event loop that does not answer so long is lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Longer than ten logins in a row take: what the agent and a scheduler's daemon do about the
   * first ones delays the last ones.
   */
  private static final Duration BATCH = Duration.ofMillis(25);

  /** Logins wait no longer for the first reading of the log. */
  private static final Duration FIRST_WITHIN = Duration.ofSeconds(5);

  private static final long STOP_MS = 2_000;
  private static final Pattern ID = Pattern.compile("\"decision_id\":\"([0-9a-z-]+)\"");

  /** Some 10,000 lines: many more than are written between two positions of the log. */
  private static final int TAIL = 4 << 20;

  private final Bus bus;
  private final Path directory;
  private final String bootId;
  private final Path auditFile;
  private final WorkerExecutor worker;
  private final MeterRegistry registry;
  private Optional<Running> running = Optional.empty();

  private record Running(LogWatch watch, LoginLog log, Thread reader) {}

  /**
   * @param directory of the files of logins
   * @param auditFile which names what was published before
   * @param worker of one thread, for logins that cannot wait for the reader
   */
  public LoginLogVerticle(
      Bus bus,
      Path directory,
      String bootId,
      Path auditFile,
      WorkerExecutor worker,
      MeterRegistry registry) {
    this.bus = bus;
    this.directory = directory;
    this.bootId = bootId;
    this.auditFile = auditFile;
    this.worker = worker;
    this.registry = registry;
  }

  @Override
  public Future<?> start() throws ErrnoException {
    LogWatch watch = LogWatch.open();
    var log =
        new LoginLog(
            new LoginDirectory(directory),
            bootId,
            this::take,
            this::audited,
            watch::watch,
            new LogMeters(registry),
            System::nanoTime);
    bus.hear(Topics.SESSION_AUDITED, log::audited);
    bus.answer(
        Queries.LOGIN_LOG_READ,
        question ->
            worker.executeBlocking(
                () -> {
                  log.pass();
                  return question;
                },
                true));
    Thread reader =
        Thread.ofPlatform().name("rollcall-login-log").daemon().start(() -> follow(watch, log));
    running = Optional.of(new Running(watch, log, reader));
    // The logins of earlier agents come before those that this one decides: of those of a full log
    // only the last are remembered, and one that is not remembered would be published again.
    Future<?> first = worker.executeBlocking(log::pass, true);
    return Future.any(first, vertx.timer(FIRST_WITHIN.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * The adoptions that have a line at the end of the audit file. Half a line, as a killed agent may
   * leave one, does not count.
   */
  private Set<String> audited() {
    return JsonLinesFile.lastLines(auditFile, TAIL).stream()
        .filter(line -> line.endsWith("}"))
        .flatMap(line -> ID.matcher(line).results())
        .map(id -> id.group(1))
        .collect(Collectors.toSet());
  }

  private Set<String> take(List<RecordedLogin> logins) throws IOException {
    Future<Set<String>> taken = bus.ask(Queries.LOGINS_RECORDED, List.copyOf(logins), PATIENCE);
    try {
      return taken
          .toCompletionStage()
          .toCompletableFuture()
          .get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("logins of the log were not processed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void follow(LogWatch watch, LoginLog log) {
    try {
      while (!watch.isStopped()) {
        if (watch.await(log.pass())) {
          // The login that was recorded goes on, and others may follow: one batch of records.
          LockSupport.parkNanos(BATCH.toNanos());
        }
      }
    } catch (ErrnoException e) {
      LOG.log(WARNING, "the log of logins is no longer read", e);
    }
  }

  @Override
  public Future<?> stop() {
    return running
        .<Future<?>>map(it -> {
          it.watch().stop();
          return vertx.executeBlocking(() -> {
            end(it);
            return true;
          });
        })
        .orElseGet(Future::succeededFuture);
  }

  private static void end(Running running) throws IOException {
    try {
      running.reader().join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!running.reader().isAlive()) {
      running.watch().close();
      running.log().close();
    }
  }
}
