package dev.rollcall.agent.login.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.file.LoginDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Hands on each record of the PAM module's log, once, over the end of this process whatever that
 * is: the position is written when the audit file has what was handed on, and what an agent that
 * was killed in between had published is found in the audit file. Thread-safe; its calls wait for
 * files.
 */
final class LoginLog implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LoginLog.class.getName());

  /** A larger log is replaced once it has been read. */
  static final long LARGE = 1 << 20;

  /** So long a module that opened the log may take to append to it. */
  static final Duration KEPT_OLD = Duration.ofSeconds(5);

  /** An event of the kernel comes earlier if a record is written. */
  static final Duration AT_REST = Duration.ofMinutes(5);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** How soon it is looked whether the audit file has what was handed on, at first. */
  private static final Duration SOON = Duration.ofMillis(200);

  private static final Duration LATER = Duration.ofSeconds(5);

  /** More logins than are audited before their records are read. */
  private static final int AUDITED = 1_024;

  private final LoginDirectory directory;
  private final String bootId;
  private final LogReader.Taker taker;
  private final Supplier<Set<String>> inAuditFile;
  private final Consumer<Path> watch;
  private final LogMeters meters;
  private final LongSupplier nanoClock;

  /** Adoption ids that were handed on and whose audit lines are not written yet. */
  private final Set<String> awaited = ConcurrentHashMap.newKeySet();

  private final Set<String> audited =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > AUDITED;
                }
              }));

  private boolean begun;
  private boolean closed;
  private LogPosition position = LogPosition.NONE;
  private Set<String> published = Set.of();
  private Optional<LogReader> current = Optional.empty();
  private Optional<LogReader> old = Optional.empty();
  private long oldEnds;
  private Duration wait = SOON;
  private boolean failing;
  private String trouble = "";

  /**
   * @param inAuditFile the adoption ids that the end of the audit file names
   * @param watch is to have writes to a file lead to {@link #pass}
   * @param nanoClock {@link System#nanoTime}
   */
  LoginLog(
      LoginDirectory directory,
      String bootId,
      LogReader.Taker taker,
      Supplier<Set<String>> inAuditFile,
      Consumer<Path> watch,
      LogMeters meters,
      LongSupplier nanoClock) {
    this.directory = directory;
    this.bootId = bootId;
    this.taker = taker;
    this.inAuditFile = inAuditFile;
    this.watch = watch;
    this.meters = meters;
    this.nanoClock = nanoClock;
  }

  /** The audit line of an adoption is written. Waits for nothing. */
  void audited(String id) {
    audited.add(id);
    awaited.remove(id);
  }

  /** Reads the new records. Returns the time until the next look if nothing is written. */
  synchronized Duration pass() {
    try {
      if (!closed) {
        passOnce();
      }
      failing = false;
      trouble = "";
    } catch (IOException | RuntimeException e) {
      failing = true;
      if (!e.toString().equals(trouble)) {
        LOG.log(WARNING, "logins that the PAM module decided cannot be read: {0}", e.toString());
      }
      trouble = e.toString();
    }
    return again();
  }

  private void passOnce() throws IOException {
    if (!begun) {
      begin();
    }
    // Once: the old log goes only if it was read after its time.
    boolean over = old.isPresent() && nanoClock.getAsLong() - oldEnds >= 0;
    if (old.isPresent()) {
      old.get().read(published, over);
    }
    readCurrent();
    if (old.isEmpty() && current.isPresent() && isLarge(current.get())) {
      rotate();
      readCurrent();
    }
    published = Set.of();
    settle(over);
  }

  private void begin() throws IOException {
    directory.makeLog();
    position = LogPosition.in(directory);
    published = inAuditFile.get();
    OptionalLong inode = LogFile.inode(directory.path(LoginDirectory.OLD_LOG));
    if (inode.isPresent()) {
      if (inode.equals(LogFile.inode(directory.path(LoginDirectory.LOG)))) {
        // An agent was killed as it had made the second name of the log.
        directory.remove(LoginDirectory.OLD_LOG);
      } else {
        old = open(LoginDirectory.OLD_LOG);
        oldEnds = nanoClock.getAsLong() + KEPT_OLD.toNanos();
      }
    }
    begun = true;
  }

  private Optional<LogReader> open(String name) throws IOException {
    Optional<LogFile> file = LogFile.open(directory.path(name));
    if (file.isEmpty()) {
      return Optional.empty();
    }
    // Watched before it is read, so that a write in between gives an event.
    watch.accept(directory.path(name));
    long known = position.of(file.get().inode(), file.get().size());
    return Optional.of(new LogReader(file.get(), known, bootId, this::handOn, meters));
  }

  private Set<String> handOn(List<RecordedLogin> read) throws IOException {
    List<RecordedLogin> logins = read.stream().map(this::once).toList();
    Set<String> fresh = new HashSet<>();
    for (RecordedLogin login : logins) {
      if (login.published()) {
        audited.add(login.adoption().id());
      } else {
        fresh.add(login.adoption().id());
      }
    }
    // Before they are taken: an audit line may be written before the answer is here.
    awaited.addAll(fresh);
    Set<String> taken;
    try {
      taken = taker.take(logins);
    } catch (IOException | RuntimeException e) {
      awaited.removeAll(fresh); // they are handed on again
      throw e;
    }
    fresh.removeAll(taken);
    awaited.removeAll(fresh);
    // A login that an agent answered may have its line before this record of it is read.
    awaited.removeIf(audited::contains);
    wait = SOON;
    return taken;
  }

  /** A module whose log was replaced meanwhile appends its record to the present one as well. */
  private RecordedLogin once(RecordedLogin login) {
    String id = login.adoption().id();
    boolean known = !login.answered() && (awaited.contains(id) || audited.contains(id));
    return known ? login.asPublished() : login;
  }

  private void readCurrent() throws IOException {
    Path path = directory.path(LoginDirectory.LOG);
    OptionalLong inode = LogFile.inode(path);
    if (current.isPresent() && isReplaced(current.get(), inode)) {
      LOG.log(WARNING, "{0} was replaced or cut; it is read from its beginning", path);
      current.get().read(published, /* last= */ true);
      current.get().close();
      current = Optional.empty();
      position = LogPosition.NONE;
    }
    if (inode.isEmpty()) {
      directory.makeLog();
    }
    if (current.isEmpty()) {
      current = open(LoginDirectory.LOG);
    }
    if (current.isPresent()) {
      current.get().read(published, /* last= */ false);
    }
  }

  private static boolean isReplaced(LogReader reading, OptionalLong inode) throws IOException {
    return inode.isEmpty() || inode.getAsLong() != reading.inode() || reading.isCut();
  }

  private static boolean isLarge(LogReader reading) throws IOException {
    return reading.size() > LARGE && reading.isRead();
  }

  private void rotate() throws IOException {
    directory.rotateLog();
    old = current;
    oldEnds = nanoClock.getAsLong() + KEPT_OLD.toNanos();
    current = Optional.empty();
  }

  /** The position and the old log follow the audit file. */
  private void settle(boolean over) throws IOException {
    Stream.of(old, current).flatMap(Optional::stream).forEach(reading -> reading.settle(awaited));
    if (over && old.isPresent() && old.get().isDone()) {
      old.get().close();
      old = Optional.empty();
      directory.remove(LoginDirectory.OLD_LOG);
    }
    Map<Long, Long> offsets = new HashMap<>();
    Stream.of(old, current)
        .flatMap(Optional::stream)
        .forEach(reading -> offsets.put(reading.inode(), reading.done()));
    var reached = new LogPosition(offsets);
    if (!reached.equals(position)) {
      reached.write(directory);
      position = reached;
      wait = SOON;
    }
  }

  private Duration again() {
    if (failing) {
      return AFTER_FAILURE;
    }
    if (Stream.of(old, current).flatMap(Optional::stream).anyMatch(it -> !it.isDone())) {
      Duration now = wait;
      wait = wait.multipliedBy(2).compareTo(LATER) < 0 ? wait.multipliedBy(2) : LATER;
      return now;
    }
    wait = SOON;
    return old.isPresent()
        ? Duration.ofNanos(Math.max(0, oldEnds - nanoClock.getAsLong())).plusMillis(1)
        : AT_REST;
  }

  @Override
  public synchronized void close() throws IOException {
    for (LogReader reading : Stream.of(old, current).flatMap(Optional::stream).toList()) {
      reading.close();
    }
    old = Optional.empty();
    current = Optional.empty();
    closed = true;
  }
}
