package dev.rollcall.agent.login.log;

import static dev.rollcall.agent.login.log.Records.adopted;
import static dev.rollcall.agent.login.log.Records.framed;
import static dev.rollcall.agent.login.log.Records.joined;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.file.LoginDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is killed is one that does nothing any more: no test here closes one for it. */
class LoginLogTest {
  @TempDir private Path directory;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Across agents. */
  private final List<String> published = new ArrayList<>();

  private final Set<String> auditFile = new HashSet<>();

  private final List<String> remembered = new ArrayList<>();
  private final List<Path> watched = new ArrayList<>();
  private boolean deaf;
  private long now;

  @BeforeEach
  void makeDirectory() throws IOException {
    new LoginDirectory(directory).make();
    new LoginDirectory(directory).makeLog();
  }

  private Set<String> take(List<RecordedLogin> logins) throws IOException {
    if (deaf) {
      throw new IOException("deaf");
    }
    logins.forEach(
        login -> (login.published() ? remembered : published).add(login.adoption().id()));
    return logins.stream()
        .filter(login -> !login.published())
        .map(login -> login.adoption().id())
        .collect(Collectors.toSet());
  }

  private LoginLog start() {
    remembered.clear();
    return new LoginLog(
        new LoginDirectory(directory),
        Records.BOOT,
        this::take,
        () -> Set.copyOf(auditFile),
        watched::add,
        new LogMeters(registry),
        () -> now);
  }

  private void audit(LoginLog agent, String... ids) {
    auditFile.addAll(List.of(ids));
    Arrays.stream(ids).forEach(agent::audited);
  }

  private Path log() {
    return directory.resolve("log");
  }

  private Path old() {
    return directory.resolve("log.old");
  }

  private void append(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND);
  }

  private static byte[] record(String id) {
    return framed(adopted(id));
  }

  private String position() throws IOException {
    return Files.readString(directory.resolve("log.position"));
  }

  private static String place(Path file, long offset) throws IOException {
    return Files.getAttribute(file, "unix:ino") + " " + offset + "\n";
  }

  private double skipped(String why) {
    return registry.counter("rollcall.login.records.skipped", "reason", why).count();
  }

  @Test
  void handsOnEachRecordOnce() throws IOException {
    append(log(), joined(record("b-1"), record("b-2")));
    LoginLog agent = start();
    agent.pass();
    agent.pass();
    append(log(), record("b-3"));
    agent.pass();

    assertEquals(List.of("b-1", "b-2", "b-3"), published);
    assertEquals(List.of(log()), watched);
    assertEquals(3, registry.counter("rollcall.login.records").count());
  }

  @Test
  void movesThePositionOnlyBehindWhatIsInTheAuditFile() throws IOException {
    append(log(), record("b-1"));
    LoginLog agent = start();
    assertEquals(Duration.ofMillis(200), agent.pass());
    assertEquals(Duration.ofMillis(400), agent.pass());
    append(log(), record("b-2"));
    assertEquals(Duration.ofMillis(200), agent.pass());
    assertEquals(place(log(), 0), position());

    audit(agent, "b-2");
    agent.pass();
    assertEquals(place(log(), 0), position());

    audit(agent, "b-1");
    assertEquals(LoginLog.AT_REST, agent.pass());
    assertEquals(place(log(), Files.size(log())), position());
  }

  @Test
  void anAgentThatWasKilledPublishesAgainOnlyWhatIsNotInTheAuditFile() throws IOException {
    append(log(), joined(record("b-1"), record("b-2"), record("b-3")));
    LoginLog killed = start();
    killed.pass();
    audit(killed, "b-1");
    killed.pass();
    auditFile.add("b-2");

    published.clear();
    LoginLog next = start();
    next.pass();

    assertEquals(List.of("b-3"), published);
    assertEquals(List.of("b-1", "b-2"), remembered);
  }

  @Test
  void allThatIsStillInTheLogIsRememberedAfterAStart() throws IOException {
    append(log(), joined(record("b-1"), record("b-2")));
    LoginLog first = start();
    first.pass();
    audit(first, "b-1", "b-2");
    first.pass();
    auditFile.clear(); // logrotate

    LoginLog next = start();
    next.pass();

    assertEquals(List.of("b-1", "b-2"), published);
    assertEquals(List.of("b-1", "b-2"), remembered);
    assertEquals(2, registry.counter("rollcall.login.records").count());
  }

  /** The process may end between any two steps; its files are as they are then. */
  @Test
  void killedAtAnyMomentEachRecordIsPublishedOnce() throws IOException {
    for (int steps = 0; steps < 8; steps++) {
      published.clear();
      auditFile.clear();
      Files.write(log(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
      Files.deleteIfExists(directory.resolve("log.position"));
      append(log(), joined(record("b-1"), record("b-2")));
      var killed = start();
      List<Runnable> life =
          List.of(
              killed::pass,
              () -> auditFile.add("b-1"),
              () -> killed.audited("b-1"),
              killed::pass,
              () -> auditFile.add("b-2"),
              () -> killed.audited("b-2"),
              killed::pass);
      life.subList(0, Math.min(steps, life.size())).forEach(Runnable::run);
      Set<String> lines = Set.copyOf(auditFile);
      published.clear();

      start().pass();

      var all = new HashSet<>(lines);
      published.forEach(id -> assertTrue(all.add(id), "twice: " + id));
      assertEquals(Set.of("b-1", "b-2"), all, "after " + steps + " steps");
    }
  }

  @Test
  void aRecordIsReadWhenItsRestIsWritten() throws IOException {
    byte[] record = record("b-1");
    append(log(), Arrays.copyOf(record, 50));
    LoginLog agent = start();
    agent.pass();
    assertEquals(List.of(), published);

    append(log(), Arrays.copyOfRange(record, 50, record.length));
    agent.pass();

    assertEquals(List.of("b-1"), published);
    assertEquals(0, skipped("cut"));
  }

  @Test
  void aTornRecordIsSkippedAndCountedOnce() throws IOException {
    append(log(), joined(Arrays.copyOf(record("b-1"), 50), record("b-2")));
    LoginLog agent = start();
    agent.pass();
    audit(agent, "b-2");
    agent.pass();
    start().pass();

    assertEquals(List.of("b-2"), published);
    assertEquals(1, skipped("checksum") + skipped("cut"));
    assertEquals(place(log(), Files.size(log())), position());
  }

  @Test
  void whatCouldNotBeHandedOnIsHandedOnLater() throws IOException {
    append(log(), record("b-1"));
    LoginLog agent = start();
    deaf = true;
    assertEquals(Duration.ofSeconds(1), agent.pass());
    assertEquals(List.of(), published);
    deaf = false;
    agent.pass();

    assertEquals(List.of("b-1"), published);
  }

  private List<String> fill() throws IOException {
    List<String> ids = new ArrayList<>();
    while (Files.size(log()) <= LoginLog.LARGE) {
      List<String> more = IntStream.range(0, 500).mapToObj(i -> "b-" + (ids.size() + i)).toList();
      append(log(), joined(more.stream().map(LoginLogTest::record).toArray(byte[][]::new)));
      ids.addAll(more);
    }
    return ids;
  }

  @Test
  void aLargeLogIsReplacedAndReadOnceMore() throws IOException {
    List<String> ids = fill();
    LoginLog agent = start();
    agent.pass();
    assertEquals(ids, published);
    assertEquals(0, Files.size(log()));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log())));

    // A module that had opened it, and found that it was replaced.
    append(old(), record("b-late"));
    append(log(), joined(record("b-late"), record("b-new")));
    agent.pass();
    assertEquals(List.of("b-late", "b-new"), published.subList(ids.size(), published.size()));

    auditFile.addAll(published);
    published.forEach(agent::audited);
    now += LoginLog.KEPT_OLD.toNanos() - 1;
    agent.pass();
    assertTrue(Files.exists(old()));
    append(log(), record("b-late"));
    now += 1;
    agent.pass();
    assertFalse(Files.exists(old()));
    assertEquals(place(log(), Files.size(log())), position());
    assertEquals(LoginLog.AT_REST, agent.pass());
    assertEquals(ids.size() + 2, published.size());
  }

  @Test
  void anOldLogStaysUntilItIsInTheAuditFile() throws IOException {
    List<String> ids = fill();
    LoginLog agent = start();
    agent.pass();
    now += LoginLog.KEPT_OLD.toNanos();
    agent.pass();
    assertTrue(Files.exists(old()));

    // Killed: the next one has the old log to read.
    published.clear();
    LoginLog next = start();
    next.pass();
    assertEquals(ids, published);
    ids.forEach(next::audited);
    now += LoginLog.KEPT_OLD.toNanos();
    next.pass();
    assertFalse(Files.exists(old()));
  }

  @Test
  void anAgentThatWasKilledBetweenTwoNamesOfTheLogDoesNotReadItTwice() throws IOException {
    append(log(), record("b-1"));
    Files.createLink(old(), log());

    LoginLog agent = start();
    agent.pass();

    assertEquals(List.of("b-1"), published);
    assertFalse(Files.exists(old()));
    assertTrue(Files.exists(log()));
  }

  @Test
  void aRotationThatFailedHalfwayIsDoneLater() throws IOException {
    List<String> ids = fill();
    Path inTheWay = directory.resolve("log.new");
    Files.createDirectories(inTheWay.resolve("full"));
    LoginLog agent = start();
    assertEquals(Duration.ofSeconds(1), agent.pass());
    assertTrue(Files.exists(old()), "the log has its second name");

    Files.delete(inTheWay.resolve("full"));
    agent.pass();

    assertEquals(0, Files.size(log()));
    assertEquals(ids, published);
    ids.forEach(agent::audited);
    agent.pass();
    assertTrue(position().contains(place(old(), Files.size(old()))), position());
  }

  @Test
  void aReplacedLogIsReadFromItsBeginning() throws IOException {
    append(log(), record("b-1"));
    LoginLog agent = start();
    agent.pass();
    append(log(), record("b-2"));
    Path other = directory.resolve("other");
    Files.write(other, joined(record("b-3"), record("b-4")));
    Files.move(other, log(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    agent.pass();

    assertEquals(List.of("b-1", "b-2", "b-3", "b-4"), published);
    assertEquals(List.of(log(), log()), watched);
  }

  @Test
  void aLogThatWasCutIsReadFromItsBeginning() throws IOException {
    append(log(), joined(record("b-1"), record("b-2")));
    LoginLog agent = start();
    agent.pass();
    Files.write(log(), record("b-3"));
    agent.pass();

    assertEquals(List.of("b-1", "b-2", "b-3"), published);
  }

  @Test
  void aMissingLogIsMade() throws IOException {
    LoginLog agent = start();
    agent.pass();
    Files.delete(log());
    agent.pass();
    append(log(), record("b-1"));
    agent.pass();

    assertEquals(List.of("b-1"), published);
  }

  @Test
  void aSymbolicLinkIsRefused() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Files.write(elsewhere, record("b-1"));
    Files.delete(log());
    Files.createSymbolicLink(log(), elsewhere);
    LoginLog agent = start();
    assertEquals(Duration.ofSeconds(1), agent.pass());
    assertEquals(List.of(), published);

    Files.delete(log());
    agent.pass();
    append(log(), record("b-2"));
    agent.pass();
    assertEquals(List.of("b-2"), published);
  }

  @Test
  void aPositionOfOtherThingsSaysNothing() throws IOException {
    append(log(), record("b-1"));
    Files.writeString(directory.resolve("log.position"), "x\n99999999999999999999 7\n-1 -1\n");
    LoginLog agent = start();
    agent.pass();

    assertEquals(List.of("b-1"), published);
  }
}
