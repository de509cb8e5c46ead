package dev.rollcall.authority;

import dev.rollcall.authority.WholeFile.Part;
import dev.rollcall.model.RoleUri;
import dev.rollcall.model.RoleUri.Role;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * A cluster's certificate authority: {@code ca.pem}, {@code ca.key}, the revocation list {@code
 * crl.pem}, and in {@code issued/} every issued certificate by serial number. Those files are its
 * whole memory; a certificate is there before anybody gets it. Open, it keeps other processes out.
 */
public final class Authority implements AutoCloseable {
  private static final String CERTIFICATE = "ca.pem";
  private static final String KEY = "ca.key";
  private static final String ISSUED = "issued";

  private final Path directory;
  private final InstantSource clock;
  private final FileChannel lock;
  private final X509Certificate certificate;
  private final PrivateKey key;
  private final String cluster;
  private final Revocations revocations;
  private final IssuedFiles given;

  private Authority(Path directory, InstantSource clock, FileChannel lock)
      throws IOException, AuthorityException {
    this.directory = directory;
    this.clock = clock;
    this.lock = lock;
    certificate = Issued.read(directory.resolve(CERTIFICATE));
    key = KeyFile.read(directory.resolve(KEY));
    cluster = RootName.cluster(certificate, directory.resolve(CERTIFICATE));
    revocations = new Revocations(certificate, key, list());
    given = new IssuedFiles(directory.resolve(ISSUED), revocations);
  }

  /**
   * Makes one, with a new key, in a directory that it makes or that holds none.
   *
   * @param cluster whose it is; it signs for no other
   */
  public static Authority init(Path directory, String cluster, Duration life, InstantSource clock)
      throws IOException, AuthorityException {
    RoleUri.of(cluster, Role.NODE, "any"); // The cluster's name is one.
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    FileChannel lock = locked(directory);
    try {
      KeyPair keys = KeyFile.generate();
      X509Certificate root =
          Signing.root(keys, RootName.of(cluster, keys.getPublic()), clock.instant(), life);
      Files.createDirectories(directory.resolve(ISSUED));
      var revocations = new Revocations(root, keys.getPrivate(), directory.resolve("crl.pem"));
      WholeFile.createNew(
          List.of(
              new Part(directory.resolve(KEY), KeyFile.pem(keys.getPrivate()), WholeFile.SECRET),
              revocations.first(clock.instant()),
              // Last: without it there is no authority.
              new Part(directory.resolve(CERTIFICATE), Issued.pem(root), WholeFile.PUBLIC)));
      return new Authority(directory, clock, lock);
    } catch (GeneralSecurityException e) {
      lock.close();
      throw new AuthorityException("cannot make an authority in " + directory + ": " + e, e);
    } catch (IOException | AuthorityException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Notes that this was used to prove something, for ever: it is not taken a second time.
   *
   * @throws AuthorityException if it was used before
   */
  public void useOnce(String proof) throws IOException, AuthorityException {
    new UsedProofs(directory.resolve("used")).add(proof);
  }

  /** Whether there is one in a directory, or that cannot be seen. */
  public static boolean isIn(Path directory) {
    return !Files.notExists(directory.resolve(CERTIFICATE));
  }

  /** The one in a directory. */
  public static Authority open(Path directory, InstantSource clock)
      throws IOException, AuthorityException {
    if (!isIn(directory)) {
      throw new AuthorityException(
          "there is no authority in " + directory + ": 'rollcall ca init' makes one");
    }
    FileChannel lock = locked(directory);
    try {
      return new Authority(directory, clock, lock);
    } catch (IOException | AuthorityException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel locked(Path directory) throws IOException, AuthorityException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This process has it: as any other.
    }
    if (lock == null) {
      channel.close();
      throw new AuthorityException("another command is using " + directory);
    }
    return channel;
  }

  public String cluster() {
    return cluster;
  }

  /** Its own certificate, which everybody has to trust. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The file of its certificate. */
  public Path root() {
    return directory.resolve(CERTIFICATE);
  }

  /** The file of its revocation list. */
  public Path list() {
    return directory.resolve("crl.pem");
  }

  /**
   * Gives a certificate to a holder that has none that is valid.
   *
   * @param life cut to the authority's own
   */
  public Issued issue(PublicKey holder, Names names, Duration life)
      throws IOException, AuthorityException {
    for (Issued other : valid()) {
      if (isSameHolder(other.names(), names)) {
        throw new AuthorityException(
            "%s %s has certificate %s until %s: renew it, or revoke it first"
                .formatted(
                    other.names().role().word(), names.name(), other.serial(), other.expires()));
      }
      mustShareNoAddress(other, names);
    }
    return signed(holder, names, life);
  }

  /** The valid certificate of each holder that ends last, by role and name. */
  public Collection<Issued> latest() throws IOException, AuthorityException {
    var latest = new TreeMap<String, Issued>();
    for (Issued one : valid()) {
      latest.merge(
          one.names().role().word() + " " + one.names().name(),
          one,
          BinaryOperator.maxBy(Comparator.comparing(Issued::expires)));
    }
    return latest.values();
  }

  /** The one of a holder; empty if it has none that is valid. */
  public Optional<Issued> latest(Names holder) throws IOException, AuthorityException {
    return valid().stream()
        .filter(one -> isSameHolder(one.names(), holder))
        .max(Comparator.comparing(Issued::expires));
  }

  private List<Issued> valid() throws IOException, AuthorityException {
    Instant now = clock.instant();
    return given.known().stream().filter(one -> one.state(now) == Issued.State.VALID).toList();
  }

  private static boolean isSameHolder(Names theirs, Names names) {
    return theirs.name().equals(names.name())
        && (theirs.role() == names.role() || (theirs.role().isNode() && names.role().isNode()));
  }

  private static void mustShareNoAddress(Issued other, Names names) throws AuthorityException {
    Names theirs = other.names();
    if (!names.role().isNode()
        || !theirs.role().isNode()
        || Collections.disjoint(names.addresses(), theirs.addresses())) {
      return;
    }
    var shared = new TreeSet<>(names.addresses());
    shared.retainAll(theirs.addresses());
    throw new AuthorityException(
        "%s is an address of node %s, by certificate %s: two nodes cannot have the same address"
            .formatted(shared.first(), theirs.name(), other.serial()));
  }

  /**
   * Gives the holder of a certificate another with the same names. The old one stays valid until
   * its end.
   *
   * @param holder the key: the old one's, or a new one
   * @param file where the old certificate is, for messages too
   */
  public Issued renew(Path file, Optional<PublicKey> holder, Duration life)
      throws IOException, AuthorityException {
    Issued old = known(file);
    if (old.revokedAt().isPresent()) {
      throw new AuthorityException(
          "%s: certificate %s was revoked at %s"
              .formatted(file, old.serial(), old.revokedAt().get()));
    }
    for (Issued other : valid()) {
      if (!isSameHolder(other.names(), old.names())) {
        mustShareNoAddress(other, old.names());
      }
    }
    return signed(holder.orElse(old.certificate().getPublicKey()), old.names(), life);
  }

  private Issued signed(PublicKey holder, Names names, Duration life)
      throws IOException, AuthorityException {
    Instant now = clock.instant();
    if (!names.cluster().equals(cluster)) {
      throw new AuthorityException(
          "cluster '%s' of %s %s is not the cluster of this authority, '%s'"
              .formatted(names.cluster(), names.role().word(), names.name(), cluster));
    }
    if (now.isAfter(certificate.getNotAfter().toInstant())) {
      throw new AuthorityException(
          root()
              + " expired at "
              + certificate.getNotAfter().toInstant()
              + ": make a new authority");
    }
    try {
      X509Certificate made = Signing.leaf(certificate, key, holder, names, now, now.plus(life));
      var issued = new Issued(made, names, Optional.empty());
      given.add(issued);
      return issued;
    } catch (GeneralSecurityException e) {
      throw new AuthorityException("cannot sign for " + names + ": " + e.getMessage(), e);
    }
  }

  /** Revokes the certificate in a file. One that is revoked already stays as it is. */
  public Issued revoke(Path file) throws IOException, AuthorityException {
    Issued issued = known(file);
    if (issued.revokedAt().isPresent()) {
      return issued;
    }
    Instant now = clock.instant();
    try {
      revocations.add(issued.certificate().getSerialNumber(), now);
      given.changed();
    } catch (GeneralSecurityException e) {
      throw new AuthorityException("cannot sign " + list() + ": " + e.getMessage(), e);
    }
    return new Issued(issued.certificate(), issued.names(), Optional.of(now));
  }

  /**
   * The file of a certificate by its serial number in hex.
   *
   * @throws AuthorityException if this authority gave none such away
   */
  public Path numbered(String serial) throws AuthorityException {
    return given.numbered(serial);
  }

  /**
   * A certificate that this authority gave away, by a file that holds it.
   *
   * @throws AuthorityException if it is not among the issued ones
   */
  public Issued known(Path file) throws IOException, AuthorityException {
    return given.read(read(file).serial());
  }

  /**
   * A certificate that this authority signed, by a file that holds it: issued/ may have lost it.
   */
  public Issued read(Path file) throws IOException, AuthorityException {
    X509Certificate found = Issued.read(file);
    try {
      found.verify(certificate.getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new AuthorityException(
          "%s comes from another authority ('%s') than %s"
              .formatted(file, found.getIssuerX500Principal(), root()),
          e);
    }
    return given.in(file);
  }

  /**
   * Looks for this authority among those of a file.
   *
   * @throws AuthorityException naming the file, if it is not there
   */
  public void mustBeIn(Path trusted) throws IOException, AuthorityException {
    if (!Issued.readAll(trusted).contains(certificate)) {
      throw new AuthorityException(
          "%s does not contain this authority: add %s to it".formatted(trusted, root()));
    }
  }

  /** Everything that was given away, by name. */
  public List<Issued> issued() throws IOException, AuthorityException {
    return given.read();
  }

  /** Lets other processes in. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
