package dev.rollcall.gateway.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens: what is given is taken, and nothing else. */
class TokensTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");
  private static final Duration HALF_A_DAY = Duration.ofHours(12);
  private static final Identity.Person ALICE = new Identity.Person(2001);
  private static final Identity.Administrator ADMIN = new Identity.Administrator("Bob B.");

  @TempDir Path directory = Path.of("unset");
  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final InstantSource clock = now::get;

  private TokenKeys keys(String... lines) throws IOException {
    Path file = directory.resolve("token.key");
    Files.writeString(file, String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    return TokenKeys.read(file);
  }

  private static String key(int filledWith) {
    byte[] key = new byte[32];
    java.util.Arrays.fill(key, (byte) filledWith);
    return Base64.getEncoder().encodeToString(key);
  }

  private Tokens tokens(String... lines) throws IOException {
    return new Tokens("alps", keys(lines), HALF_A_DAY, clock);
  }

  private static String refusal(Tokens by, String token) {
    return assertInstanceOf(AuthenticationResult.Refused.class, by.of(token)).reason();
  }

  private static AuthenticationResult known(Identity identity, Duration left) {
    return new AuthenticationResult.Known(identity, Optional.of(left));
  }

  @Test
  void whoGotOneIsKnownByItAtEveryGatewayWithThatKeyUntilItExpires() throws IOException {
    Tokens gate1 = tokens(key(1));
    Tokens gate2 = tokens("# both", "", key(1), key(2));
    Tokens.Issued alices = gate1.issue(ALICE, Duration.ofHours(2));
    assertEquals(NOON.plusSeconds(7_200), alices.expiresAt());
    assertEquals(known(ALICE, Duration.ofHours(2)), gate2.of(alices.text()));
    assertEquals(known(ADMIN, HALF_A_DAY), gate2.of(gate2.issue(ADMIN, HALF_A_DAY).text()));
    now.set(NOON.plusSeconds(7_199));
    assertEquals(known(ALICE, Duration.ofSeconds(1)), gate2.of(alices.text()));
    now.set(NOON.plusSeconds(7_200));
    assertEquals(
        "the token expired at 2026-11-23T14:00:00Z: ask for another, by rollcall token",
        refusal(gate2, alices.text()));
  }

  @Test
  void aUidIsAnyOfTheKernels() throws IOException {
    Tokens tokens = tokens(key(1));
    var nobody = new Identity.Person(-2);
    assertEquals(known(nobody, HALF_A_DAY), tokens.of(tokens.issue(nobody, HALF_A_DAY).text()));
  }

  @Test
  void noneIsGoodForLongerThanTheGatewaySaysNow() throws IOException {
    Tokens tokens = tokens(key(1));
    Tokens.Issued longest = tokens.issue(ALICE, Duration.ofDays(900));
    assertEquals(NOON.plus(HALF_A_DAY), longest.expiresAt());
    Tokens stricter = new Tokens("alps", keys(key(1)), Duration.ofHours(1), clock);
    now.set(NOON.plusSeconds(3_601));
    assertEquals(
        "the token expired at 2026-11-23T13:00:00Z: ask for another, by rollcall token",
        refusal(stricter, longest.text()));
  }

  @Test
  void ofAnotherKeyClusterOrTimeItIsRefused() throws IOException {
    Tokens.Issued given = tokens(key(1)).issue(ALICE, HALF_A_DAY);
    assertEquals(
        "the token is not signed with a key of this gateway",
        refusal(tokens(key(2), key(3)), given.text()));
    assertEquals(
        "the token is for cluster 'alps', but this gateway is in 'jura'",
        refusal(new Tokens("jura", keys(key(1)), HALF_A_DAY, clock), given.text()));
    now.set(NOON.minusSeconds(301));
    assertEquals(
        "the token was issued at 2026-11-23T12:00:00Z, but the time here is 2026-11-23T11:54:59Z",
        refusal(tokens(key(1)), given.text()));
    now.set(NOON.minusSeconds(299));
    assertEquals(known(ALICE, HALF_A_DAY.plusSeconds(299)), tokens(key(1)).of(given.text()));
  }

  /** Every byte of it counts. */
  @Test
  void aClockThatIsSteppedLeavesNoneGoodForLonger() throws IOException {
    Tokens tokens = tokens(key(1));
    String token = tokens.issue(ALICE, HALF_A_DAY).text();
    now.set(NOON.plus(Duration.ofHours(1)));
    assertEquals(known(ALICE, Duration.ofHours(11)), tokens.of(token));
    now.set(NOON.plus(Duration.ofDays(365)));
    assertTrue(refusal(tokens, token).startsWith("the token expired at "));
    for (Duration back : List.of(Duration.ofHours(1), Duration.ofDays(365))) {
      now.set(NOON.minus(back));
      assertEquals(
          "the token was issued at " + NOON + ", but the time here is " + now.get(),
          refusal(tokens, token));
    }
    now.set(NOON);
    assertEquals(known(ALICE, HALF_A_DAY), tokens.of(token));
  }

  @Test
  void anAlteredOneIsRefused() throws IOException {
    Tokens tokens = tokens(key(1));
    String given = tokens.issue(ALICE, HALF_A_DAY).text();
    // In the last character of base64 two bits count for nothing.
    for (int i = 0; i < given.length() - 1; i++) {
      char other = given.charAt(i) == 'A' ? 'B' : 'A';
      String altered = given.substring(0, i) + other + given.substring(i + 1);
      assertInstanceOf(AuthenticationResult.Refused.class, tokens.of(altered), altered);
    }
    assertInstanceOf(AuthenticationResult.Refused.class, tokens.of(given + "." + given));
    String claims = given.substring(0, given.lastIndexOf('.'));
    assertInstanceOf(AuthenticationResult.Refused.class, tokens.of(claims));
    assertInstanceOf(AuthenticationResult.Refused.class, tokens.of(claims + "."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "rollcall1", "rollcall1.", "rollcall1..", "rollcall1.?.?", "x.y"})
  void whatIsNoTokenIsRefused(String text) throws IOException {
    assertInstanceOf(AuthenticationResult.Refused.class, tokens(key(1)).of(text));
    assertInstanceOf(
        AuthenticationResult.Refused.class, tokens(key(1)).of(text + "A".repeat(5_000)));
  }

  private String broken(String content, String mode) throws IOException {
    Path file = directory.resolve("token.key");
    Files.writeString(file, content, US_ASCII);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> TokenKeys.read(file)).getMessage());
    assertTrue(message.contains(file.toString()), message);
    return message.replace(file.toString(), "FILE");
  }

  @Test
  void aFileThatOthersReadOrThatHasNoGoodKeyIsRefused() throws IOException {
    assertEquals(
        "FILE can be read by others, or written by its group: chmod 0600 or 0640",
        broken(key(1), "rw-r--r--"));
    assertEquals(
        "FILE can be read by others, or written by its group: chmod 0600 or 0640",
        broken(key(1), "rw-rw----"));
    assertEquals(
        "FILE has no key: openssl rand -base64 32 makes one", broken("# none\n", "rw-------"));
    assertEquals("FILE line 2 is not base64", broken("#\n!!!\n", "rw-------"));
    assertEquals("FILE line 1 has 3 bytes, and needs 32", broken("QUJD\n", "rw-------"));
    assertTrue(broken("#".repeat(70_000), "rw-------").startsWith("FILE is larger than"));
    Files.delete(directory.resolve("token.key"));
    assertTrue(
        String.valueOf(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TokenKeys.read(directory.resolve("token.key")))
                    .getMessage())
            .startsWith("cannot read " + directory.resolve("token.key")));
  }
}
