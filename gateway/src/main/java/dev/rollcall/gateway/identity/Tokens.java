package dev.rollcall.gateway.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.gateway.identity.AuthenticationResult.Known;
import dev.rollcall.gateway.identity.AuthenticationResult.Refused;
import dev.rollcall.proto.roll.v1.TokenClaims;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Issues and verifies short-lived tokens: claims and an HMAC-SHA256 over them. Nothing is kept of a
 * token, so a gateway takes those of any other with the same key, and none can be taken back before
 * it expires.
 *
 * @param most for how long a token is good at most, however long it says
 */
public record Tokens(String cluster, TokenKeys keys, Duration most, InstantSource clock) {
  /** Also keeps what is signed here from being taken for anything else. */
  private static final String KIND = "rollcall1";

  private static final int LONGEST = 1_024;

  /** Clocks of gateways may differ by this much. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";

  public record Issued(String text, Instant expiresAt) {}

  @Override
  public Duration most() {
    return most;
  }

  public Issued issue(Identity.Person holder, Duration lifetime) {
    return issue(TokenClaims.newBuilder().setUid(holder.uid()), lifetime);
  }

  public Issued issue(Identity.Administrator holder, Duration lifetime) {
    return issue(TokenClaims.newBuilder().setAdministrator(holder.name()), lifetime);
  }

  private Issued issue(TokenClaims.Builder claims, Duration lifetime) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant end = now.plus(lifetime.compareTo(most) < 0 ? lifetime : most);
    claims
        .setCluster(cluster)
        .setIssuedAt(CallerMapper.timestamp(now))
        .setExpiresAt(CallerMapper.timestamp(end));
    String signed = KIND + "." + text(claims.build().toByteArray());
    return new Issued(signed + "." + text(hmac(keys.first(), signed)), end);
  }

  /** Known, or Refused with what is wrong. */
  public AuthenticationResult of(String token) {
    int dot = token.lastIndexOf('.');
    if (token.length() > LONGEST || !token.startsWith(KIND + ".") || dot <= KIND.length()) {
      return new Refused("this is not a token of a gateway");
    }
    String signed = token.substring(0, dot);
    try {
      byte[] code = Base64.getUrlDecoder().decode(token.substring(dot + 1));
      if (!isOurs(signed, code)) {
        return new Refused("the token is not signed with a key of this gateway");
      }
      byte[] claims = Base64.getUrlDecoder().decode(signed.substring(KIND.length() + 1));
      return of(TokenClaims.parseFrom(claims));
    } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
      return new Refused("this is not a token of a gateway");
    }
  }

  /** In the same time, whatever the first byte is that differs. */
  private boolean isOurs(String signed, byte[] code) {
    boolean ours = false;
    for (byte[] key : keys.all()) {
      ours |= MessageDigest.isEqual(hmac(key, signed), code);
    }
    return ours;
  }

  private AuthenticationResult of(TokenClaims claims) {
    Instant issued;
    Instant end;
    try {
      issued = CallerMapper.instant(claims.getIssuedAt(), "issued_at");
      end = CallerMapper.instant(claims.getExpiresAt(), "expires_at");
    } catch (BadWordException e) {
      return new Refused("the token is malformed: " + e.getMessage());
    }
    // Where less is given now, it holds for what was given before.
    Instant over = end.isBefore(issued.plus(most)) ? end : issued.plus(most);
    Instant now = clock.instant();
    if (!claims.getCluster().equals(cluster)) {
      return new Refused(
          "the token is for cluster '%s', but this gateway is in '%s'"
              .formatted(claims.getCluster(), cluster));
    }
    if (!now.isBefore(over)) {
      return new Refused("the token expired at " + over + ": ask for another, by rollcall token");
    }
    if (issued.isAfter(now.plus(SKEW))) {
      return new Refused("the token was issued at " + issued + ", but the time here is " + now);
    }
    Optional<Duration> left = Optional.of(Duration.between(now, over));
    return switch (claims.getHolderCase()) {
      case UID -> new Known(new Identity.Person(claims.getUid()), left);
      case ADMINISTRATOR -> new Known(new Identity.Administrator(claims.getAdministrator()), left);
      case HOLDER_NOT_SET -> new Refused("the token names no user");
    };
  }

  private static byte[] hmac(byte[] key, String signed) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(signed.getBytes(US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is in every JDK", e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
