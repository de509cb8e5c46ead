package dev.rollcall.linux.munge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import dev.rollcall.testkit.munge.Munged;
import dev.rollcall.testkit.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real munged. Root: munged does not let others have its key in a directory of root's. */
@Tag("root")
class MungeTest {
  private static final String PAYLOAD = "for one gateway";
  private static final Duration TTL = Duration.ofMinutes(5);

  @TempDir Path directory = Path.of("unset");

  private static String credential(Munge munge, Duration ttl) {
    return assertInstanceOf(Encoded.Credential.class, munge.encode(PAYLOAD, ttl)).text();
  }

  @Test
  void aCredentialTellsOnceWhoMadeIt() throws Exception {
    try (Munged munged = Munged.start()) {
      var munge = new Munge(munged.socket());
      String credential = credential(munge, TTL);
      assertTrue(credential.matches("MUNGE:[!-~]+:"), credential);
      var valid = assertInstanceOf(Decoded.Valid.class, munge.decode(credential));
      assertEquals(new UnixSystem().getUid(), valid.uid());
      assertEquals(PAYLOAD, valid.payload());
      assertEquals(new Decoded.Replayed(), munge.decode(credential));
    }
  }

  @Test
  void anotherUsersCredentialNamesThem() throws Exception {
    try (Munged munged = Munged.start()) {
      Process process =
          new ProcessBuilder(
                  "setpriv",
                  "--reuid=4711",
                  "--regid=4712",
                  "--clear-groups",
                  "munge",
                  "--socket=" + munged.socket(),
                  "--string=x")
              .start();
      String credential = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      var valid =
          assertInstanceOf(Decoded.Valid.class, new Munge(munged.socket()).decode(credential));
      assertEquals(4711, valid.uid());
    }
  }

  @Test
  void anotherKeyOrAnotherLetterIsBad() throws Exception {
    try (Munged munged = Munged.start();
        Munged other = Munged.start()) {
      var munge = new Munge(munged.socket());
      String foreign = credential(new Munge(other.socket()), TTL);
      assertInstanceOf(Decoded.Bad.class, munge.decode(foreign));
      String own = credential(munge, TTL);
      int middle = own.length() / 2;
      char changed = own.charAt(middle) == 'A' ? 'B' : 'A';
      assertInstanceOf(
          Decoded.Bad.class,
          munge.decode(own.substring(0, middle) + changed + own.substring(middle + 1)));
      for (String nonsense :
          List.of("", "MUNGE:", "MUNGE:AAAA:", "é", "a\0b", "x".repeat(100_000))) {
        assertInstanceOf(Decoded.Bad.class, munge.decode(nonsense), nonsense);
      }
      assertInstanceOf(Decoded.Valid.class, munge.decode(own));
    }
  }

  @Test
  void aCredentialExpires() throws Exception {
    try (Munged munged = Munged.start()) {
      var munge = new Munge(munged.socket());
      String credential = credential(munge, Duration.ofSeconds(1));
      long made = System.currentTimeMillis();
      Await.until(
          "its second is over by the clock", () -> System.currentTimeMillis() - made > 2_500);
      assertEquals(new Decoded.Expired(), munge.decode(credential));
    }
  }

  @Test
  void aMungedThatIsNotThereIsNamedByItsSocket() {
    Path socket = directory.resolve("munge.socket.2");
    var munge = new Munge(socket);
    for (String reason :
        List.of(
            assertInstanceOf(Encoded.Unavailable.class, munge.encode(PAYLOAD, TTL)).reason(),
            assertInstanceOf(Decoded.Unavailable.class, munge.decode("MUNGE:AAAA:")).reason())) {
      assertTrue(reason.contains(socket.toString()), reason);
    }
  }

  @Test
  void aMungedThatHangsIsGivenUp() throws Exception {
    try (Munged munged = Munged.start()) {
      var munge = new Munge(munged.socket());
      String credential = credential(munge, TTL);
      munged.hang();
      var unavailable = assertInstanceOf(Decoded.Unavailable.class, munge.decode(credential));
      assertTrue(unavailable.reason().contains(munged.socket().toString()), unavailable.reason());
      munged.goOn();
      assertInstanceOf(Encoded.Credential.class, munge.encode(PAYLOAD, TTL));
    }
  }

  @Test
  void theNumbersAreTheLibrarys() {
    Libmunge library = Libmunge.loaded().orElseThrow();
    assertEquals(
        List.of("Success", "Expired credential", "Rewound credential", "Replayed credential"),
        List.of(0, 15, 16, 17).stream().map(library::problem).toList());
  }
}
