package dev.rollcall.wire.tls;

import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TCPSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The TLS identity of this process, from its files. When they have changed, {@link #renew()} takes
 * the new ones for the handshakes from then on; connections that stand go on. Files that do not fit
 * together, as while they are being written, change nothing.
 */
public final class TlsIdentity {
  /** On which side of the connection the other end is. */
  public enum Side {
    CLIENT,
    SERVER
  }

  private static final String ANY_AUTHENTICATION = "UNKNOWN";

  private final TlsFiles files;
  private final Optional<String> cluster;
  private final InstantSource clock;
  private final List<Runnable> lookers = new CopyOnWriteArrayList<>();
  private volatile TlsSet current;
  private volatile Optional<TlsSet> previous = Optional.empty();
  private volatile String refused = "";
  private int number;

  private TlsIdentity(
      TlsFiles files, Optional<String> cluster, InstantSource clock, TlsSet current) {
    this.files = files;
    this.cluster = cluster;
    this.clock = clock;
    this.current = current;
  }

  static TlsIdentity of(TlsFiles files, Optional<String> cluster) {
    return of(files, cluster, InstantSource.system());
  }

  static TlsIdentity of(TlsFiles files, Optional<String> cluster, InstantSource clock) {
    try {
      return new TlsIdentity(files, cluster, clock, TlsSet.of(files, TlsTexts.of(files), "set0"));
    } catch (TlsProblem e) {
      throw new IllegalArgumentException(e.text(), e);
    }
  }

  /**
   * Both sides show a certificate; TLS 1.3 alone is spoken, which has no renegotiation. Every peer
   * is ours, a browser or a tool of today.
   */
  public void applyTo(TCPSSLOptions options) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
        // In netty's factories, as Vert.x's own want a logging library.
        .setTrustOptions(
            TrustOptions.wrap(
                new TrustManagerFactoryWrapper(
                    new RenewedTrust(() -> current.trust(), () -> current.revoked(), cluster))))
        .setKeyCertOptions(
            KeyCertOptions.wrap(new KeyManagerFactoryWrapper(new RenewedKeys(this))));
  }

  /** Looks at the files, and takes what they hold now if it fits together. Blocks. */
  public ReloadResult renew() {
    ReloadResult renewal = look();
    lookers.forEach(Runnable::run);
    return renewal;
  }

  private synchronized ReloadResult look() {
    try {
      TlsTexts texts = TlsTexts.of(files);
      if (texts.equals(current.texts())) {
        refused = "";
        return new ReloadResult.Unchanged();
      }
      TlsSet next = TlsSet.of(files, texts, "set" + (number + 1));
      check(next);
      if (!texts.equals(TlsTexts.of(files))) {
        throw new TlsProblem("TLS files around " + files.certificate() + " are being written");
      }
      number++;
      previous = Optional.of(current);
      current = next;
      refused = "";
      return new ReloadResult.Taken(next.expires());
    } catch (TlsProblem e) {
      boolean known = refused.equals(e.text());
      refused = e.text();
      return new ReloadResult.Kept(refused, known);
    }
  }

  private void check(TlsSet next) throws TlsProblem {
    if (!next.texts().hasCertificateOf(current.texts())) {
      checkDates(next);
    }
    if (current.signedHere() && !next.signedHere()) {
      throw new TlsProblem(
          "the certificate in %s is not signed by an authority in %s"
              .formatted(files.certificate(), files.ca()));
    }
  }

  private void checkDates(TlsSet next) throws TlsProblem {
    Instant now = clock.instant();
    if (now.isAfter(next.expires())) {
      throw new TlsProblem(
          "the certificate in %s ended at %s".formatted(files.certificate(), next.expires()));
    }
    if (now.isBefore(next.begins())) {
      throw new TlsProblem(
          "the certificate in %s begins at %s".formatted(files.certificate(), next.begins()));
    }
  }

  /** Has something run, on the thread that looks, after each look; the result ends that. */
  public Runnable onLook(Runnable looker) {
    lookers.add(looker);
    return () -> lookers.remove(looker);
  }

  public Instant begins() {
    return current.begins();
  }

  public Instant expires() {
    return current.expires();
  }

  /** Whether the files as last looked at are not those in force, as they were rejected. */
  public boolean rejects() {
    return !refused.isEmpty();
  }

  /**
   * Why a standing connection must not go on, if so. A client's is over when its certificate has
   * ended, was revoked, or is of nobody who is still trusted; a server's when it was revoked: what
   * has ended there, the next handshake refuses.
   *
   * @param chain what the other end showed; empty if it did not have to show any
   */
  public Optional<String> objection(Side side, List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      return Optional.empty();
    }
    TlsSet set = current;
    Optional<String> revoked = set.revoked().objection(chain);
    if (revoked.isPresent() || side == Side.SERVER) {
      return revoked;
    }
    X509Certificate leaf = chain.getFirst();
    if (clock.instant().isAfter(leaf.getNotAfter().toInstant())) {
      return Optional.of("its certificate ended at " + leaf.getNotAfter().toInstant());
    }
    return distrust(set, chain);
  }

  /**
   * Whether the certificate that this side showed on an open connection names something else than
   * the one in force. The other end trusts the former for as long as the connection is open.
   */
  public boolean hasOtherNames(X509Certificate shown) {
    try {
      return !names(shown).equals(names(current.certificate()));
    } catch (CertificateParsingException e) {
      return false; // The other end accepts none with unreadable names.
    }
  }

  private static Set<String> names(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null
        ? Set.of()
        : names.stream()
            .filter(name -> name.get(1) instanceof String)
            .map(String::valueOf)
            .collect(Collectors.toUnmodifiableSet());
  }

  private Optional<String> distrust(TlsSet set, List<X509Certificate> chain) {
    if (previous.isEmpty()) {
      return Optional.empty(); // The handshake has asked the same set.
    }
    try {
      set.trust().checkClientTrusted(chain.toArray(X509Certificate[]::new), ANY_AUTHENTICATION);
      return Optional.empty();
    } catch (CertificateException e) {
      return Optional.of("its certificate is not trusted any more: " + e.getMessage());
    }
  }

  TlsSet current() {
    return current;
  }

  /** The set whose key has this alias: a handshake under way keeps the one it has begun with. */
  Optional<TlsSet> named(String alias) {
    TlsSet now = current;
    return now.alias().equals(alias)
        ? Optional.of(now)
        : previous.filter(set -> set.alias().equals(alias));
  }
}
