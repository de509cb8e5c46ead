package dev.rollcall.wire.tls;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.authority.WholeFile;
import dev.rollcall.model.RoleUri.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A real authority, and the files of holders as the command writes them. */
public final class Issuing implements AutoCloseable {
  private final Path directory;
  private final Authority authority;

  public Issuing(Path directory, String cluster) throws Exception {
    this(directory, cluster, InstantSource.system());
  }

  public Issuing(Path directory, String cluster, InstantSource clock) throws Exception {
    this.directory = directory;
    authority = Authority.init(directory.resolve("ca"), cluster, Duration.ofDays(30), clock);
  }

  public Authority authority() {
    return authority;
  }

  /** Of the holder with this name, whether they are there or not. */
  public TlsFiles files(String name) {
    Path home = directory.resolve(name);
    return new TlsFiles(
        home.resolve("ca.pem"),
        home.resolve("certificate.pem"),
        home.resolve("key.pem"),
        Optional.of(home.resolve("crl.pem")));
  }

  /** A certificate of 127.0.0.1 for a gateway, of nothing for others. */
  public TlsFiles issue(Role role, String name) throws Exception {
    return issue(role, name, Duration.ofDays(1));
  }

  public TlsFiles issue(Role role, String name, Duration life) throws Exception {
    KeyPair keys = KeyFile.generate();
    var names =
        new Names(
            authority.cluster(),
            role,
            name,
            role == Role.SERVICE ? new TreeSet<>(Set.of(27000)) : new TreeSet<>(),
            role == Role.NODE || role == Role.ADMINISTRATOR
                ? new TreeSet<>()
                : new TreeSet<>(Set.of(role == Role.GATEWAY ? "127.0.0.1" : "10.77.0.9")),
            new TreeSet<>(Set.of("localhost")));
    return write(authority.issue(keys.getPublic(), names, life), keys);
  }

  /** Another certificate for a node, with these addresses; the former one is revoked. */
  public TlsFiles reissue(String node, String... addresses) throws Exception {
    revoke(node);
    KeyPair keys = KeyFile.generate();
    var names =
        new Names(
            authority.cluster(),
            Role.NODE,
            node,
            new TreeSet<>(),
            new TreeSet<>(Set.of(addresses)),
            new TreeSet<>(Set.of("localhost")));
    return write(authority.issue(keys.getPublic(), names, Duration.ofDays(1)), keys);
  }

  /** With a new key. */
  public TlsFiles renew(String name) throws Exception {
    KeyPair keys = KeyFile.generate();
    return write(
        authority.renew(
            files(name).certificate(), Optional.of(keys.getPublic()), Duration.ofDays(2)),
        keys);
  }

  private TlsFiles write(Issued issued, KeyPair keys) throws Exception {
    TlsFiles files = files(issued.names().name());
    Files.createDirectories(files.ca().getParent());
    WholeFile.replace(files.key(), KeyFile.pem(keys.getPrivate()), WholeFile.SECRET);
    WholeFile.replace(files.certificate(), issued.pem(), WholeFile.PUBLIC);
    WholeFile.replace(files.ca(), Files.readAllBytes(authority.root()), WholeFile.PUBLIC);
    bringList(issued.names().name());
    return files;
  }

  /** What the authority has revoked so far, to a holder. */
  public void bringList(String name) throws Exception {
    WholeFile.replace(
        files(name).crl().orElseThrow(), Files.readAllBytes(authority.list()), WholeFile.PUBLIC);
  }

  public void revoke(String name) throws Exception {
    var _ = authority.revoke(files(name).certificate());
  }

  @Override
  public void close() throws IOException {
    authority.close();
  }
}
